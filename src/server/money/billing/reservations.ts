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

/** Maximum wait of a call for other calls of the same user, in milliseconds. */
const PATIENCE_MS = 60_000
/** Poll interval for reservations settled by other processes. */
const LOOK_MS = 250
/** Range of ledger amounts, in dollars. */
const AMOUNTS = { least: 1e-9, most: 999_999_999 }

/** A paid call about to be made. */
type PaidCall = {
  user_id: string
  /** The API key of the request, whose budget applies too. */
  key_id?: string | undefined
  /** The assistant that makes the call. */
  assistant_id?: string | undefined
  /** Things besides the model that need a grant. */
  things?: readonly Thing[]
  /** The root run: for a sub-run, its parent. */
  run_id: string
  model_name: string
  call: Pick<ModelCall, 'messages' | 'tools' | 'output'>
  signal: AbortSignal
  /** Returns whether the call no longer needs its reservation. */
  isLeaving?: () => boolean
}

/** Reserves amounts before calls until they are settled, so that at most one active call can overdraw. */
export type Reservations = {
  /**
   * Reserves the maximum cost of a call if the user may make it, and returns the reservation's id; null for a free call. Waits while other
   * calls of the user have reserved the remainder. @throws AppError `not_granted`, `insufficient_balance`, `budget_used_up`; BudgetError
   */
  reserve(paid: PaidCall): Promise<string | null>
  /** Ends reservations in the transaction that books the calls' cost. */
  release(db: Executor, ids: readonly string[]): Promise<void>
  /** Ends all reservations of a run, when it ends or another process resumes it. */
  releaseRun(db: Executor, runId: string): Promise<void>
  /** Makes calls that wait for this user's balance try again. */
  wake(userId: string): void
}

/** The resource a queued call waits for, as the error after a timeout. */
type Wait = { reason: () => AppError }

type Needs = Pick<ModelDeps, 'grants' | 'db' | 'config' | 'models' | 'instance'>

export function createReservations(
  { db, config, models, instance, grants }: Needs,
  patienceMs: number = PATIENCE_MS,
): Reservations {
  const isOff = config.ATRIUM_BILLING === 'off'
  /** By user: the tail of the queue, and how to wake its head. */
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

  /** Reserves in all budgets and the balance, or in none. */
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

  /** Queues calls: only the first of several calls waiting for a balance polls it. */
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
      // A free call blocks no other.
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

/** Leaves the queue immediately when the run ends, or after the maximum wait. */
function givingUp(patience: AbortSignal, signal: AbortSignal, wait: Wait): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(signal.aborted ? signal.reason : wait.reason())
    if (patience.aborted) leave()
    else patience.addEventListener('abort', leave, { once: true })
  })
}
