import { AppError } from '#shared/platform/errors.ts'
import type { Price } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import type { Config } from '../../platform/config/config.ts'
import { BudgetError } from './budget-error.ts'
import { assertWithinBudgets, findUsedUpKey } from './budget-store.ts'
import { type Executor, findBalance, holdPlace, insertAbsorbed, insertStart, insertUsage } from './store.ts'

/** Usage of one model call. `price.amount` in dollars. */
export type UsageEntry = {
  user_id: string
  session_id: string | null
  /** The API key of the request. */
  key_id?: string | undefined
  /** The assistant and the tool that made the call. */
  assistant_id?: string | undefined
  tool_id?: string | undefined
  run_id: string | null
  step_key: string | null
  attempt: number
  model_name: string
  usage: Usage
  price: Price
  reason: string
}

/** Limits of the ledger's columns, so that any reported usage can be stored. */
const MAX_AMOUNT = 999_999_999
const MAX_TOKENS = 2 ** 31 - 1

/** Books a committed step once, even if repeated. Runs inside the transaction that commits the step. */
export async function recordUsage(db: Executor, entry: UsageEntry): Promise<void> {
  await insertUsage(db, { ...rowOf(entry), amount: -amountOf(entry) })
}

/** Records a lost attempt, which is not charged. */
export async function recordAbsorbed(db: Executor, entry: UsageEntry): Promise<void> {
  await insertAbsorbed(db, { ...rowOf(entry), estimated_amount: amountOf(entry) })
}

/**
 * Books a call whose result belongs to a chat that may be deleted meanwhile. `keep` stores the result and returns whether it was
 * used: an unused result is absorbed, and null means that it was already booked. If the chat is deleted, the user is charged and
 * nothing is stored. Runs in one transaction.
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

/** Returns a user's balance in dollars from a single row. */
export async function readBalance(db: Executor, userId: string): Promise<number> {
  return (await findBalance(db, userId)).balance
}

/** Refuses paid work when a budget is used up, or billing is on and the balance is empty. @throws AppError insufficient_balance, budget_used_up */
export async function assertBalance(
  { db, config }: { db: Executor; config: Pick<Config, 'ATRIUM_BILLING'> },
  userId: string,
  keyId?: string,
  projectId?: string | null,
): Promise<void> {
  await assertWithinBudgets(db, userId, { keyId: keyId ?? null, projectId: projectId ?? null })
  if (keyId) await assertWithinKey(db, keyId)
  if (config.ATRIUM_BILLING === 'off') return
  if ((await readBalance(db, userId)) <= 0) throw insufficientBalance()
}

/** Refuses work beyond the budget of an API key or embedded assistant. @throws BudgetError, AppError `budget_used_up` */
async function assertWithinKey(db: Executor, keyId: string): Promise<void> {
  const kind = await findUsedUpKey(db, keyId)
  if (kind) throw keyUsedUp(keyId, kind)
}

/** Returns the error for a used-up key: a run of an API key pauses, a visit ends. */
export function keyUsedUp(keyId: string, kind: 'key' | 'embed'): AppError {
  if (kind === 'embed') return budgetUsedUp()
  return new BudgetError({ id: keyId, kind: 'key', period: 'month', is_own: true })
}

export function insufficientBalance(): AppError {
  return new AppError('insufficient_balance', 'Insufficient balance. Please top up to continue.')
}

/** Returns the error that ends a visit: visitors cannot wait for the next month. */
function budgetUsedUp(): AppError {
  return new AppError(
    'budget_used_up',
    "This month's budget of this assistant is used up. Come back next month (UTC).",
  )
}

/** Returns whether an error means that balance or budget is used up. */
export function isUnpaid(error: unknown): boolean {
  if (error instanceof BudgetError) return true
  return error instanceof AppError && error.code === 'insufficient_balance'
}

/** Grants a new account's starting balance, once. */
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

/** Clamps a usage value: negative and invalid numbers become 0. */
function bounded(value: number, most: number, steps = 1): number {
  const size = Number.isNaN(value) ? 0 : Math.min(Math.max(0, value), most)
  return Math.round(size * steps) / steps
}
