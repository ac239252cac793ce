import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { assertTermsAccepted } from '../../identity/terms/terms.ts'
import { isRolledBack } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { createPublisher } from '../events/events.ts'
import { beginEpoch, insertRun } from './begin-store.ts'
import { type LiveRun, stamp } from './context/live-run.ts'
import type { RunInput } from './context/run-context.ts'
import type { Engine } from './engine.ts'
import type { Holder } from './journal/journal-record.ts'
import { assertRoom } from './room-store.ts'
import { findActiveRun, lockSession } from './store.ts'
import { type Losses, NO_LOSSES } from './watch/losses.ts'
import { tellOfRun } from './watch/watch-store.ts'

/** The starting point of a new run, determined inside its transaction. */
export type StartRequest = {
  input: Omit<RunInput, 'message_id' | 'started_at' | 'agent_type'> & {
    agent_type: AgentType | 'completion' | 'comparison'
  }
  userMessage: Message
}

/** Refuses to start a run in a busy session. @throws AppError `session_busy` */
export async function assertIdle(trx: Kysely<Tables>, sessionId: string): Promise<void> {
  if (!(await findActiveRun(trx, sessionId))) return
  throw new AppError('session_busy', 'The current session is already processing a request.')
}

/**
 * Refuses to start a run before a message that waits for its turn. A message that waits may start its own run.
 * @throws AppError `session_busy`
 */
export async function assertTurn(
  { findNext }: Pick<Engine, 'findNext'>,
  trx: Kysely<Tables>,
  sessionId: string,
  clientId: string | null = null,
): Promise<void> {
  assertNext(await findNext(trx, sessionId), clientId)
}

function assertNext(next: string | null, clientId: string | null): void {
  if (next === null || next === clientId) return
  throw new AppError(
    'session_busy',
    'Messages of this session wait for their turn. Add this one to the queue.',
  )
}

/** A started run: owned by this process when it executes runs, else queued for a worker. */
export type Begun = Pick<LiveRun, 'id' | 'sessionId' | 'input' | 'userMessage'>

/** Attempts to commit a new run that the server rolls back because of another transaction. */
const ATTEMPTS = 3

/**
 * Commits a new run. `store` runs again if the server rolled it back because of another transaction, so it must not change
 * anything else. Until it is in `live`, it is marked as being claimed, so that no sweep mistakes it for a released one.
 * If the commit's outcome is unknown, the next sweep finds the run in case it succeeded. A process that executes no
 * runs notifies the workers.
 */
export async function commitBeginning<T>(
  { deps, claiming, works }: Engine,
  runId: string,
  store: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (!works) {
    return commit(deps, async (trx) => {
      const begun = await store(trx)
      await tellOfRun(trx, runId)
      return begun
    })
  }
  claiming.add(runId)
  try {
    return await commit(deps, store)
  } catch (error) {
    claiming.delete(runId)
    throw error
  }
}

async function commit<T>({ db }: Engine['deps'], store: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(store)
    } catch (error) {
      if (!isRolledBack(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** Stores a new run with record 0, not yet running. See `startRun`. */
export async function beginRun(
  engine: Engine,
  sessionId: string,
  prepare: (trx: Kysely<Tables>) => Promise<StartRequest>,
): Promise<{ run: LiveRun; events: RunEvent[] }> {
  const { clock, instance } = engine.deps
  const owner = instance.id
  const runId = randomUUID()
  return commitBeginning(engine, runId, async (trx) => {
    const { user_id, origin } = await lockSession(trx, sessionId)
    await assertIdle(trx, sessionId)
    await assertRoom(trx, engine.deps.config, user_id, 'chat', origin === 'embed')
    // The queue removes its message when it starts it.
    const next = await engine.findNext(trx, sessionId)
    const { input: given, userMessage } = await prepare(trx)
    // Visitors of an embedded assistant are not people of the company.
    if (origin !== 'embed') await assertTermsAccepted(trx, given.user_id)
    assertNext(next, userMessage.client_id)
    const agent = engine.agents[given.agent_type]
    if (!agent) throw notAvailable(given.agent_type)
    const input: RunInput = { ...given, message_id: randomUUID(), started_at: clock.now().toISOString() }
    const epoch = await beginEpoch(trx, sessionId, input.message_id)
    const holder: Holder = { runId, owner, epoch }
    const { version } = agent
    const view = emptyView(holder, input)
    const run = createLiveRun(engine, { holder, attempt: 1, version, input, userMessage, view })
    const started = stamp(run, null, startedEvent(input, new Date(input.started_at)))
    const events = [started]
    await insertRun(trx, holder, input, { isHeld: engine.works, version, events })
    return { run, events }
  })
}

export function startedEvent(input: RunInput, now: Date) {
  const { session_id, message_id, user_message_id, agent_type, model_name, assistant } = input
  const event = 'agent_processing_started' as const
  const written = { agent_type, model_name, ...(assistant && { assistant }) }
  return { event, session_id, message_id, user_message_id, ...written, timestamp: now.toISOString() }
}

export function notAvailable(agentType: string): AppError {
  return new AppError('not_available', `The agent type ${agentType} is not available on this server.`)
}

type Beginning = {
  holder: Holder
  attempt: number
  version: number
  input: RunInput
  userMessage: Message | null
  view: RunView
  losses?: Losses
  lostTexts?: ReadonlyMap<string, string>
}

/** Creates the in-memory state of a newly owned run. */
export function createLiveRun(engine: Engine, beginning: Beginning): LiveRun {
  const { holder, attempt, version, input, userMessage, view } = beginning
  const { channels, sentFrames, ticker } = engine.events
  const run = { id: holder.runId, sessionId: input.session_id, epoch: holder.epoch, attempt }
  return {
    ...{ id: run.id, rootId: run.id, sessionId: run.sessionId, holder, attempt, agentVersion: version },
    ...{ input, userMessage },
    ...{ heldSince: performance.now(), hasTurned: false },
    losses: beginning.losses ?? NO_LOSSES,
    ...{
      records: new Map(),
      nextPosition: 1,
      used: new Set(),
      steps: new Set(),
      asks: [],
      openBills: new Map(),
    },
    publisher: createPublisher({ run, view, channels, sentFrames, ticker }),
    abort: new AbortController(),
    ...{ pauseRequested: false, pausedAt: null, ending: null },
    onIdle: () => undefined,
    onLeft: new Set(),
    lostTexts: beginning.lostTexts ?? new Map(),
    turn: Promise.resolve(),
  }
}

/** Returns the view before the first event. */
export function emptyView({ runId }: Holder, input: RunInput): RunView {
  const { session_id, message_id, user_message_id, agent_type, model_name, assistant } = input
  return {
    ...{ run_id: runId, session_id, message_id, user_message_id, agent_type, model_name },
    ...(assistant && { assistant }),
    ...{ status: 'streaming', stopped: false, content: '', blocks: [], progress: null },
  }
}
