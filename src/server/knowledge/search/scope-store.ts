import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { NamedDocuments } from '#shared/knowledge/documents/named-documents.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import { planEach } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Filter, nothing } from '../../platform/vectors/vectors.ts'

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

/** Whether all of these that are documents are within a scope; ids of anything else do not count. */
export async function areInScope(
  db: Db,
  principal: Principal,
  scope: Scope,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from documents d where d.id = any(${[...ids]}::uuid[]) and not (${inScope(principal, scope)})
    limit 1`.execute(db)
  return rows.length === 0
}

function ofSession(id: string): RawBuilder<unknown> {
  return sql`select document_id from session_documents where session_id = ${id}
    union select wd.document_id from workspace_documents wd
      join session_workspaces sw on sw.workspace_id = wd.workspace_id where sw.session_id = ${id}`
}

/** Whether everything a person may see is searched: then a statement is written in the same few ways. */
export const isWhole = (scope: Scope): boolean => Object.keys(scope).length === 0

const like = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

export type Searched = {
  /** For the vector store. */
  filter: Filter
  /** Documents that can be found: those that were read, and large ones by their words while they are embedded. */
  documents: number
}

/** Whether a document waits for its vectors alone: its passages as they are read now are in the searched table. */
const isFoundByWords = sql`exists (select from indexed_readings i join collections c on c.id = i.collection_id
  join readings r on r.id = i.reading_id and r.attempt = i.attempt
  where i.reading_id = d.reading_id and i.chunks >= 0 and c.role = 'live'
    and r.status = 'in_progress' and r.phase = 'EMBEDDING')`

/** So many readings of an owner are left out by their ids at most, beside naming the owner. */
const LEFT_OUT_MAX = 50

/** In the statement itself: the plan for any numbers is worth less to the database than one for these, and it would plan each time. */
const [namedMax, leftOutMax] = [sql.lit(NAMED_MAX), sql.lit(LEFT_OUT_MAX)]

/** What is searched of an owner: `named` readings, or without these everything but `left_out`. */
type Owned = { user_id: string; documents: number; named: string[] | null; left_out: string[] | null }

/**
 * What the vector store is to look at. The store takes twice as long for a few hundred ids as for one owner: whose library is searched nearly
 * whole is named, without the rest of theirs. One statement, because every search waits for it.
 */
export async function readScope(db: Db, principal: Principal, scope: Scope): Promise<Searched> {
  const query = sql<Owned>`
    with found as materialized (
      select d.reading_id, d.user_id, count(*) over ()::int as documents from documents d
      where ${inScope(principal, scope)} and (d.status = 'completed' or d.status = 'in_progress' and ${isFoundByWords})),
    owners as (
      select user_id, documents, documents <= ${namedMax} as is_named, count(*) > ${leftOutMax} as is_large,
        array_agg(distinct reading_id) filter (where documents <= ${namedMax}) as readings
      from found group by user_id, documents),
    nearly as (
      select *, case when is_named and is_large then array(
        select id from readings where user_id = owners.user_id except select reading_id from found
        order by id limit ${leftOutMax} + 1) end as others
      from owners offset 0)
    select user_id, documents,
      case when is_named and (others is null or cardinality(others) > ${leftOutMax}) then readings end as named,
      case when cardinality(others) between 1 and ${leftOutMax} then others end as left_out
    from nearly order by user_id limit ${namedMax}`.compile(db)
  const { rows } = await db.executeQuery(isWhole(scope) ? planEach('scope', query) : query)
  const documents = rows[0]?.documents ?? 0
  return { filter: documents === 0 ? nothing : filterOf(rows), documents }
}

function filterOf(owned: readonly Owned[]): Filter {
  const named = owned.flatMap(({ named }) => named ?? [])
  const whole = owned.filter(({ named }) => named === null)
  const plain = whole.filter(({ left_out }) => left_out === null).map(({ user_id }) => user_id)
  const but = whole.flatMap(({ user_id, left_out }): Filter[] => {
    if (left_out === null) return []
    return [
      { and: [{ column: 'user_id', equals: user_id }, { not: { column: 'reading_id', in: left_out } }] },
    ]
  })
  return {
    or: [
      ...(plain.length > 0 ? [{ column: 'user_id', in: plain }] : []),
      ...but,
      ...(named.length > 0 ? [{ column: 'reading_id', in: [...new Set(named)] }] : []),
    ],
  }
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
