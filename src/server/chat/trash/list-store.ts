import { type Kysely, sql } from 'kysely'
import type { TrashItem } from '#shared/chat/trash/trash.ts'
import { isInTrashOf, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { escapeLike } from '../sessions/sessions.ts'

const DAY_MS = 86_400_000

type Wanted = { since: Date; days: number; q?: string | undefined; skip: number; limit: number }
type Row = { kind: TrashItem['kind']; id: string; name: string; deleted_at: Date; total: number }

/** Returns a page of what a person deleted after `since`, last deleted first. Documents inside deleted ones are left out. */
export async function listTrashed(
  db: Kysely<Tables>,
  person: Person,
  { since, days, q, skip, limit }: Wanted,
): Promise<{ items: TrashItem[]; total: number }> {
  const pattern = `%${escapeLike(q ?? '')}%`
  const { rows } = await sql<Row | { id: null; total: number }>`
    with found as materialized (
      select 'chat' as kind, s.id, s.title as name, s.deleted_at from sessions s
      where ${isInTrashOf(person, 's')} and s.deleted_at > ${since} and s.origin = 'chat'
        and s.active_leaf is not null and s.title ilike ${pattern}
      union all
      select 'document', d.id, d.name, d.deleted_at from documents d
        left join documents outside on outside.id = d.parent_id
      where ${isInTrashOf(person, 'd')} and d.deleted_at > ${since} and d.name ilike ${pattern}
        and outside.deleted_at is distinct from d.deleted_at)
    select counted.total, page.* from (select count(*)::int as total from found) counted left join (
      select * from found order by deleted_at desc, id limit ${limit} offset ${skip}) page on true
    order by page.deleted_at desc, page.id`.execute(db)
  const items = rows.flatMap((row) => {
    if (row.id === null) return []
    const { kind, id, name, deleted_at } = row
    const ends = new Date(deleted_at.getTime() + days * DAY_MS)
    return [{ kind, id, name, deleted_at: deleted_at.toISOString(), ends_at: ends.toISOString() }]
  })
  return { items, total: rows[0]?.total ?? 0 }
}
