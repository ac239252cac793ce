import { type Kysely, sql } from 'kysely'
import type { FilePurpose } from '#shared/api/openai/files.ts'
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
  /** The file the page begins behind. */
  after: Pick<FileRow, 'id'> | null
  limit: number
}

/** A page of a person's documents in the order of their dates; what came another way is their `user_data`. */
export async function listFiles(
  db: Kysely<Tables>,
  userId: string,
  { purpose, order, after, limit }: Wanted,
): Promise<FileRow[]> {
  const isMeant = purpose ? sql`coalesce(d.purpose, 'user_data') = ${purpose}` : sql`true`
  // Of two of one moment the smaller id comes first, whatever the order of dates: as the index has it.
  const isBehind = order === 'asc' ? sql`d.created_at > a.created_at` : sql`d.created_at < a.created_at`
  const behind = after
    ? sql`exists (select from documents a where a.id = ${after.id}
        and (${isBehind} or (d.created_at = a.created_at and d.id > a.id)))`
    : sql`true`
  const { rows } = await sql<FileRow>`
    select d.id, d.name, d.size, d.purpose, d.status, d.created_at from documents d
    where d.user_id = ${userId} and d.parent_id is null and ${isMeant} and ${behind}
    order by d.created_at ${order === 'asc' ? sql`asc` : sql`desc`}, d.id limit ${limit}`.execute(db)
  return rows
}
