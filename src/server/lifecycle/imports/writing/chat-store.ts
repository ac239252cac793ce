import { type Insertable, type Kysely, sql } from 'kysely'
import { MAX_PINS } from '#shared/chat/session-marks/marks.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type NewChat = {
  id: string
  user_id: string
  title: string
  at: Date
  changed: Date
  isArchived: boolean
  isUnread: boolean
  pin: number | null
  tags: string[]
  workspace_id: string | null
  model_name: string | null
  settings: Record<string, unknown>
}

/** Inserts a chat with its place in the archive, among the pinned chats and in a project, its tags, and whether it is read. */
export async function insertChat(
  trx: Db,
  { at, changed, isArchived, isUnread, pin, tags, settings, ...chat }: NewChat,
): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({
      ...chat,
      ...{ title_source: 'user', status: 'COMPLETED', created_at: at, updated_at: changed },
      session_metadata: toJson(settings),
      activity: isUnread ? 1 : 0,
    })
    .execute()
  if (!isArchived && tags.length === 0 && pin === null) return
  await sql`
    insert into session_marks (user_id, session_id, archived_at, tags, position)
    select ${chat.user_id}, ${chat.id}, ${isArchived ? changed : null}::timestamptz, ${tags}::text[],
      case when not ${isArchived}::boolean and (select count(*) from session_marks m
        where m.user_id = ${chat.user_id} and m.position is not null) < ${MAX_PINS} then ${pin}::int end`.execute(
    trx,
  )
}

/** Locks an imported chat. Returns its shown leaf, and whether it is in the trash; null when it is gone. */
export async function lockChat(
  trx: Db,
  id: string,
): Promise<{ active_leaf: string | null; isTrashed: boolean } | null> {
  const row = await trx
    .selectFrom('sessions')
    .select(['active_leaf', 'deleted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ? { active_leaf: row.active_leaf, isTrashed: row.deleted_at !== null } : null
}

export async function insertChatMessages(
  trx: Db,
  rows: readonly Insertable<Tables['messages']>[],
): Promise<void> {
  await trx.insertInto('messages').values(rows).execute()
}

/** Shows a leaf, unless the chat shows a message of the person by now, and counts the stored bytes. */
export async function endChat(
  trx: Db,
  id: string,
  { leaf, preview, bytes }: { leaf: string | null; preview: string; bytes: number },
): Promise<void> {
  const shown = leaf === null ? sql`active_leaf` : sql`${leaf}::uuid`
  const text = leaf === null ? sql`preview` : sql`${preview}::text`
  await sql`
    update sessions set active_leaf = ${shown}, preview = ${text}, stored_bytes = stored_bytes + ${bytes}
    where id = ${id}`.execute(trx)
}

/** Lists a document with a message, once. */
export async function addMessageFile(
  trx: Db,
  messageId: string,
  file: { document_id: string; name: string },
): Promise<void> {
  const one = JSON.stringify([file])
  await sql`
    update messages set metadata = jsonb_set(metadata, '{files}', coalesce(metadata -> 'files', '[]') || ${one}::jsonb)
    where id = ${messageId} and not coalesce(metadata -> 'files', '[]') @> ${JSON.stringify([{ document_id: file.document_id }])}::jsonb`.execute(
    trx,
  )
}

/** Returns the name of a document that is not in the trash; null otherwise. */
export async function findDocumentName(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('documents')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.name ?? null
}

/** Returns whether a document exists, in the trash or not. */
export async function hasDocument(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('documents').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
