import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import type { ModelCall } from '../../models/models/port.ts'
import { assertOpen, type Thing } from '../../platform/access/access.ts'
import { BudgetError } from './budget-error.ts'
import { hasBudgets, tryReserveWithinBudgets } from './budget-store.ts'
import { assertBalance, insufficientBalance, keyUsedUp } from './ledger.ts'
import {
  type Executor,
  releaseReservations,
  releaseRunBudgets,
  releaseRunReservations,
  tryReserve,
  tryReserveForKey,
} from './store.ts'

/** How long a call waits for others of the same person to be settled, in milliseconds. */
const PATIENCE_MS = 60_000
/** How often what other processes settle is looked for. */
const LOOK_MS = 250
/** What the ledger has room for, in dollars. */
const AMOUNTS = { least: 1e-9, most: 999_999_999 }

/** A paid call that is about to be made. */
type PaidCall = {
  user_id: string
  /** The API key it is asked for with: its budget pays as well. */
  key_id?: string | undefined
  /** The assistant at work. */
  assistant_id?: string | undefined
  /** What must be open to the person beside the model. */
  things?: readonly Thing[]
  /** The run that answers for it: a part's is the run it is a part of. */
  run_id: string
  model_name: string
  call: Pick<ModelCall, 'messages' | 'tools' | 'output'>
  signal: AbortSignal
  /** Whether it has nothing to wait for any more. */
  isLeaving?: () => boolean
}

/** Amounts put aside before calls, until these are settled: one call under way may overdraw, the next one may not. */
export type Reservations = {
  /**
   * Puts aside what a call may cost, if its person may make it at all, and gives the reservation's id; null for what costs nothing. While other calls
   * of the person have taken what is left, it waits for them. @throws AppError `not_granted`, `insufficient_balance`, `budget_used_up`; BudgetError
   */
  reserve(paid: PaidCall): Promise<string | null>
  /** Ends reservations, together with the transaction that books what the calls cost. */
  release(db: Executor, ids: readonly string[]): Promise<void>
  /** Ends all of a run, together with its end or with its takeover. */
  releaseRun(db: Executor, runId: string): Promise<void>
  /** Lets the calls that wait for this person's balance look at it again. */
  wake(userId: string): void
}

/** What a call in line waits for, as it is said when it has waited long enough. */
type Wait = { reason: () => AppError }

type Needs = Pick<ModelDeps, 'grants' | 'db' | 'config' | 'models' | 'instance'>

export function createReservations(
  { db, config, models, instance, grants }: Needs,
  patienceMs: number = PATIENCE_MS,
): Reservations {
  const isOff = config.ATRIUM_BILLING === 'off'
  /** By user: the last one in line, and how the first one is woken. */
  const lines = new Map<string, Promise<unknown>>()
  const alarms = new Map<string, () => void>()

  async function takeTurn(
    paid: PaidCall,
    amount: number,
    patience: AbortSignal,
    wait: Wait,
  ): Promise<string> {
    const { user_id, signal } = paid
    const id = randomUUID()
    for (;;) {
      signal.throwIfAborted()
      if (patience.aborted || paid.isLeaving?.()) throw wait.reason()
      const woken = new Promise<void>((resolve) => alarms.set(user_id, resolve))
      const outcome = await tryOnce(paid, id, amount, wait)
      if (outcome === 'reserved' && !patience.aborted) return id
      if (outcome === 'reserved') await releaseReservations(db, [id])
      else await Promise.race([woken, sleep(LOOK_MS)])
    }
  }

  /** Puts it aside of all budgets and of the balance, or of none. */
  async function tryOnce(
    paid: PaidCall,
    id: string,
    amount: number,
    wait: Wait,
  ): Promise<'reserved' | 'busy'> {
    const { user_id, run_id, key_id } = paid
    const wanted = { id, run_id, amount, instance_id: instance.id }
    if (key_id) {
      const { outcome, kind } = await tryReserveForKey(db, { ...wanted, key_id })
      if (outcome === 'empty') throw keyUsedUp(key_id, kind)
      wait.reason = () => keyUsedUp(key_id, kind)
      if (outcome === 'busy') return outcome
    }
    const budget = await tryReserveWithinBudgets(db, paid, wanted).catch(async (error) => {
      if (key_id) await releaseReservations(db, [id])
      throw error
    })
    wait.reason = budget ? () => new BudgetError(budget) : insufficientBalance
    if (budget && key_id) await releaseReservations(db, [id])
    if (budget) return 'busy'
    if (isOff) return 'reserved'
    const outcome = await tryReserve(db, { ...wanted, user_id })
    if (outcome === 'reserved') return outcome
    await releaseReservations(db, [id])
    if (outcome === 'empty') throw insufficientBalance()
    return outcome
  }

  async function assertAnythingLeft(paid: PaidCall): Promise<void> {
    const { user_id, key_id, run_id } = paid
    const nothing = { id: randomUUID(), run_id, amount: 0, instance_id: instance.id }
    await tryReserveWithinBudgets(db, paid, nothing)
    await assertBalance({ db, config }, user_id, key_id)
  }

  /** One after the other: of many who wait for the same balance only the first one asks for it. */
  function standInLine(paid: PaidCall, amount: number): Promise<string> {
    const { user_id, signal } = paid
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const before = lines.get(user_id) ?? Promise.resolve()
    const wait: Wait = { reason: insufficientBalance }
    const mine = before.then(() => takeTurn(paid, amount, patience, wait))
    const over = mine.then(
      () => undefined,
      () => undefined,
    )
    lines.set(user_id, over)
    void over.then(() => {
      if (lines.get(user_id) !== over) return
      lines.delete(user_id)
      alarms.delete(user_id)
    })
    return Promise.race([mine, givingUp(patience, signal, wait)])
  }

  return {
    reserve: async (paid) => {
      const { user_id, model_name, things = [] } = paid
      await assertOpen(grants, user_id, { kind: 'model', id: model_name }, ...things)
      if (isOff && !paid.key_id && !(await hasBudgets(db))) return null
      const most = await models.mostCost(paid.model_name, paid.call)
      // Beside a call that costs nothing any other may go on.
      if (most === 0) return assertAnythingLeft(paid).then(() => null)
      return standInLine(paid, Math.min(Math.max(most, AMOUNTS.least), AMOUNTS.most))
    },
    release: async (executor, ids) => {
      if (ids.length > 0) await releaseReservations(executor, ids)
    },
    releaseRun: (executor, runId) =>
      isOff ? releaseRunBudgets(executor, runId) : releaseRunReservations(executor, runId),
    wake: (userId) => alarms.get(userId)?.(),
  }
}

/** A call leaves the line at once when its run ends, and when it has waited long enough. */
function givingUp(patience: AbortSignal, signal: AbortSignal, wait: Wait): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(signal.aborted ? signal.reason : wait.reason())
    if (patience.aborted) leave()
    else patience.addEventListener('abort', leave, { once: true })
  })
}
