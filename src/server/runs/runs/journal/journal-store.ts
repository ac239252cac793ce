import { type Kysely, sql } from 'kysely'
import { type Database, toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Inherited, inheritRecords, mergeInput } from '../inherit.ts'
import {
  type Holder,
  type JournalRecord,
  LostRunError,
  type RecordKind,
  type RecordValue,
} from './journal-record.ts'

/** What a run reads of another one: the records up to a position of that one's journal. */
export type Fork = { runId: string; position: number }

type Row = { level: number; run_id: string; position: number; kind: RecordKind; key: string; epoch: number }

/**
 * A run and those it was forked from, each with the last position that counts (`up_to`, null: all), as the
 * table `chain`; the run itself has level 0.
 */
export function withChain(runId: string, upTo: number | null = null) {
  return sql`
    with recursive chain as (
      select id, forked_from_run, forked_from_position, ${upTo}::int as up_to, 0 as level
      from runs where id = ${runId}
      union all
      select parent.id, parent.forked_from_run, parent.forked_from_position,
        least(chain.up_to, chain.forked_from_position), level + 1
      from chain join runs parent on parent.id = chain.forked_from_run
    )`
}

/** What a new run `runId` reads when it is forked there. */
export async function loadInherited(
  db: Kysely<Tables>,
  { runId: parentId, position }: Fork,
  runId: string,
): Promise<Inherited> {
  return inheritRecords(await loadRecords(db, parentId, position), runId)
}

/**
 * The journal of a run in order, up to a position or whole. That of a forked run begins with its own record 0,
 * then come the records it reads of the run it was forked from, and of the one that was forked from.
 */
export async function loadRecords(
  db: Kysely<Tables>,
  runId: string,
  upTo: number | null = null,
): Promise<JournalRecord[]> {
  const { rows } = await sql<Row & { value: RecordValue }>`
    ${withChain(runId, upTo)}
    select level, run_id, position, kind, key, epoch, value
    from chain join run_records on run_id = chain.id and (up_to is null or position <= up_to)
    order by level desc, position`.execute(db)
  let journal: JournalRecord[] = []
  for (const [at, { level, run_id, value, ...record }] of rows.entries()) {
    if (at > 0 && rows[at - 1]?.level !== level) journal = inheritRecords(journal, run_id).records
    const own = { ...record, ...value }
    if (own.kind === 'input') journal[0] = mergeInput(journal[0], own)
    else journal.push(own)
  }
  return journal
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
