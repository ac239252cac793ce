import { AppError } from '#shared/platform/errors.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunUsage } from '#shared/runs/runs/usage.ts'
import { withOrigin } from '../../models/masking/masking.ts'
import { sending } from '../../platform/access/classes/classes.ts'
import { findVersion } from './context/agent-versions.ts'
import { bookAbsorbed, bookUsage, priceBills } from './context/bills.ts'
import { runChild } from './context/children.ts'
import { type ContextDeps, createContext } from './context/create-context.ts'
import { endRun, inTurn, isPassing, type LiveRun, sendingOf, stamp, workplaceOf } from './context/live-run.ts'
import { heldFor, usageOf } from './context/usage.ts'
import type { Engine } from './engine.ts'
import { appendRecord } from './journal/journal-store.ts'
import { describeFailure, type RunFailure } from './reply.ts'
import { takeAnswers } from './rest/answers.ts'
import { parkRun } from './rest/park.ts'
import { closeRequests } from './rest/request-store.ts'
import { endToolExecutions, settleRun } from './rest/settle-store.ts'
import { releaseRun } from './rest/store.ts'
import { lockSession } from './store.ts'
import { givenUp, judge } from './watch/losses.ts'

/** Time a step gets to react to the end of its run, in milliseconds. */
const GRACE_MS = 2_000

/** Executes a run until it ends, comes to rest or is lost by this process. */
export async function executeRun(engine: Engine, run: LiveRun): Promise<void> {
  const { agent_type: agent } = run.input
  const work = { kind: 'run' as const, name: agent, labels: { agent } }
  await engine.deps.telemetry.observe(
    work,
    () => carryOut(engine, run),
    (how) => how,
  )
}

/** Executes the run and returns its outcome as a metric label. */
async function carryOut(engine: Engine, run: LiveRun): Promise<string> {
  const timer = setTimeout(() => endRun(run, 'time'), run.input.limits.seconds * 1000)
  timer.unref()
  announce(engine, run)
  try {
    const how = await Promise.race([runAgent(engine, run), whenEnded(run), whenAtRest(engine, run)])
    if (how !== 'done') return how
    await finishRun(engine, run, { state: 'completed', error: null })
    return 'completed'
  } catch (error) {
    await endWithError(engine, run, error)
    return howItEnded(run)
  } finally {
    clearTimeout(timer)
    if (run.ending === 'lost') engine.letGo.add(run.id)
    engine.live.delete(run.id)
    engine.onHeld()
    // Also ends the steps that ran in parallel.
    run.abort.abort(new Error('The run is at rest.'))
    if (run.ending === 'lost') for (const look of run.onLeft) look()
  }
}

const endings = { lost: 'left', release: 'left', stop: 'stopped', time: 'time' }

const howItEnded = ({ ending }: LiveRun) => (ending === null ? 'failed' : endings[ending])

/** Announces a standalone run to the readers of its session in every process. */
function announce({ events, deps }: Engine, run: LiveRun): void {
  const session = run.input.standalone?.session_id
  if (!session) return
  events.announcements
    .tell({ session, run: run.id, after: run.publisher.lastId })
    .catch((error) => deps.log.warn({ error }, 'Other processes were not told of a tool.'))
}

async function runAgent(engine: Engine, run: LiveRun): Promise<'done'> {
  if (judge(run.losses) !== 'goes_on') throw givenUp(run.losses)
  const work = findVersion(engine.agents[run.input.agent_type], run.agentVersion)
  if (!work) throw outdated()
  if (run.ending === 'stop') run.abort.abort(new Error('The run was stopped.'))
  run.abort.signal.throwIfAborted()
  const { db, clock } = engine.deps
  const deps: ContextDeps = {
    ...{ db, now: () => clock.now(), price: priceBills(engine.deps), reservations: engine.reservations },
    child: (parent, key, request) => runChild(engine, deps, parent, key, request),
  }
  const { user_id, message_id, standalone } = run.input
  const session_id = standalone ? standalone.session_id : run.input.session_id
  await sending(sendingOf(engine.deps, run), () =>
    withOrigin({ user_id, session_id, message_id }, () => work(createContext(deps, run))),
  )
  run.abort.signal.throwIfAborted()
  return 'done'
}

function outdated(): AppError {
  return new AppError(
    'not_available',
    'This reply was started by another version of the server and cannot be continued. Return to its last checkpoint or regenerate it.',
  )
}

