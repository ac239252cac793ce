import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { NamedDocuments } from '#shared/rag/named-documents.ts'
import { may, type Principal } from '../access/access.ts'
import type { Tables } from '../db/tables.ts'
import { type Filter, nothing } from '../vectors/vectors.ts'

type Db = Kysely<Tables>

/** Of what a person may see, which documents are searched; without any of these all of them. */
export type Scope = {
  document_ids?: readonly string[]
  workspace_ids?: readonly string[]
  /** Its documents, and those of the workspaces linked to it. */
  session_id?: string
  /** Documents that count as the session's, such as those of its assistant. */
  beside?: readonly string[]
  /** Workspaces whose documents count as the session's alike. */
  beside_workspaces?: readonly string[]
  /** Part of a name. */
  title?: readonly string[]
  /** Extensions. */
  type?: readonly string[]
  /** Names of workspaces. */
  workspace?: readonly string[]
}

/** Readings that are named one by one at most; of more the owner is named, and what is too much is sorted out afterwards. */
const NAMED_MAX = 2_000

/** Which documents, as `d`, a principal may see within a scope. */
export function inScope(principal: Principal, scope: Scope): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [may(principal, 'read document', 'd')]
  const { document_ids, workspace_ids, session_id, beside = [], title, type, workspace } = scope
  const { beside_workspaces = [] } = scope
  if (document_ids) conditions.push(sql`d.id = any(${[...document_ids]}::uuid[])`)
  if (workspace_ids)
    conditions.push(
      sql`d.id in (select document_id from workspace_documents where workspace_id = any(${[...workspace_ids]}::uuid[]))`,
    )
  if (session_id)
    conditions.push(sql`(d.id in (${ofSession(session_id)}) or d.id = any(${[...beside]}::uuid[])
      or d.id in (select document_id from workspace_documents where workspace_id = any(${[...beside_workspaces]}::uuid[])))`)
  for (const part of title ?? []) conditions.push(sql`d.name ilike ${like(part)}`)
  if (type?.length)
    conditions.push(
      sql`coalesce(d.format, d.extension) = any(${type.map((one) => one.toLowerCase())}::text[])`,
    )
  for (const name of workspace ?? [])
    conditions.push(sql`d.id in (select wd.document_id from workspace_documents wd join workspaces w on w.id = wd.workspace_id
      where w.name ilike ${like(name)} and ${may(principal, 'read workspace', 'w')})`)
  return sql.join(conditions, sql` and `)
}

function ofSession(id: string): RawBuilder<unknown> {
  return sql`select document_id from session_documents where session_id = ${id}
    union select wd.document_id from workspace_documents wd
      join session_workspaces sw on sw.workspace_id = wd.workspace_id where sw.session_id = ${id}`
}

const like = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

export type Searched = {
  /** For the vector store; it is made while something else may begin. */
  filter: Promise<Filter>
  /** Documents that can be found: those that were read, and large ones by their words while they are embedded. */
  documents: number
}

/** Whether a document waits for its vectors alone: its passages as they are read now are in the searched table. */
const isFoundByWords = sql`exists (select from indexed_readings i join collections c on c.id = i.collection_id
  join readings r on r.id = i.reading_id and r.attempt = i.attempt
  where i.reading_id = d.reading_id and i.chunks >= 0 and c.role = 'live'
    and r.status = 'in_progress' and r.phase = 'EMBEDDING')`

/** What the vector store is to look at. */
export async function readScope(db: Db, principal: Principal, scope: Scope): Promise<Searched> {
  const { rows } = await sql<{ reading_id: string; user_id: string; documents: number }>`
    select d.reading_id, d.user_id, count(*) over ()::int as documents from documents d
    where ${inScope(principal, scope)} and (d.status = 'completed' or d.status = 'in_progress' and ${isFoundByWords})
    limit ${NAMED_MAX + 1}`.execute(db)
  const documents = rows[0]?.documents ?? 0
  const filter =
    documents === 0
      ? Promise.resolve(nothing)
      : documents <= NAMED_MAX
        ? filterOf(db, rows)
        : filterOfOwners(db, principal, scope)
  filter.catch(() => undefined)
  return { filter, documents }
}

