import { type Kysely, sql } from 'kysely'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type StoredPicture = { id: string; name: string; size: number; file_key: string }

/** Returns documents and generated files with their bytes in the given order, if the person may read them. */
export async function listPictures(
  db: Kysely<Tables>,
  principal: Principal,
  ids: string[],
): Promise<StoredPicture[]> {
  const { rows } = await sql<StoredPicture>`
    select * from (
      select d.id, d.name, b.size, b.file_key from documents d
      join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
      where d.id = any(${ids}::uuid[]) and ${may(principal, 'read document', 'd')}
      union all
      select m.id, m.name, m.size, m.file_key from media m
      where m.id = any(${ids}::uuid[]) and ${may(principal, 'read media', 'm')}
    ) as found
    order by array_position(${ids}::uuid[], id) limit ${ids.length}`.execute(db)
  return rows
}
