import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Principal } from '../principal.ts'
import { may, tables } from '../rules.ts'

type Db = Kysely<Tables>

/** A thing with a class of data. */
export type Source = {
  kind: 'document' | 'project' | 'connector' | 'database'
  id: string
  /** The class of a thing that is gone. */
  gone?: string | null
}

/** The strictest thing that a receiver may not receive. `name` is null when it is gone, and empty when the reader may not see it. */
export type Refusal = Pick<Source, 'kind'> & { name: string | null; class: string }

type Sent = {
  runId?: string
  leafId?: string
  readingIds?: readonly string[]
  sources: readonly Source[]
  /** The reader of the refusal. */
  reader: Principal | null
}

export async function insertSources(
  db: Db,
  runId: string,
  position: number,
  sources: readonly Source[],
): Promise<void> {
  await sql`
    insert into run_sources (run_id, kind, source_id, position, class_id)
    select ${runId}::uuid, kind, source_id, ${position}, class_id from ${given(sources)}
    order by kind, source_id on conflict do nothing`.execute(db)
}

/** Gives a run the sources of one of its sub-runs, whose result it reads. */
export async function absorbSources(
  trx: Db,
  { from, to, position }: { from: string; to: string; position: number },
): Promise<void> {
  await sql`
    insert into run_sources (run_id, kind, source_id, position, class_id)
    select ${to}::uuid, kind, source_id, ${position}, class_id from run_sources where run_id = ${from}
    order by kind, source_id on conflict do nothing`.execute(trx)
}

/** Gives a chat of copied messages the sources of the chat they come from, up to a message. */
export async function copyPathSources(
  trx: Db,
  { leafId, sessionId }: { leafId: string; sessionId: string },
): Promise<void> {
  await sql`
    insert into session_sources (session_id, kind, source_id, class_id)
    select distinct on (kind, source_id) ${sessionId}::uuid, kind, source_id, class_id from sources_of_path(${leafId}::uuid)
    order by kind, source_id, class_id on conflict do nothing`.execute(trx)
}

