import { type Kysely, sql } from 'kysely'
import type { FilePurpose } from '#shared/api/openai/files.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type FileRow = {
  id: string
  name: string
  size: number
  purpose: string | null
  status: string
  created_at: Date
}

type Wanted = {
  purpose?: FilePurpose | undefined
  order: 'asc' | 'desc'
  /** The cursor: the page starts after this file. */
  after: Pick<FileRow, 'id'> | null
  limit: number
}

/** Returns a page of a user's documents by date. Those from other sources have the purpose `user_data`. */
export async function listFiles(
  db: Kysely<Tables>,
  userId: string,
  { purpose, order, after, limit }: Wanted,
): Promise<FileRow[]> {
  const isMeant = purpose ? sql`coalesce(d.purpose, 'user_data') = ${purpose}` : sql`true`
  // At equal times the smaller id comes first in both directions, like in the index.
  const isBehind = order === 'asc' ? sql`d.created_at > a.created_at` : sql`d.created_at < a.created_at`
  const behind = after
    ? sql`exists (select from documents a where a.id = ${after.id}
        and (${isBehind} or (d.created_at = a.created_at and d.id > a.id)))`
    : sql`true`
  const { rows } = await sql<FileRow>`
    select d.id, d.name, d.size, d.purpose, d.status, d.created_at from documents d
    where d.user_id = ${userId} and d.connector_id is null and d.parent_id is null and ${isPresent('document', 'd')} and ${isMeant} and ${behind}
    order by d.created_at ${order === 'asc' ? sql`asc` : sql`desc`}, d.id limit ${limit}`.execute(db)
  return rows
}
