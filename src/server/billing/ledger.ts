import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import type { Price } from '../models/models.ts'
import type { Usage } from '../models/port.ts'

/** A transaction, or the database itself. */
type Executor = Kysely<Tables>

/** What one model call of a run used. `price.amount` in dollars. */
export type UsageEntry = {
  user_id: string
  session_id: string | null
  run_id: string
  step_key: string
  attempt: number
  model_name: string
  usage: Usage
  price: Price
  reason: string
}

/** Books a committed step, once however often it is told. Runs inside the transaction that commits the step. */
export async function recordUsage(db: Executor, entry: UsageEntry): Promise<void> {
  await db
    .insertInto('ledger_entries')
    .values({ ...rowOf(entry), kind: 'usage', amount: -entry.price.amount })
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'step_key']).where('kind', '=', 'usage').doNothing(),
    )
    .execute()
}

/** Writes a lost attempt down: nobody pays for it, but what it cost can be seen. */
export async function recordAbsorbed(db: Executor, entry: UsageEntry): Promise<void> {
  await db
    .insertInto('ledger_entries')
    .values({ ...rowOf(entry), kind: 'absorbed', amount: 0, estimated_amount: entry.price.amount })
    .execute()
}

/** The sum of a user's ledger, in dollars. */
export async function readBalance(db: Executor, userId: string): Promise<number> {
  const row = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount'), sql<number>`0`).as('balance'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.balance)
}

/** Refuses paid work when billing is on and nothing is left. @throws AppError insufficient_balance */
export async function assertBalance(
  { db, config }: { db: Database; config: Config },
  userId: string,
): Promise<void> {
  if (config.ATRIUM_BILLING === 'off') return
  if ((await readBalance(db, userId)) > 0) return
  throw new AppError('insufficient_balance', 'Insufficient balance. Please top up to continue.')
}

/** Whether something was not done because the balance is used up. */
export function isUnpaid(error: unknown): boolean {
  return error instanceof AppError && error.code === 'insufficient_balance'
}

/** What a new account starts with, once. */
export async function grantStartingBalance(db: Executor, config: Config, userId: string): Promise<void> {
  const amount = config.ATRIUM_STARTING_BALANCE
  if (amount === 0) return
  await db
    .insertInto('ledger_entries')
    .values({ user_id: userId, kind: 'start', amount, reason: 'Starting balance' })
    .onConflict((conflict) => conflict.column('user_id').where('kind', '=', 'start').doNothing())
    .execute()
}

function rowOf({ price, usage, ...entry }: UsageEntry) {
  return {
    ...entry,
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cached_tokens: usage.cached_tokens,
    unpriced: price.unpriced,
    estimated: usage.estimated,
  }
}