/** Gives a copied chat the sources of copied replies that have no run of their own. */
export async function copyOtherSources(
  trx: Db,
  { from, to, messageIds }: { from: string; to: string; messageIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into session_sources (session_id, kind, source_id, class_id)
    select distinct on (kind, source_id) ${to}::uuid, kind, source_id, class_id from (
      select kind, source_id, class_id from sources_of_alternatives(${[...messageIds]}::uuid[])
      union all select kind, source_id, class_id from session_sources where session_id = ${from}) s
    order by kind, source_id, class_id on conflict do nothing`.execute(trx)
}

/** Returns the sources of everything in a chat. */
export async function findChatSources(db: Db, sessionId: string): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select distinct on (kind, source_id) kind, source_id as id, class_id as gone from sources_of_chat(${sessionId}::uuid)
    order by kind, source_id, class_id limit 10000`.execute(db)
  return rows
}

/** Gives the copy of a document the class that counts for the original. */
export async function copyClass(trx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`
    update documents set class_id = coalesce((select c.id from classes_of_document(${from}::uuid) as own (id)
      join data_classes c on c.id = own.id order by c.position desc, c.id limit 1), class_id) where id = ${to}`.execute(
    trx,
  )
}

/** Gives a document the strictest class of what a run was made from, unless its own is stricter. */
export async function takeClassOfRun(trx: Db, documentId: string, runId: string): Promise<void> {
  await sql`
    update documents d set class_id = stricter_class(d.class_id, (
      select c.id from sources_of_run(${runId}::uuid) s
        cross join lateral classes_of_source(s.kind, s.source_id, s.class_id) as own (id)
        join data_classes c on c.id = own.id join company_members m on m.company_id = c.company_id and m.user_id = d.user_id
      order by c.company_id = (select company_id from data_classes where id = d.class_id) desc nulls last, c.position desc, c.id
      limit 1)) where d.id = ${documentId}`.execute(trx)
}

/** Names the sub-run that wrote a message. */
export async function insertReplyRun(trx: Db, messageId: string, runId: string): Promise<void> {
  await sql`insert into reply_runs (message_id, run_id) values (${messageId}, ${runId}) on conflict do nothing`.execute(
    trx,
  )
}

/** Gives copied runs all sources of the runs they copy, sub-runs included. */
export async function copySources(trx: Db, runs: readonly { from: string; to: string }[]): Promise<void> {
  for (const { from, to } of runs)
    await sql`
      insert into run_sources (run_id, kind, source_id, class_id)
      select distinct on (kind, source_id) ${to}::uuid, kind, source_id, class_id from sources_of_runs(array[${from}::uuid])
      order by kind, source_id, class_id on conflict do nothing`.execute(trx)
}

/** Returns whether a company restricts the receiver. */
export async function isRestricted(db: Db, receiver: string): Promise<boolean> {
  const { rows } = await sql`select from class_receivers where receiver = ${receiver} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the strictest thing that the receiver may not receive, or null. */
export async function findRefusal(db: Db, receiver: string, sent: Sent): Promise<Refusal | null> {
  const { rows } = await sql<Refusal>`
    select s.kind, ${nameFor(sent.reader)} as name, c.name as class
    ${classesOf(sent)} join class_receivers r on r.company_id = c.company_id and r.receiver = ${receiver}
    where ${isRefused} order by c.position desc, s.kind, s.source_id limit 1`.execute(db)
  return rows[0] ?? null
}

type RefusedReceiver = Refusal & { receiver: string }

/** Returns each receiver that may not receive what is sent, with the strictest reason. */
export async function findRefusedReceivers(db: Db, sent: Sent, most: number): Promise<RefusedReceiver[]> {
  const { rows } = await sql<RefusedReceiver>`
    select distinct on (r.receiver) r.receiver, s.kind, ${nameFor(sent.reader)} as name, c.name as class
    ${classesOf(sent)} join class_receivers r on r.company_id = c.company_id
    where ${isRefused} order by r.receiver, c.position desc, s.kind, s.source_id limit ${most}`.execute(db)
  return rows
}

export async function findProjectOfChat(db: Db, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('workspace_id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.workspace_id ?? null
}

/** A copied or shared chat has text of things that its reader may not see. */
function nameFor(reader: Principal | null): RawBuilder<string | null> {
  const shown = (thing: 'document' | 'workspace' | 'connector') => sql`(
    select case when ${reader ? may(reader, `read ${thing}`, 't') : sql`false`} then t.name else '' end
    from ${sql.table(tables[thing])} t where t.id = s.source_id)`
  return sql`case s.kind when 'document' then ${shown('document')} when 'project' then ${shown('workspace')}
    when 'connector' then ${shown('connector')} else (select name from databases where id = s.source_id) end`
}

const isRefused = sql`not exists (select from class_receiver_classes a
  where a.company_id = r.company_id and a.receiver = r.receiver and a.class_id = c.id)`

/** Selects what is sent as `s`, with each present class as `c`. */
function classesOf({ runId, leafId, readingIds = [], sources }: Sent): RawBuilder<unknown> {
  return sql`from (
      select kind, source_id, class_id from ${given(sources)}
      ${runId === undefined ? sql`` : sql`union select kind, source_id, class_id from sources_of_run(${runId}::uuid)`}
      ${leafId === undefined ? sql`` : sql`union select kind, source_id, class_id from sources_of_path(${leafId}::uuid)`}
      ${
        readingIds.length === 0
          ? sql``
          : sql`union select 'document', document_id, null::uuid from document_versions
        where reading_id = any(${[...readingIds]}::uuid[])
      union select 'document', id, null::uuid from documents where reading_id = any(${[...readingIds]}::uuid[])`
      }
    ) s cross join lateral classes_of_source(s.kind, s.source_id, s.class_id) as own (id)
    join data_classes c on c.id = own.id`
}

function given(sources: readonly Source[]): RawBuilder<unknown> {
  const [kinds, ids] = [sources.map(({ kind }) => kind), sources.map(({ id }) => id)]
  const gone = sources.map((source) => source.gone ?? null)
  return sql`unnest(${kinds}::text[], ${ids}::uuid[], ${gone}::uuid[]) as given (kind, source_id, class_id)`
}
