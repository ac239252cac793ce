import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import { BudgetError, type StoppingBudget } from './budget-error.ts'

/** The payers of a call: user, company and groups, assistant and API key. */
export type BudgetPayer = {
  user_id: string
  assistant_id?: string | undefined
  key_id?: string | undefined
}
type Wanted = { id: string; run_id: string; instance_id: string; amount: number }
type Outcome =
  | { outcome: 'reserved' }
  | {
      outcome: 'busy' | 'empty'
      budget_id: string
      kind: StoppingBudget['kind']
      period: StoppingBudget['period']
    }

/**
 * Reserves an amount in every applicable budget; 0 only checks. Returns the budget whose remainder is reserved by active
 * calls. @throws BudgetError when a budget is used up
 */
export async function tryReserveWithinBudgets(
  db: Kysely<Tables>,
  { user_id, assistant_id = '', key_id }: BudgetPayer,
  { id, run_id, instance_id, amount }: Wanted,
): Promise<StoppingBudget | null> {
  const { rows } = await sql<Outcome>`
    select * from reserve_within_budgets(${id}, ${user_id}, ${assistant_id}, ${key_id ?? null}, ${instance_id}, ${run_id}, ${amount})`.execute(
    db,
  )
  const [found] = rows
  if (!found || found.outcome === 'reserved') return null
  const budget = { id: found.budget_id, kind: found.kind, period: found.period }
  if (found.outcome === 'empty') throw new BudgetError(budget)
  return budget
}

/** Returns whether any budget exists; most installations have none. */
export async function hasBudgets(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ is_any: boolean }>`select exists (select from budgets) as is_any`.execute(db)
  return rows[0]?.is_any ?? false
}

/** Returns the kind of a key whose monthly budget is used up, else null. */
export async function findUsedUpKey(db: Kysely<Tables>, keyId: string): Promise<'key' | 'embed' | null> {
  const row = await db
    .selectFrom('access_keys')
    .select('kind')
    .where('id', '=', keyId)
    .where(sql<boolean>`left_of_key(id) <= 0`)
    .executeTakeFirst()
  if (!row) return null
  return row.kind === 'embed' ? 'embed' : 'key'
}

/** Refuses new work when a budget of the user, company, groups, key or project is used up. @throws BudgetError */
export async function assertWithinBudgets(
  db: Kysely<Tables>,
  userId: string,
  { keyId = null, projectId = null }: { keyId?: string | null; projectId?: string | null },
): Promise<void> {
  const { rows } = await sql<StoppingBudget>`
    select id, kind, period from budgets_of(${userId}, null, ${keyId}, ${projectId}) budget
    where period <> 'reply' and left_of_budget(budget, null) <= 0 order by kind, period limit 1`.execute(db)
  if (rows[0]) throw new BudgetError(rows[0])
}
