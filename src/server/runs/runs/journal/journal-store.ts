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

/** The part of another journal that a run reads: up to a position. */
export type Fork = { runId: string; position: number }

type Row = { level: number; run_id: string; position: number; kind: RecordKind; key: string; epoch: number }

/**
 * Selects a run and its fork origins as the table `chain`, each with its last visible position (`up_to`, null for
 * all). The run itself has level 0.
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

/** Returns the records that a new run `runId` inherits when forked there. */
export async function loadInherited(
  db: Kysely<Tables>,
  { runId: parentId, position }: Fork,
  runId: string,
): Promise<Inherited> {
  return inheritRecords(await loadRecords(db, parentId, position), runId)
}

/**
 * Returns the journal of a run in order, optionally up to a position. The journal of a fork starts with its own
 * record 0, followed by the inherited records of its origins.
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
 * Appends one record if `holder` still owns the run. `also` writes in the same transaction.
 * @throws LostRunError when it does not; nothing was written then
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

/** Inserts with one statement: the lock on the run's row is the fence. */
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
