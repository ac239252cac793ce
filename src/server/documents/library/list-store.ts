import { type Kysely, type RawBuilder, sql } from 'kysely'
import type * as z from 'zod'
import type { Category, DocumentFilter, DocumentNarrowing } from '#shared/documents/documents.ts'
import { extensionsOf } from '#shared/documents/file-kinds.ts'
import { may, type Principal } from '../../access/access.ts'
import type { Tables } from '../../db/tables.ts'
import { type DocumentRow, documentColumns } from './store.ts'

type Db = Kysely<Tables>
/** A hundred years. */
const MONTHS_MAX = 1200
export type Filter = z.output<typeof DocumentFilter>
/** What a list is narrowed to, whatever its order. */
export type Narrowing = z.output<typeof DocumentNarrowing>
export type Scope = { chat_session_id?: string | undefined; workspace_id?: string | undefined }

/** A page of documents a principal may see, and how many there are. */
export async function listDocuments(
  db: Db,
  principal: Principal,
  filter: Filter,
  scope: Scope,
): Promise<{ rows: DocumentRow[]; total: number }> {
  const meant = conditionsOf(principal, filter, scope)
  const { page, limit } = filter
  // The page is found first, by an index where there is one; only its rows are joined to their readings.
  const found = sql`select d.id from documents d ${filter.sort === 'workspace' ? firstWorkspaces(principal) : sql``}
    where ${meant} order by ${orderOf(filter)}, d.id limit ${limit} offset ${(page - 1) * limit}`
  const [{ rows }, total] = await Promise.all([
    sql<DocumentRow>`
      select ${documentColumns}
      from unnest(array(${found})) with ordinality as p (id, place)
      join documents d on d.id = p.id join readings r on r.id = d.reading_id
      order by p.place limit ${limit}`.execute(db),
    countDocuments(db, meant),
  ])
  return { rows, total }
}

async function countDocuments(db: Db, meant: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from documents d where ${meant}`.execute(db)
  return rows[0]?.total ?? 0
}

/** How many documents came in each month of a time zone, of those the principal may see. */
export async function countByMonth(
  db: Db,
  principal: Principal,
  filter: Narrowing & { time_zone: string },
  scope: Scope,
): Promise<{ month: string; count: number }[]> {
  const { rows } = await sql<{ month: string; count: number }>`
    select to_char(date_trunc('month', d.created_at at time zone ${filter.time_zone}), 'YYYY-MM') as month, count(*)::int as count
    from documents d where ${conditionsOf(principal, filter, scope)}
    group by 1 order by 1 desc limit ${MONTHS_MAX}`.execute(db)
  return rows
}

/** How many documents a workspace has, of those the principal may see. */
export async function countInWorkspace(db: Db, principal: Principal, workspace_id: string): Promise<number> {
  return countDocuments(db, sql`${may(principal, 'read document', 'd')} and ${inWorkspace(workspace_id)}`)
}

function conditionsOf(principal: Principal, filter: Narrowing, scope: Scope): RawBuilder<unknown> {
  const { q, type, status, starred, from_chats, language, tag, from, to, min_size, max_size, parent_id } =
    filter
  const conditions: RawBuilder<unknown>[] = [may(principal, 'read document', 'd')]
  if (q) conditions.push(sql`d.name ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`)
  if (type) conditions.push(sql`coalesce(d.format, d.extension) = any(${extensions(type)}::text[])`)
  if (status) conditions.push(sql`d.status = ${status}`)
  if (starred !== undefined) conditions.push(sql`d.is_starred = ${starred}`)
  if (from_chats !== undefined) conditions.push(from_chats ? isFromChat : sql`not ${isFromChat}`)
  if (language) conditions.push(sql`d.language = ${language}`)
  if (tag) conditions.push(sql`${tag} = any(d.tags)`)
  if (from) conditions.push(sql`d.created_at >= ${from}`)
  if (to) conditions.push(sql`d.created_at < ${to}`)
  if (min_size !== undefined) conditions.push(sql`d.size >= ${min_size}`)
  if (max_size !== undefined) conditions.push(sql`d.size <= ${max_size}`)
  // What stands inside of another document is found there, and by its name.
  if (parent_id) conditions.push(sql`d.parent_id = ${parent_id}`)
  else if (!q && !scope.chat_session_id) conditions.push(sql`d.parent_id is null`)
  if (scope.workspace_id) conditions.push(inWorkspace(scope.workspace_id))
  if (scope.chat_session_id)
    conditions.push(
      sql`d.id in (select document_id from session_documents where session_id = ${scope.chat_session_id})`,
    )
  return sql.join(conditions, sql` and `)
}

const isFromChat = sql`exists (select from session_documents s where s.document_id = d.id)`

function inWorkspace(id: string): RawBuilder<unknown> {
  return sql`d.id in (select document_id from workspace_documents where workspace_id = ${id})`
}

/** For each document the first by name of the principal's workspaces it stands in, found for all at once. */
function firstWorkspaces(principal: Principal): RawBuilder<unknown> {
  return sql`left join (
    select wd.document_id, min(lower(w.name)) as name
    from workspaces w join workspace_documents wd on wd.workspace_id = w.id
    where ${may(principal, 'read workspace', 'w')} group by wd.document_id) first_workspace on first_workspace.document_id = d.id`
}

const extensions = (type: Category) => [...extensionsOf(type)]

/** What is alike in the column that is sorted by stands by date, the newest first. */
function orderOf({ sort, order }: Filter): RawBuilder<unknown> {
  const columns = {
    date: sql`d.created_at`,
    name: sql`lower(d.name)`,
    size: sql`d.size`,
    type: sql`coalesce(d.format, d.extension)`,
    status: sql`d.status`,
    workspace: sql`first_workspace.name`,
    star: sql`d.is_starred`,
    language: sql`d.language`,
  }
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  if (sort === 'date' || sort === 'name' || sort === 'size') return sql`${columns[sort]} ${direction}`
  return sql`${columns[sort]} ${direction} nulls last, d.created_at desc`
}
