import { AppError } from '#shared/errors.ts'
import type { RunEvent } from '#shared/runs/events.ts'
import { foldEvents } from '#shared/runs/reduce.ts'
import { takeAnswers } from './answers.ts'
import type { Engine } from './engine.ts'
import { firstId } from './frames.ts'
import { type JournalRecord, loadRecords } from './journal.ts'
import { type LiveRun, remember } from './live-run.ts'
import { recordResume } from './pause.ts'
import { loadMessage } from './reply.ts'
import type { RunInput } from './run-context.ts'
import { createLiveRun, emptyView } from './start.ts'
import { claimRun, findNextPosition, type RunRow } from './store.ts'
import { readEvents } from './stored-events.ts'

/**
 * Claims a run and rebuilds it from its journal: the view is the fold of the committed records' events, so
 * whatever the lost attempt had sent is void. Open streams start over. Null when somebody was faster.
 */
export async function claimAndLoad(engine: Engine, row: RunRow): Promise<LiveRun | null> {
  const { db, instance, clock } = engine.deps
  const claimed = await claimRun(db, row, instance.id, async (trx, run) => {
    await recordResume(trx, row, run, clock.now())
    // What the lost attempt had put aside is put aside again by this one.
    await engine.reservations.releaseRun(trx, run.id)
  })
  if (!claimed) return null
  const holder = { runId: claimed.id, owner: claimed.owner ?? instance.id, epoch: claimed.epoch }
  const records = await loadRecords(db, claimed.id)
  const input = records[0]?.value as RunInput | undefined
  if (!input) throw new AppError('broken', 'The journal of this run has no beginning.')
  const events = records.flatMap((record) => record.events)
  const view = foldEvents(emptyView(holder, input), events) ?? emptyView(holder, input)
  const run = createLiveRun(engine, {
    ...{ holder, attempt: claimed.attempt, version: claimed.agent_version, input },
    userMessage: input.standalone ? null : await loadMessage(db, input.user_message_id),
    view: { ...view, status: 'streaming' },
    lostTexts: await findLostTexts(engine, row, records),
  })
  for (const record of records) remember(run, record)
  run.nextPosition = await findNextPosition(db, claimed.id)
  run.pauseRequested = claimed.pause_requested
  if (claimed.stop_requested) run.ending = 'stop'
  run.publisher.restart(run.userMessage)
  const resumed = records.find(({ kind, epoch }) => kind === 'resume' && epoch === claimed.epoch)
  for (const event of resumed?.events ?? []) run.publisher.emit(event)
  await takeAnswers(engine, run)
  return run
}

/** What the last attempt had sent of steps it did not finish: it was paid for, and nobody has it. */
async function findLostTexts({ deps }: Engine, lost: RunRow, records: JournalRecord[]) {
  const texts = new Map<string, string>()
  const committed = new Set(records.map(({ kind, key }) => `${kind}:${key}`))
  for await (const page of readEvents(deps.db, { runId: lost.id, after: firstId(lost.epoch) })) {
    for (const { event } of page) {
      if (event.step_key === null || event.attempt !== lost.attempt) continue
      if (committed.has(`step:${event.step_key}`)) continue
      const text = textOf(event)
      if (text) texts.set(event.step_key, (texts.get(event.step_key) ?? '') + text)
    }
  }
  return texts
}

function textOf(event: RunEvent): string | undefined {
  if (event.event === 'response_chunk' || event.event === 'agent_thinking') return event.content
  return event.event === 'agent_step_progress' ? event.added : undefined
}

/** How often a run is taken up again without getting a step further. */
const FRUITLESS_ATTEMPTS = 5

/** Whether a run has been lost again and again at the same place: it may be what ends the process. */
export async function isHopeless(engine: Engine, run: LiveRun): Promise<boolean> {
  if (run.attempt <= FRUITLESS_ATTEMPTS) return false
  // Sub-runs get further on behalf of their parent.
  const last = await engine.deps.db
    .selectFrom('run_records')
    .innerJoin('runs', 'runs.id', 'run_records.run_id')
    .select((row) => row.fn.max('run_records.attempt').as('attempt'))
    .where((row) => row.or([row('runs.id', '=', run.id), row('runs.parent_run_id', '=', run.id)]))
    .executeTakeFirst()
  return run.attempt - (last?.attempt ?? 0) > FRUITLESS_ATTEMPTS
}