/** Resolves when a run was ended: immediately for a lost one, after a grace period for a stopped one. */
function whenEnded(run: LiveRun): Promise<'left'> {
  const { signal } = run.abort
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      if (run.ending === 'lost') return resolve('left')
      setTimeout(() => reject(signal.reason), GRACE_MS).unref()
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Resolves when the run is parked or released. */
function whenAtRest(engine: Engine, run: LiveRun): Promise<'rest'> {
  let isResting = false
  return new Promise((resolve, reject) => {
    run.onIdle = () => {
      if (isResting || run.steps.size > 0) return
      const isReleased = run.ending === 'release'
      const isParked = run.ending === null && (run.pausedAt !== null || run.asks.length > 0)
      if (!isReleased && !isParked) return
      isResting = true
      const rest = isReleased ? releaseRun(engine, run).then(() => true) : parkRun(engine, run)
      rest
        .then(async (isAtRest) => {
          if (isAtRest) return resolve('rest')
          isResting = false
          await takeAnswers(engine, run)
        })
        .catch(reject)
    }
  })
}

async function endWithError(engine: Engine, run: LiveRun, error: unknown): Promise<void> {
  const { log } = engine.deps
  try {
    // A transient database error does not end the run: the sweep resumes it.
    if (isPassing(error)) letGo(engine, run)
    if (run.ending === 'lost')
      return void log.info({ run: run.id, error }, 'A run was let go, to be taken up again.')
    if (run.ending === 'release') return await releaseRun(engine, run)
    if (run.ending === 'stop') return await finishRun(engine, run, { state: 'stopped', error: null })
    const failure = run.ending === 'time' ? outOfTime(run) : describeFailure(error, log)
    await finishRun(engine, run, { state: 'failed', error: failure })
  } catch (failed) {
    // Nothing was written: the run resumes from its journal.
    if (isPassing(failed)) letGo(engine, run)
    log.warn({ error: failed, run: run.id }, 'The end of a run could not be stored.')
  }
}

function letGo(engine: Engine, run: LiveRun): void {
  engine.letGo.add(run.id)
  endRun(run, 'lost')
}

function outOfTime({ input }: LiveRun) {
  const minutes = Math.max(1, Math.round(input.limits.seconds / 60))
  return {
    code: 'unavailable' as const,
    detail: `The reply took longer than ${minutes} min and was ended.`,
  }
}

type End = {
  state: 'completed' | 'stopped' | 'failed'
  error: RunFailure | null
}

/** Commits the end of the run, its message and its session together, then publishes it. */
async function finishRun(engine: Engine, run: LiveRun, end: End): Promise<void> {
  const { db, clock } = engine.deps
  run.publisher.flush()
  const now = clock.now()
  const open = await priceBills(engine.deps)(run.openBills)
  const usage = await usageOf(engine, run, end.state === 'failed' ? [] : open.filter(({ isLost }) => !isLost))
  const event = endEvent(run, { ...end, usage }, now)
  const view = applyEvent(run.publisher.view, event) ?? run.publisher.view
  const held = heldFor(run)
  const session = workplaceOf(run)
  const ended = { run, state: end.state, content: view.content, usage }
  const writes = session ? await Promise.all(engine.onEnd.map((tell) => tell(ended))) : []
  await inTurn(run, () =>
    db.transaction().execute(async (trx) => {
      if (session) await lockSession(trx, session)
      const record = { position: run.nextPosition, attempt: run.attempt, value: end.state, events: [event] }
      await appendRecord(trx, run.holder, { ...record, kind: 'end', key: 'end' })
      await settleRun(
        trx,
        run.holder,
        { state: end.state, view, error: end.error, pendingInput: null, held },
        now,
      )
      await endToolExecutions(trx, run.id, now)
      await closeRequests(trx, run.id)
      for (const write of writes) await write?.(trx)
      // Last, as in every transaction, because other runs of the user wait for the lock on the balance.
      await engine.reservations.releaseRun(trx, run.id)
      // A stopped run is charged for its partial result; a failure costs the installation.
      if (end.state === 'failed') await bookAbsorbed(trx, run, open)
      else await bookUsage(trx, run, open)
    }),
  )
  engine.reservations.wake(run.input.user_id)
  run.publisher.emit(event)
}

function endEvent(run: LiveRun, { state, error, usage }: End & { usage: RunUsage }, now: Date) {
  const { message_id } = run.input
  const timestamp = now.toISOString()
  if (!error) {
    const stopped = state === 'stopped'
    return stamp(run, null, { event: 'agent_processing_complete', message_id, stopped, usage, timestamp })
  }
  const { code, detail } = error
  const details = { error: detail, code, traceback: null, step: [...run.openBills.keys()].at(-1) ?? null }
  return stamp(run, null, { event: 'agent_processing_error', message_id, ...details, usage, timestamp })
}
