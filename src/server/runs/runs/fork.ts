import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import { assertStorage } from '../../money/storage/storage.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { holdPaused } from './attempts-store.ts'
import { announceAgain, beginEpoch, insertRun } from './begin-store.ts'
import { versionAfter } from './context/agent-versions.ts'
import { type LiveRun, remember, stamp } from './context/live-run.ts'
import type { RunInput } from './context/run-context.ts'
import type { Engine } from './engine.ts'
import { begin } from './hold.ts'
import type { Holder, JournalRecord } from './journal/journal-record.ts'
import { appendRecord, type Fork, loadInherited } from './journal/journal-store.ts'
import { loadRested } from './rest/rested.ts'
import { endToolExecutions, settleRun } from './rest/settle-store.ts'
import { assertRoom } from './room-store.ts'
import {
  assertIdle,
  assertTurn,
  type Begun,
  commitBeginning,
  createLiveRun,
  emptyView,
  notAvailable,
  type StartRequest,
  startedEvent,
} from './start.ts'
import { findNextPosition, findRun, loadMessage, lockSession, type RunRow } from './store.ts'

/** A position to return to: its run, checkpoint id and name. */
export type Place = Fork & { id: string; name: string }

type Options = {
  place: Place
  /** The reply that is returned from; the new one becomes its alternative. */
  messageId: string
  /** The paused run that the new one replaces. */
  replaces?: RunRow
  /** Returns the input of the new run in place of that of an imported run, which has none. */
  plan?: (
    trx: Kysely<Tables>,
  ) => Promise<Omit<StartRequest['input'], 'agent_type'> & { agent_type: AgentType }>
  beforeFirst?: (run: Begun) => void
}

/**
 * Starts a run that reads another journal up to a place and continues from there, with a new alternative message.
 * Earlier steps are neither changed, copied, repeated nor charged again.
 * @throws AppError `session_busy` while another run is active, `insufficient_balance`, `not_available`
 */
export async function startFork(engine: Engine, sessionId: string, options: Options): Promise<Begun> {
  const { deps } = engine
  if (engine.isDraining) throw new AppError('unavailable', 'The server is restarting. Try again in a moment.')
  const runId = randomUUID()
  const { run, events } = await commitBeginning(engine, runId, async (trx) => {
    const { user_id } = await lockSession(trx, sessionId)
    await assertBalance({ ...deps, db: trx }, user_id)
    await assertStorage({ ...deps, db: trx }, user_id)
    if (options.replaces) await endPaused(trx, engine, options.replaces)
    await assertIdle(trx, sessionId)
    await assertTurn(engine, trx, sessionId)
    await assertRoom(trx, deps.config, user_id, 'chat')
    return insertFork(trx, engine, runId, options)
  })
  const restart = () => run.publisher.restart(run.userMessage)
  begin(engine, { run, events }, () => {
    if (engine.works) restart()
    options.beforeFirst?.(run)
  })
  return run
}

async function insertFork(
  trx: Kysely<Tables>,
  engine: Engine,
  runId: string,
  { place, messageId, plan }: Options,
): Promise<{ run: LiveRun; events: RunEvent[] }> {
  const { clock, instance } = engine.deps
  const message_id = randomUUID()
  const inherited = await loadInherited(trx, place, runId)
  const frozen = inherited.records[0]
  if (!frozen) throw new AppError('broken', 'The journal of this run has no beginning.')
  const frozenInput = frozen.value as RunInput
  if (frozenInput.is_imported && !plan) throw new AppError('broken', 'An imported run was not planned again.')
  const planned = plan && {
    ...{ ...(await plan(trx)), is_imported: false, has_archive: true as const },
    started_at: clock.now().toISOString(),
  }
  const input: RunInput = { ...(planned ?? frozenInput), message_id, returned_to: place.name }
  const agent = engine.agents[input.agent_type]
  if (!agent) throw notAvailable(input.agent_type)
  const origin = await findRun(trx, place.runId)
  const version = versionAfter(agent, origin?.agent_version ?? agent.version)
  const epoch = await beginEpoch(trx, input.session_id, message_id)
  const holder = { runId, owner: instance.id, epoch }
  const run = createLiveRun(engine, {
    ...{ holder, attempt: 1, version, input },
    userMessage: await loadMessage(trx, input.user_message_id),
    view: foldInherited(holder, input, inherited.records),
  })
  const events = [startedEvent(input, clock.now()), navigation(place, messageId)].map((body) =>
    stamp(run, null, body),
  )
  const { id: checkpoint_id, name: checkpoint_name } = place
  const metadata = { checkpoint: { id: checkpoint_id, checkpoint_name, message_id: messageId } }
  const isWhole = planned !== undefined
  await insertRun(trx, holder, input, {
    isHeld: engine.works,
    version,
    events,
    fork: place,
    isWhole,
    metadata,
  })
  await announceAgain(trx, runId, inherited.calls)
  for (const record of inherited.records) remember(run, record)
  run.nextPosition = place.position + 1
  return { run, events }
}

/** Returns the initial view of a fork: the view of its origin at that place, with the fork's ids. */
function foldInherited(holder: Holder, input: RunInput, [, ...records]: JournalRecord[]) {
  const begun = emptyView(holder, input)
  const view =
    foldEvents(
      begun,
      records.flatMap(({ events }) => events),
    ) ?? begun
  return { ...view, status: 'streaming' as const }
}

function navigation({ name }: Place, messageId: string): RunEventBody {
  return { event: 'checkpoint_navigation', checkpoint_name: name, message_id: messageId }
}

/** Ends a paused run with its partial text, because another run replaces it. */
async function endPaused(trx: Kysely<Tables>, engine: Engine, paused: RunRow): Promise<void> {
  const { clock, instance } = engine.deps
  const now = clock.now()
  const rested = await loadRested(trx, paused.session_id)
  const isOurs = await holdPaused(trx, paused, instance.id)
  // It was resumed or replaced in the meantime.
  if (!isOurs || rested?.row.id !== paused.id) return
  const { id: runId, epoch, attempt, message_id } = paused
  const holder = { runId, owner: instance.id, epoch }
  const origin = { run_id: runId, step_key: null, attempt }
  const event = {
    ...{ event: 'agent_processing_complete', ...origin, message_id, stopped: true },
    timestamp: now.toISOString(),
  } satisfies RunEvent
  const view = foldEvents(rested.view, [event]) ?? rested.view
  const position = await findNextPosition(trx, runId)
  const record = { position, attempt, kind: 'end', key: 'end', value: 'stopped', events: [event] } as const
  await appendRecord(trx, holder, { ...record, events: [event] })
  await settleRun(trx, holder, { state: 'stopped', view, error: null, pendingInput: null, held: 0 }, now)
  await endToolExecutions(trx, runId, now)
}
