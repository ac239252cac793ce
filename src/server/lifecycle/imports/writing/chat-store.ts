import { type Insertable, type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type NewChat = {
  id: string
  user_id: string
  title: string
  at: Date
  changed: Date
  isArchived: boolean
  tags: string[]
}

/** Inserts a chat, read by its person, with its place in the archive and its tags. */
export async function insertChat(
  trx: Db,
  { at, changed, isArchived, tags, ...chat }: NewChat,
): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({
      ...chat,
      ...{ title_source: 'user', status: 'COMPLETED', created_at: at, updated_at: changed },
      session_metadata: JSON.stringify({ agent_type: 'multi_turn' }),
    })
    .execute()
  if (!isArchived && tags.length === 0) return
  const archived_at = isArchived ? changed : null
  await trx
    .insertInto('session_marks')
    .values({ user_id: chat.user_id, session_id: chat.id, archived_at, tags })
    .execute()
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
