import { type Kysely, type Selectable, sql } from 'kysely'
import type { Export } from '#shared/chat/exports/exports.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type ExportRow = Selectable<Tables['exports']>

export type NewExport = Pick<ExportRow, 'id' | 'user_id' | 'session_id' | 'kind' | 'name'> & {
  wish: object
  created_at: Date
  expires_at: Date
}

/** Inserts an export. Returns the user's exports that exceed the limit and were removed. */
export async function insertExport(db: Db, { wish, ...row }: NewExport, most: number): Promise<ExportRow[]> {
  await db
    .insertInto('exports')
    .values({ ...row, wish: JSON.stringify(wish) })
    .execute()
  const { rows } = await sql<ExportRow>`
    delete from exports where id in (
      select id from exports where user_id = ${row.user_id} order by created_at desc, id offset ${most} limit 100
    ) returning *`.execute(db)
  return rows
}

export async function listExportRows(
  db: Db,
  userId: string,
  { kind, skip, limit }: { kind?: 'chat' | 'account' | undefined; skip: number; limit: number },
): Promise<ExportRow[]> {
  return db
    .selectFrom('exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isPresent('export', 'exports'))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'chat'))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function findExport(db: Db, id: string): Promise<ExportRow | null> {
  return (await db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns whether an export of this kind is in progress for a user. */
export async function isBeingMade(db: Db, userId: string, kind: Export['kind']): Promise<boolean> {
  const row = await db
    .selectFrom('exports')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('state', '=', 'making')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the progress; ignores finished or deleted exports. */
export async function noteProgress(
  db: Db,
  id: string,
  { progress, stage = null }: { progress: number; stage?: Export['stage'] },
): Promise<void> {
  await db
    .updateTable('exports')
    .set({ progress, stage: stage && JSON.stringify(stage) })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .execute()
}

/** Marks an export as ready. Returns false when it was deleted meanwhile. */
export async function noteReady(
  db: Db,
  id: string,
  file: { file_key: string; size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ state: 'ready', progress: 1, stage: null, ...file })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function noteFailed(db: Db, id: string, error: string): Promise<void> {
  await db.updateTable('exports').set({ state: 'failed', stage: null, error }).where('id', '=', id).execute()
}

export async function deleteExport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('exports').where('id', '=', id).execute()
}

/** Deletes a batch of expired exports. Returns the files to delete. */
export async function deleteOldExports(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ file_key: string | null }>`
    delete from exports where id in (
      select id from exports where expires_at < ${now} order by expires_at limit 500
    ) returning file_key`.execute(db)
  return rows.flatMap(({ file_key }) => file_key ?? [])
}

/** Returns a chat with its user. */
export async function findChat(db: Db, sessionId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'title', 'active_leaf'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
}
