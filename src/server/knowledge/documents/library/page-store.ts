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
/** So many after so many. */
type Slice = { skip: number; take: number }
/** Documents as conditions on `d` that exclude each other, and what they are sorted by; alike ones by date, the newest first. */
type Sorted = { sources: Sql[]; key: Sql; direction: Sql; joined?: Sql }
type Group = Sorted & { count: number }

/** The documents of a page in its order, and how many there are on all pages. */
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

/** Sorted by what differs from document to document, and stands in an index. */
const unlike = { date: sql`d.created_at`, name: sql`lower(d.name)`, size: sql`d.size` }

/** Sorted by what many have in common. */
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

/** Groups stand one after the other: those before the page are counted and never sorted. */
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

/** Documents of one value are a group. */
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

/** Those in workspaces of the principal, by the first of these by name, and those in none. */
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

/** Each source gives its first ones in order, and of these the slice is taken. */
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