/** Everything of whoever has a document in the scope. */
async function filterOfOwners(db: Db, principal: Principal, scope: Scope): Promise<Filter> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct d.user_id from documents d where ${inScope(principal, scope)} limit ${NAMED_MAX}`.execute(
    db,
  )
  return { column: 'user_id', in: rows.map(({ user_id }) => user_id) }
}

/** So many readings of an owner are left out by their ids at most, beside naming the owner. */
const LEFT_OUT_MAX = 50

/**
 * These readings. The store takes twice as long for a few hundred ids as for one owner: whose library is searched nearly whole is named, without
 * the rest of theirs.
 */
async function filterOf(db: Db, rows: readonly { reading_id: string; user_id: string }[]): Promise<Filter> {
  const byOwner = Map.groupBy(rows, ({ user_id }) => user_id)
  const wanted = [...new Set(rows.map(({ reading_id }) => reading_id))]
  const large = [...byOwner].filter(([, own]) => own.length > LEFT_OUT_MAX).map(([owner]) => owner)
  const leftOut = Map.groupBy(await readLeftOut(db, large, wanted), ({ user_id }) => user_id)
  const whole = large.filter((owner) => (leftOut.get(owner)?.length ?? 0) <= LEFT_OUT_MAX)
  const named = rows.filter(({ user_id }) => !whole.includes(user_id)).map(({ reading_id }) => reading_id)
  const owners = whole.map((owner): Filter => {
    const others = leftOut.get(owner)?.map(({ id }) => id) ?? []
    const isTheirs: Filter = { column: 'user_id', equals: owner }
    if (others.length === 0) return isTheirs
    return { and: [isTheirs, { not: { column: 'reading_id', in: others } }] }
  })
  return { or: [...owners, ...(named.length > 0 ? [{ column: 'reading_id', in: [...new Set(named)] }] : [])] }
}

/**
 * Of each of these owners the readings that are not wanted, one more than are left out by their ids. Without `offset 0` the database reads those of
 * everybody, in the order of their ids, until it has so many.
 */
async function readLeftOut(db: Db, owners: readonly string[], wanted: readonly string[]) {
  if (owners.length === 0) return []
  const { rows } = await sql<{ user_id: string; id: string }>`
    select o.id as user_id, r.id from unnest(${[...owners]}::uuid[]) as o (id), lateral (
      select r.id from (select id from readings where user_id = o.id offset 0) r where r.id <> all(${[...wanted]}::uuid[])
      order by r.id limit ${LEFT_OUT_MAX + 1}) r
    order by o.id, r.id limit ${owners.length * (LEFT_OUT_MAX + 1)}`.execute(db)
  return rows
}

/** Documents of a scope by what became of them: those that can be found, those still being read, and those that could not be read. */
export type Named = NamedDocuments & { reading: NamedDocuments; failed: NamedDocuments }

/** How many documents there are in a scope, and the names of the first `most` of each kind. */
export async function nameScope(db: Db, principal: Principal, scope: Scope, most: number): Promise<Named> {
  const { rows } = await sql<{ state: 'read' | 'reading' | 'failed'; name: string; documents: number }>`
    select state, name, documents from (
      select s.state, d.name, d.id, count(*) over (partition by s.state)::int as documents,
        row_number() over (partition by s.state order by lower(d.name), d.id) as place
      from documents d, lateral (select case d.status when 'completed' then 'read' when 'failed' then 'failed' else 'reading' end as state) s
      where ${inScope(principal, scope)}) as named
    where place <= ${most} order by state, place limit ${3 * most}`.execute(db)
  const named = (wanted: string): NamedDocuments => {
    const own = rows.filter(({ state }) => state === wanted)
    return { documents: own[0]?.documents ?? 0, names: own.map(({ name }) => name) }
  }
  return { ...named('read'), reading: named('reading'), failed: named('failed') }
}
