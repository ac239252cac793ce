import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SourceFilter } from '#shared/knowledge/connectors/source-filter.ts'
import type { NamedDocuments } from '#shared/knowledge/documents/named-documents.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import { planEach } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Filter, nothing } from '../../platform/vectors/vectors.ts'
import { ofSource } from '../source-items/source-items.ts'

type Db = Kysely<Tables>

/** Restricts a search to some of the documents a person may read; empty for all of them. */
export type Scope = {
  document_ids?: readonly string[]
  workspace_ids?: readonly string[]
  /** The session's documents, and those of its linked workspaces and of its project. */
  session_id?: string
  /** Documents added to those of the session, such as its assistant's. */
  beside?: readonly string[]
  /** Workspaces whose documents are added to those of the session. */
  beside_workspaces?: readonly string[]
  /** Leaves out the documents of the session. */
  only_beside?: boolean
  /** Parts of a name. */
  title?: readonly string[]
  /** File extensions. */
  type?: readonly string[]
  /** Workspace names. */
  workspace?: readonly string[]
  /** Selects documents that connectors read, by facts of their source. */
  source?: SourceFilter
}

/** Maximum readings named individually. Beyond that the filter names the owner, and the database drops the excess. */
const NAMED_MAX = 2_000

/** Condition on documents `d`: the principal may read them and they are in the scope. */
export function inScope(principal: Principal, scope: Scope): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [may(principal, 'read document', 'd')]
  const { document_ids, workspace_ids, session_id, beside = [], title, type, workspace } = scope
  const { beside_workspaces = [], only_beside = false } = scope
  if (document_ids) conditions.push(sql`d.id = any(${[...document_ids]}::uuid[])`)
  if (workspace_ids)
    conditions.push(
      sql`d.id in (select document_id from workspace_documents where workspace_id = any(${[...workspace_ids]}::uuid[]))`,
    )
  if (session_id)
    conditions.push(sql`(${only_beside ? sql`false` : sql`d.id in (${ofSession(session_id)})`} or d.id = any(${[...beside]}::uuid[])
      or d.id in (select document_id from workspace_documents where workspace_id = any(${[...beside_workspaces]}::uuid[])))`)
  for (const part of title ?? []) conditions.push(sql`d.name ilike ${like(part)}`)
  if (type?.length)
    conditions.push(
      sql`coalesce(d.format, d.extension) = any(${type.map((one) => one.toLowerCase())}::text[])`,
    )
  for (const name of workspace ?? [])
    conditions.push(sql`d.id in (select wd.document_id from workspace_documents wd join workspaces w on w.id = wd.workspace_id
      where w.name ilike ${like(name)} and ${may(principal, 'read workspace', 'w')})`)
  const source = ofSource(scope.source ?? {})
  if (source) conditions.push(source)
  return sql.join(conditions, sql` and `)
}

/** Tells whether all documents among `ids` are in a scope; ids of other things are ignored. */
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
      join session_workspaces sw on sw.workspace_id = wd.workspace_id where sw.session_id = ${id}
    union select wd.document_id from workspace_documents wd
      join sessions s on s.workspace_id = wd.workspace_id where s.id = ${id}`
}

/** Tells whether the scope is everything a person may read. Such statements have few forms and can be prepared. */
export const isWhole = (scope: Scope): boolean => Object.keys(scope).length === 0

const like = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

export type Searched = {
  /** Filter for the vector store. */
  filter: Filter
  /** Number of searchable documents: completed ones, and large ones that are found by keywords while they are embedded. */
  documents: number
}

/** Condition: the document only lacks vectors, and its current attempt is indexed in the live collection. */
const isFoundByWords = sql`exists (select from indexed_readings i join collections c on c.id = i.collection_id
  join readings r on r.id = i.reading_id and r.attempt = i.attempt
  where i.reading_id = d.reading_id and i.chunks >= 0 and c.role = 'live'
    and r.status = 'in_progress' and r.phase = 'EMBEDDING')`

/** Maximum readings of an owner that the filter excludes individually. */
const LEFT_OUT_MAX = 50

/** Literals instead of parameters: a generic plan costs more, so PostgreSQL would plan every execution. */
const [namedMax, leftOutMax] = [sql.lit(NAMED_MAX), sql.lit(LEFT_OUT_MAX)]

/** The searched part of an owner's library: the `named` readings, otherwise everything except `left_out`. */
type Owned = { user_id: string; documents: number; named: string[] | null; left_out: string[] | null }

/**
 * Returns the filter for the vector store. A few hundred ids take it twice as long as one owner, so an owner whose library is searched
 * almost whole is named, without the excluded readings. One statement, because every search waits for it.
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

/** Documents of a scope by state: searchable, still being read, and failed. */
export type Named = NamedDocuments & { reading: NamedDocuments; failed: NamedDocuments }

/** Counts the documents of a scope by state, with the first `most` names of each. */
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
