import { AppError } from '#shared/platform/errors.ts'
import type { Price } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import type { Config } from '../../platform/config/config.ts'
import { BudgetError } from './budget-error.ts'
import { assertWithinBudgets, findUsedUpKey } from './budget-store.ts'
import { type Executor, findBalance, holdPlace, insertAbsorbed, insertStart, insertUsage } from './store.ts'

/** What one model call used. `price.amount` in dollars. */
export type UsageEntry = {
  user_id: string
  session_id: string | null
  /** The API key it was asked for with. */
  key_id?: string | undefined
  /** Who worked, and with which tool. */
  assistant_id?: string | undefined
  tool_id?: string | undefined
  /** Null outside of runs. */
  run_id: string | null
  step_key: string | null
  attempt: number
  model_name: string
  usage: Usage
  price: Price
  reason: string
}

/** The largest amounts the ledger has room for: whatever a provider says, what was answered can be stored. */
const MAX_AMOUNT = 999_999_999
const MAX_TOKENS = 2 ** 31 - 1

/** Books a committed step, once however often it is told. Runs inside the transaction that commits the step. */
export async function recordUsage(db: Executor, entry: UsageEntry): Promise<void> {
  await insertUsage(db, { ...rowOf(entry), amount: -amountOf(entry) })
}

/** Writes a lost attempt down: nobody pays for it, but what it cost can be seen. */
export async function recordAbsorbed(db: Executor, entry: UsageEntry): Promise<void> {
  await insertAbsorbed(db, { ...rowOf(entry), estimated_amount: amountOf(entry) })
}

/**
 * Books a call whose result belongs to a chat that may be deleted meanwhile. `keep` stores the result and answers whether it is
 * used: unused ones are absorbed, and those that were booked before (null) are not booked again. When the chat is gone its person
 * pays, and nothing is stored. In one transaction.
 */
export async function recordUnlessGone(
  trx: Executor,
  entry: UsageEntry,
  keep: () => Promise<boolean | null>,
): Promise<boolean> {
  const place = await holdPlace(trx, entry)
  const isGone = place.session_id !== entry.session_id || place.run_id !== entry.run_id
  const isUsed = isGone || (await keep())
  if (isUsed !== null) await (isUsed ? recordUsage : recordAbsorbed)(trx, { ...entry, ...place })
  return isUsed === true && !isGone
}

/** What a user's ledger adds up to, in dollars; read in one row, however long the ledger is. */
export async function readBalance(db: Executor, userId: string): Promise<number> {
  return (await findBalance(db, userId)).balance
}

/** Refuses paid work when a budget is used up, that of an API key too, or billing is on and nothing is left. @throws AppError insufficient_balance, budget_used_up */
export async function assertBalance(
  { db, config }: { db: Executor; config: Pick<Config, 'ATRIUM_BILLING'> },
  userId: string,
  keyId?: string,
): Promise<void> {
  await assertWithinBudgets(db, userId, keyId)
  if (keyId) await assertWithinKey(db, keyId)
  if (config.ATRIUM_BILLING === 'off') return
  if ((await readBalance(db, userId)) <= 0) throw insufficientBalance()
}

/** Refuses what an API key or an embedded assistant can pay no more. @throws BudgetError, AppError `budget_used_up` */
async function assertWithinKey(db: Executor, keyId: string): Promise<void> {
  const kind = await findUsedUpKey(db, keyId)
  if (kind) throw keyUsedUp(keyId, kind)
}

/** A run of an API key stands still until its budget is raised or a new month begins; a visit ends. */
export function keyUsedUp(keyId: string, kind: 'key' | 'embed'): AppError {
  if (kind === 'embed') return budgetUsedUp()
  return new BudgetError({ id: keyId, kind: 'key', period: 'month', is_own: true })
}

export function insufficientBalance(): AppError {
  return new AppError('insufficient_balance', 'Insufficient balance. Please top up to continue.')
}

/** What a visit of an embedded assistant ends with: nobody there waits for the next month. */
function budgetUsedUp(): AppError {
  return new AppError(
    'budget_used_up',
    "This month's budget of this assistant is used up. Come back next month (UTC).",
  )
}

/** Whether something was not done because the balance or a budget is used up. */
export function isUnpaid(error: unknown): boolean {
  if (error instanceof BudgetError) return true
  return error instanceof AppError && error.code === 'insufficient_balance'
}

/** What a new account starts with, once. */
export async function grantStartingBalance(db: Executor, config: Config, userId: string): Promise<void> {
  const amount = config.ATRIUM_STARTING_BALANCE
  if (amount !== 0) await insertStart(db, userId, amount)
}

function rowOf({ price, usage, ...entry }: UsageEntry) {
  return {
    ...entry,
    key_id: entry.key_id ?? null,
    assistant_id: entry.assistant_id ?? null,
    tool_id: entry.tool_id ?? null,
    input_tokens: bounded(usage.input_tokens, MAX_TOKENS),
    output_tokens: bounded(usage.output_tokens, MAX_TOKENS),
    cached_tokens: bounded(usage.cached_tokens, MAX_TOKENS),
    unpriced: price.unpriced,
    estimated: usage.estimated,
  }
}

const amountOf = ({ price }: UsageEntry) => bounded(price.amount, MAX_AMOUNT, 1e9)

/** Nobody is paid for using something, and what is no number counts as nothing. */
function bounded(value: number, most: number, steps = 1): number {
  const size = Number.isNaN(value) ? 0 : Math.min(Math.max(0, value), most)
  return Math.round(size * steps) / steps
}
