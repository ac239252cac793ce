import { AppError } from '#shared/platform/errors.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { applyEvent, foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Database } from '../../platform/db/db.ts'
import { firstId, readEvents } from '../events/events.ts'
import { claimRun } from './attempts-store.ts'
import { isPassing, type LiveRun, remember } from './context/live-run.ts'
import type { RunInput } from './context/run-context.ts'
import type { Engine } from './engine.ts'
import type { Holder, JournalRecord } from './journal/journal-record.ts'
import { loadRecords } from './journal/journal-store.ts'
import { takeAnswers } from './rest/answers.ts'
import { recordResume } from './rest/store.ts'
import { createLiveRun, emptyView } from './start.ts'
import { bareInput, findNextPosition, loadMessage, type RunRow } from './store.ts'
import { judge } from './watch/losses.ts'

/** A newly claimed run and the events it must send first. */
type Taken = { run: LiveRun; events: RunEvent[] }

/**
 * Claims a run and rebuilds it from its journal. The view is the fold of committed events, so uncommitted events of the
 * lost attempt are void. Open streams start over; the lost text stays readable until the run continues. Returns null when
 * another process was faster.
 * @throws AppError `broken` when its journal is unreadable; after several attempts the run ends without it
 */
export async function claimAndLoad(engine: Engine, row: RunRow): Promise<Taken | null> {
  const { db, instance, clock } = engine.deps
  const claimed = await claimRun(db, row, {
    owner: instance.id,
    isLoss: row.owner !== null && !engine.letGo.has(row.id),
    also: async (trx, run) => {
      await recordResume(trx, row, run, clock.now())
      // Reservations of the lost attempt are made again by this one.
      await engine.reservations.releaseRun(trx, run.id)
    },
  })
  if (!claimed) return null
  engine.letGo.delete(row.id)
  if (judge(claimed) === 'ends_unread') return { run: await loadBare(engine, claimed), events: [] }
  return loadFromJournal(engine, row, claimed).catch((error) => {
    if (isPassing(error)) engine.letGo.add(row.id)
    throw error
  })
}

/** Copies the row's data to the newly claimed run. */
async function readRow(db: Database, run: LiveRun, claimed: RunRow): Promise<void> {
  run.nextPosition = await findNextPosition(db, claimed.id)
  run.pauseRequested = claimed.pause_requested
  if (claimed.stop_requested) run.ending = 'stop'
}

const holderOf = ({ id, owner, epoch }: RunRow): Holder => ({ runId: id, owner: owner ?? '', epoch })

async function loadFromJournal(engine: Engine, row: RunRow, claimed: RunRow): Promise<Taken> {
  const { db } = engine.deps
  const holder = holderOf(claimed)
  const records = await loadRecords(db, claimed.id)
  const input = records[0]?.value as RunInput | undefined
  if (!input) throw new AppError('broken', 'The journal of this run has no beginning.')
  const [beginning, ...others] = records
  const isFirst = row.attempt === 0
  const said = (isFirst ? others : records).flatMap((record) => record.events)
  const view = foldEvents(emptyView(holder, input), said) ?? emptyView(holder, input)
  const lost = isFirst ? nothingLost : await findLost(engine, row, records)
  const run = createLiveRun(engine, {
    ...{ holder, attempt: claimed.attempt, version: claimed.agent_version, input, losses: claimed },
    userMessage: input.standalone ? null : await loadMessage(db, input.user_message_id),
    view: { ...view, status: 'streaming' },
    lostTexts: lost.texts,
  })
  for (const record of records) remember(run, record)
  await readRow(db, run, claimed)
  // A new run has no readers yet, but a fork starts with a snapshot.
  if (!isFirst || others.length > 0) run.publisher.restart(run.userMessage, lost.view)
  const resumed = records.find(({ kind, epoch }) => kind === 'resume' && epoch === claimed.epoch)
  for (const event of resumed?.events ?? []) run.publisher.emit(event)
  await takeAnswers(engine, run)
  return { run, events: isFirst ? (beginning?.events ?? []) : [] }
}

/** Loads a run from its row and message only, because reading its journal may crash the process. Such a run is only ended. */
async function loadBare(engine: Engine, claimed: RunRow): Promise<LiveRun> {
  const { db } = engine.deps
  const holder = holderOf(claimed)
  const input = await bareInput(db, claimed)
  const reply = claimed.message_id ? await loadMessage(db, claimed.message_id) : null
  const said = reply && { content: reply.content, blocks: reply.blocks }
  const run = createLiveRun(engine, {
    ...{ holder, attempt: claimed.attempt, version: claimed.agent_version, input, losses: claimed },
    userMessage: claimed.user_message_id ? await loadMessage(db, claimed.user_message_id) : null,
    view: { ...emptyView(holder, input), ...said },
  })
  await readRow(db, run, claimed)
  run.publisher.restart(run.userMessage)
  return run
}

/** Texts that the last attempt sent for unfinished steps, paid for but not recorded, and the view with them. */
type Lost = { texts: ReadonlyMap<string, string>; view: RunView | null }
const nothingLost: Lost = { texts: new Map(), view: null }

async function findLost({ deps }: Engine, lost: RunRow, records: JournalRecord[]): Promise<Lost> {
  const texts = new Map<string, string>()
  let view: RunView | null = null
  const committed = new Set(records.map(({ kind, key }) => `${kind}:${key}`))
  for await (const page of readEvents(deps.db, { runId: lost.id, after: firstId(lost.epoch) })) {
    for (const { event } of page) {
      view = applyEvent(view, event)
      if (event.step_key === null || event.attempt !== lost.attempt) continue
      if (committed.has(`step:${event.step_key}`)) continue
      const text = textOf(event)
      if (text) texts.set(event.step_key, (texts.get(event.step_key) ?? '') + text)
    }
  }
  if (view === null || (texts.size === 0 && !view.is_interrupted)) return { texts, view: null }
  return { texts, view: { ...view, status: 'streaming' } }
}

function textOf(event: RunEvent): string | undefined {
  if (event.event === 'response_chunk' || event.event === 'agent_thinking') return event.content
  return event.event === 'agent_step_progress' ? event.added : undefined
}
