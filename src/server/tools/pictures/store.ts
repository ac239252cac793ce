import { sql } from 'kysely'
import { may, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

const EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'tif', 'tiff', 'svg']

type Attached = { name: string; file_key: string; added_at: Date }

/** Returns the newest picture documents of a chat in the order they were added. */
export async function listAttached(
  db: Database,
  person: Person,
  sessionId: string,
  most: number,
): Promise<Attached[]> {
  const { rows } = await sql<Attached>`
    select * from (
      select d.name, b.file_key, link.added_at from session_documents link
      join documents d on d.id = link.document_id
      join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
      where link.session_id = ${sessionId} and lower(d.extension) = any(${EXTENSIONS})
        and ${may(person, 'read document', 'd')}
      order by link.added_at desc limit ${most}
    ) as newest
    order by added_at`.execute(db)
  return rows
}
