import { type Kysely, sql } from 'kysely'
import type { Upload, UploadOptions } from '#shared/knowledge/documents/uploads.ts'
import { may, type Principal } from '../../../platform/access/access.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type UploadRow = Upload & {
  user_id: string
  parts: number[]
  options: UploadOptions
  /** The file of an import, which becomes no document. */
  is_import: boolean
}

const columns = ['id', 'user_id', 'name', 'size', 'received', 'parts', 'options', 'is_import'] as const

export async function insertUpload(
  db: Db,
  { options, ...upload }: Pick<UploadRow, 'user_id' | 'name' | 'size' | 'options' | 'is_import'>,
): Promise<UploadRow> {
  const values = { ...upload, options: toJson(options) }
  return db.insertInto('uploads').values(values).returning(columns).executeTakeFirstOrThrow()
}

export async function countUploads(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from uploads where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns null once the upload is complete or cancelled. */
export async function readUpload(db: Db, id: string): Promise<UploadRow | null> {
  const row = await db.selectFrom('uploads').select(columns).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export async function listUploads(db: Db, principal: Principal, most: number): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .select(columns)
    .where(may(principal, 'read upload'))
    .where('is_import', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Counts a stored part. Returns false when another part at this offset came first. */
export async function addPart(db: Db, id: string, offset: number, bytes: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set received = received + ${bytes}, parts = parts || ${offset}::bigint, updated_at = now()
    where id = ${id} and received = ${offset}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Deletes and returns an upload; null when it is already gone. */
export async function takeUpload(db: Db, id: string): Promise<UploadRow | null> {
  const row = await db.deleteFrom('uploads').where('id', '=', id).returning(columns).executeTakeFirst()
  return row ?? null
}

export async function listForgotten(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}
