import { sql } from 'kysely'
import { inScope, type Scope } from '../../knowledge/search/search.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

const EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'tif', 'tiff', 'svg']

/** Formats whose pages can be drawn. */
const PAGED = ['pdf', ...EXTENSIONS]

export type PageFile = { id: string; name: string; file_key: string; pages: number | null }

/** Returns documents with pages that a person may read, the newest first: those of a scope, those of this id or name. */
export async function findPageFiles(
  db: Database,
  person: Person,
  { scope, document }: { scope: Scope; document: string | null },
  most: number,
): Promise<PageFile[]> {
  const isNamed = sql`${document}::text is null or d.id::text = ${document} or lower(d.name) = lower(${document})`
  const { rows } = await sql<PageFile>`
    select d.id, d.name, b.file_key,
      case when coalesce(r.report->>'pages', r.facts->>'pages') ~ '^[0-9]{1,9}$'
        then coalesce(r.report->>'pages', r.facts->>'pages')::int end as pages
    from documents d join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
    where (${isNamed}) and lower(d.extension) = any(${PAGED}) and ${inScope(person, scope)}
    order by d.created_at desc, d.id limit ${most}`.execute(db)
  return rows
}

type Attached = { id: string; name: string; file_key: string; added_at: Date }

/** Returns the newest picture documents of a chat in the order they were added. */
export async function listAttached(
  db: Database,
  person: Person,
  sessionId: string,
  most: number,
): Promise<Attached[]> {
  const { rows } = await sql<Attached>`
    select * from (
      select d.id, d.name, b.file_key, link.added_at from session_documents link
      join documents d on d.id = link.document_id
      join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
      where link.session_id = ${sessionId} and lower(d.extension) = any(${EXTENSIONS})
        and ${may(person, 'read document', 'd')}
      order by link.added_at desc limit ${most}
    ) as newest
    order by added_at`.execute(db)
  return rows
}
