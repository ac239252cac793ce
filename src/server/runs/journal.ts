import { type Kysely, sql } from 'kysely'
import type { RunEvent } from '#shared/runs/events.ts'
import { type Database, toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'

export type RecordKind = Tables['run_records']['kind']
/** What a record keeps: the result, and the events that belong to it. */
export type RecordValue = { value: unknown; events: RunEvent[] }
export type JournalRecord = { position: number; kind: RecordKind; key: string; epoch: number } & RecordValue

/** Who writes: a process, for one run, in one epoch. */
export type Holder = { runId: string; owner: string; epoch: number }

/** The run is another process's, or gone. Whoever catches this writes nothing more. */
export class LostRunError extends Error {
  constructor(runId: string) {
    super(`Run ${runId} is no longer held by this process.`)
    this.name = 'LostRunError'
  }
}

/** The whole journal of a run, in order. */
export async function loadRecords(db: Kysely<Tables>, runId: string): Promise<JournalRecord[]> {
  const rows = await db
    .selectFrom('run_records')
    .select(['position', 'kind', 'key', 'epoch', 'value'])
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  return rows.map(({ value, ...record }) => ({ ...record, ...(value as RecordValue) }))
}

export type NewRecord = { position: number; kind: RecordKind; key: string; attempt: number } & RecordValue

/**
 * Appends one record if `holder` still holds the run; `also` writes what must be true together with it.
 * @throws LostRunError when it does not, and then nothing was written.
 */
export async function appendRecord(
  db: Database,
  holder: Holder,
  record: NewRecord,
  also: ((trx: Kysely<Tables>) => Promise<void>)[] = [],
): Promise<void> {
  if (also.length === 0) return insertFenced(db, holder, record)
  await db.transaction().execute(async (trx) => {
    await insertFenced(trx, holder, record)
    for (const write of also) await write(trx)
  })
}

/** One statement: the lock on the run's row is the fence. */
async function insertFenced(db: Kysely<Tables>, holder: Holder, record: NewRecord): Promise<void> {
  const { runId, owner, epoch } = holder
  const { position, kind, key, attempt, value, events } = record
  const { numAffectedRows } = await sql`
    with held as (select id from runs where id = ${runId} and owner = ${owner} and epoch = ${epoch} for update)
    insert into run_records (run_id, position, kind, key, value, attempt, epoch)
    select id, ${position}::int, ${kind}, ${key}, ${toJson({ value, events })}::json, ${attempt}::int, ${epoch}::bigint
    from held`.execute(db)
  if (numAffectedRows !== 1n) throw new LostRunError(runId)
}
