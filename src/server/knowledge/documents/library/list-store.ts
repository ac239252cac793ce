import { type Kysely, sql } from 'kysely'
import { may, type Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { inWorkspace, type Narrowing, type Scope, sourcesOf } from './narrow-store.ts'
import { type Filter, findPage } from './page-store.ts'
import { type DocumentRow, documentColumns } from './store.ts'

type Db = Kysely<Tables>
/** One hundred years. */
const MONTHS_MAX = 1200

/** Returns a page of the documents a principal may read, and the total. */
export async function listDocuments(
  db: Db,
  principal: Principal,
  filter: Filter,
  scope: Scope,
): Promise<{ rows: DocumentRow[]; total: number }> {
  const { ids, total } = await findPage(db, principal, filter, scope)
  if (ids.length === 0) return { rows: [], total }
  const { rows } = await sql<DocumentRow>`
    select ${documentColumns}
    from unnest(${ids}::uuid[]) with ordinality as p (id, place)
    join documents d on d.id = p.id join readings r on r.id = d.reading_id
    order by p.place limit ${ids.length}`.execute(db)
  return { rows, total }
}

/** Counts the documents a principal may read by month of creation in a time zone, the newest first. */
export async function countByMonth(
  db: Db,
  principal: Principal,
  filter: Narrowing & { time_zone: string },
  scope: Scope,
): Promise<{ month: string; count: number }[]> {
  const counts = sourcesOf(principal, filter, scope).map(
    (meant) => sql`
      select date_trunc('month', d.created_at at time zone ${filter.time_zone}) as month, count(*) as count
      from documents d where ${meant} group by 1`,
  )
  const { rows } = await sql<{ month: string; count: number }>`
    select to_char(month, 'YYYY-MM') as month, sum(count)::int as count
    from (${sql.join(counts, sql` union all `)}) months
    group by months.month order by months.month desc limit ${MONTHS_MAX}`.execute(db)
  return rows
}

/** Counts the documents of a workspace that the principal may read. */
export async function countInWorkspace(db: Db, principal: Principal, workspace_id: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from documents d
    where ${may(principal, 'read document', 'd')} and ${inWorkspace(workspace_id)}`.execute(db)
  return rows[0]?.total ?? 0
}
