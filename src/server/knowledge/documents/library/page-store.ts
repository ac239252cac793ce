import { type Kysely, type RawBuilder, sql } from 'kysely'
import type * as z from 'zod'
import type { DocumentFilter } from '#shared/knowledge/documents/documents.ts'
import { may, type Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Scope, sourcesOf } from './narrow-store.ts'

type Db = Kysely<Tables>
type Sql = RawBuilder<unknown>
export type Filter = z.output<typeof DocumentFilter>
type Page = { ids: string[]; total: number }
/** Offset and limit. */
type Slice = { skip: number; take: number }
/** Mutually exclusive conditions on `d`, with the sort key. Ties are sorted by date, the newest first. */
type Sorted = { sources: Sql[]; key: Sql; direction: Sql; joined?: Sql }
type Group = Sorted & { count: number }

/** Returns the document ids of a page in order, and the total. */
export async function findPage(db: Db, principal: Principal, filter: Filter, scope: Scope): Promise<Page> {
  const sources = sourcesOf(principal, filter, scope)
  const slice = { skip: (filter.page - 1) * filter.limit, take: filter.limit }
  const direction = filter.order === 'asc' ? sql`asc` : sql`desc`
  switch (filter.sort) {
    case 'date':
    case 'name':
    case 'size':
      return pageByIndex(db, { sources, key: unlike[filter.sort], direction }, slice)
    case 'workspace':
      return pageOfGroups(db, await groupByWorkspace(db, principal, { sources, direction }), slice)
    default:
      return pageOfGroups(db, await groupByValue(db, { sources, key: alike[filter.sort], direction }), slice)
  }
}

/** Sort keys that are mostly unique and have an index. */
const unlike = { date: sql`d.created_at`, name: sql`lower(d.name)`, size: sql`d.size` }

/** Sort keys that many documents share. */
const alike = {
  type: sql`coalesce(d.format, d.extension)`,
  status: sql`d.status`,
  star: sql`d.is_starred`,
  language: sql`d.language`,
}

async function pageByIndex(db: Db, sorted: Sorted, slice: Slice): Promise<Page> {
  const [total, ids] = await Promise.all([countOf(db, sorted.sources), findIds(db, { ...sorted, ...slice })])
  return { ids, total }
}

async function countOf(db: Db, sources: Sql[]): Promise<number> {
  const counts = sources.map((meant) => sql`select count(*) as count from documents d where ${meant}`)
  const { rows } = await sql<{ total: number }>`
    select sum(count)::int as total from (${union(counts)}) counts`.execute(db)
  return rows[0]?.total ?? 0
}

/** Groups follow one another: those before the page are counted, not sorted. */
async function pageOfGroups(db: Db, groups: Group[], { skip, take }: Slice): Promise<Page> {
  const ids: string[] = []
  let before = 0
  for (const group of groups) {
    const from = Math.max(skip - before, 0)
    const to = Math.min(skip + take - before, group.count)
    if (from < to) ids.push(...(await findIds(db, { ...group, skip: from, take: to - from })))
    before += group.count
  }
  return { ids, total: before }
}

/** Groups documents by their sort value. */
async function groupByValue(db: Db, { sources, key, direction }: Sorted): Promise<Group[]> {
  const counts = sources.map(
    (meant) => sql`select ${key} as value, count(*) as count from documents d where ${meant} group by 1`,
  )
  const { rows } = await sql<{ value: string | boolean | null; count: number }>`
    select value, sum(count)::int as count from (${union(counts)}) counts
    group by value order by value ${direction} nulls last`.execute(db)
  return rows.map(({ value, count }) => {
    const isOne = value === null ? sql`${key} is null` : sql`${key} = ${value}`
    return { ...newestFirst, sources: sources.map((meant) => sql`${meant} and ${isOne}`), count }
  })
}

/** Returns two groups: documents in the principal's workspaces, sorted by the first workspace name, then those in none. */
async function groupByWorkspace(
  db: Db,
  principal: Principal,
  { sources, direction }: Omit<Sorted, 'key'>,
): Promise<Group[]> {
  const mine = may(principal, 'read workspace', 'w')
  const isPlaced = sql`exists (
    select from workspace_documents wd join workspaces w on w.id = wd.workspace_id where wd.document_id = d.id and ${mine})`
  const joined = sql`join workspace_documents wd on wd.document_id = d.id join (
    select w.id, dense_rank() over (order by lower(w.name)) as place from workspaces w where ${mine}) w on w.id = wd.workspace_id`
  const among = (condition: Sql) => sources.map((meant) => sql`${meant} and ${condition}`)
  const [all, placed] = await Promise.all([countOf(db, sources), countOf(db, among(isPlaced))])
  return [
    { sources, joined, key: sql`min(w.place)`, direction, count: placed },
    { ...newestFirst, sources: among(sql`not ${isPlaced}`), count: all - placed },
  ]
}

const newestFirst = { key: sql`d.created_at`, direction: sql`desc` }

/** Takes the first rows of each source in order, and the slice of their union. */
async function findIds(
  db: Db,
  { sources, key, direction, joined, skip, take }: Sorted & Slice,
): Promise<string[]> {
  const first = sources.map(
    (meant) => sql`(
      select ${key} as key, d.created_at, d.id from documents d ${joined ?? sql``} where ${meant}
      ${joined ? sql`group by d.id` : sql``} order by 1 ${direction}, d.created_at desc, d.id limit ${skip + take})`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${union(first)}) first
    order by key ${direction}, created_at desc, id limit ${take} offset ${skip}`.execute(db)
  return rows.map(({ id }) => id)
}

function union(parts: Sql[]): Sql {
  return sql.join(parts, sql` union all `)
}
