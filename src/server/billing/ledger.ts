import { AppError } from '#shared/errors.ts'
import type { Config } from '../config.ts'
import type { Price } from '../models/models.ts'
import type { Usage } from '../models/port.ts'
import { type Executor, findBalance, insertAbsorbed, insertStart, insertUsage } from './store.ts'

/** What one model call used. `price.amount` in dollars. */
export type UsageEntry = {
  user_id: string
  session_id: string | null
  /** The API key it was asked for with. */
  key_id?: string | undefined
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

/** What a user's ledger adds up to, in dollars; read in one row, however long the ledger is. */
export async function readBalance(db: Executor, userId: string): Promise<number> {
  return (await findBalance(db, userId)).balance
}

/** Refuses paid work when billing is on and nothing is left. @throws AppError insufficient_balance */
export async function assertBalance(
  { db, config }: { db: Executor; config: Pick<Config, 'ATRIUM_BILLING'> },
  userId: string,
): Promise<void> {
  if (config.ATRIUM_BILLING === 'off') return
  if ((await readBalance(db, userId)) <= 0) throw insufficientBalance()
}

export function insufficientBalance(): AppError {
  return new AppError('insufficient_balance', 'Insufficient balance. Please top up to continue.')
}

/** What a run of an API key ends with: it waits for no top-up, because none is coming. */
export function budgetUsedUp(): AppError {
  return new AppError('budget_used_up', "This month's budget of the API key is used up.")
}

/** Whether something was not done because the balance is used up. */
export function isUnpaid(error: unknown): boolean {
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
