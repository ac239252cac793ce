import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { takeStorage } from '../../../money/storage/storage.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ForeignJournal } from '../readers/foreign.ts'
import { deriveId } from './derived-id.ts'
import {
  addStoredBytes,
  canContinue,
  findCalls,
  insertLabels,
  insertRecords,
  isReplyWithoutJournal,
  keepPositions,
  type NewRecord,
  setOrigin,
} from './journal-store.ts'
import { insertRuns, type NewRun } from './made-store.ts'
import { findThing, insertThings } from './thing-store.ts'
import { holdImport, type Work } from './work.ts'
import { ID, renamer, runOf } from './write-made.ts'

/** Records inserted per statement. */
const RECORDS_PER_INSERT = 100

/**
 * Stores the journal of an imported reply, so that a person can return to its positions. Its first record names nothing of the archive: a
 * run that continues from a position gets the model, tools and rights of that time. Positions without a journal are removed from the chat.
 * @throws AppError `quota_exceeded`; Stopped
 */
export async function writeJournal(work: Work, journal: ForeignJournal): Promise<void> {
  const { deps, origin, importId } = work
  const foreign = `${journal.chat}/${journal.message}`
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    if ((await findThing(trx, origin, 'journal', journal.run)) !== null) return
    const message_id = await findThing(trx, origin, 'message', foreign)
    const session_id = await findThing(trx, origin, 'chat', journal.chat)
    if (message_id === null || session_id === null) return
    if (!(await isReplyWithoutJournal(trx, message_id))) return
    const { agent, model } = journal
    const run = runOf(work, { foreign, message_id, session_id, agent, model })
    const fork = await findFork(work, trx, journal, session_id)
    const isUsable = canReplay(work, journal) && fork !== 'missing'
    const records = isUsable ? await rowsOf(work, trx, journal, run) : []
    const keys = records.filter(({ kind }) => kind === 'checkpoint').map(({ key }) => key)
    await keepPositions(trx, session_id, { runId: run.id, keys })
    if (fork === 'missing' || records.length === 0) return
    const place = { ...origin, import_id: importId, session_id }
    if (await insertRuns(trx, run))
      await insertThings(trx, { ...place, kind: 'run' }, [{ foreign_id: foreign, thing_id: run.id }])
    await setOrigin(trx, run.id, { agent_type: agent, agent_version: journal.version, fork })
    const bytes = records.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)
    await takeStorage({ ...deps, db: trx }, origin.user_id, bytes)
    await addStoredBytes(trx, session_id, bytes)
    for (let at = 0; at < records.length; at += RECORDS_PER_INSERT)
      await insertRecords(trx, run, records.slice(at, at + RECORDS_PER_INSERT))
    const named = new Set(keys)
    await insertLabels(trx, run.id, journal.labels.filter(({ key }) => named.has(key)).slice(0, keys.length))
    await insertThings(trx, { ...place, kind: 'journal' }, [{ foreign_id: journal.run, thing_id: run.id }])
  })
}

/** Returns whether this installation can replay a journal of this agent and version. */
function canReplay({ deps }: Work, { agent, version }: ForeignJournal): boolean {
  const found = deps.engine.agents[agent]
  return found !== undefined && (found.version === version || found.earlier?.[version] !== undefined)
}

/**
 * Returns the place that a journal continues, if it is an imported position of the same chat, or `missing`. Returns null when the journal
 * continues none.
 */
async function findFork(
  { origin }: Work,
  trx: Transaction<Tables>,
  { fork, records }: ForeignJournal,
  sessionId: string,
) {
  if (fork === null) return null
  const runId = await findThing(trx, origin, 'journal', fork.from)
  const { position } = fork
  // Records before the place would cut the results of its calls off.
  if (runId === null || records.some((record) => record.position <= position)) return 'missing'
  return (await canContinue(trx, sessionId, { runId, position })) ? { runId, position } : 'missing'
}

/** Returns the rows of a journal with the ids of this installation. */
async function rowsOf(
  work: Work,
  trx: Transaction<Tables>,
  journal: ForeignJournal,
  run: NewRun,
): Promise<NewRecord[]> {
  const { origin, deps } = work
  const now = deps.clock.now()
  const texts = journal.records.map(({ value, events }) => toJson({ value, events }))
  const named = [...new Set(texts.flatMap((text) => text.match(ID) ?? []))]
  const derived = await deriveCalls(origin, named)
  const calls = await findCalls(trx, run.session_id, [...derived.keys()])
  const rename = renamer(
    work,
    new Set(calls.map((id) => derived.get(id) as string)),
    new Map([
      [journal.run, run.id],
      [journal.chat, run.session_id],
      [journal.message, run.message_id],
    ]),
  )
  // A step under the id of something else would lose its result.
  if (journal.records.some(({ key }) => rename(key) !== key)) return []
  return journal.records.map(({ position, key, kind, at }, index) => ({
    ...{ position, key, kind, value: rename(texts[index] as string) },
    at: at && at < now ? at : now,
  }))
}

/** Ids hashed in one turn of the event loop; a journal may name hundreds of thousands. */
const IDS_PER_TURN = 2_000

/** Returns the ids of calls of an archive, by their ids here. */
async function deriveCalls(origin: Work['origin'], ids: readonly string[]): Promise<Map<string, string>> {
  const derived = new Map<string, string>()
  for (const [at, id] of ids.entries()) {
    if (at % IDS_PER_TURN === IDS_PER_TURN - 1) await nextTurn()
    derived.set(deriveId(origin, 'call', id), id)
  }
  return derived
}
