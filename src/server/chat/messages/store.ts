import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { toMessage } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import type { TreeNode } from './tree-store.ts'

/** Returns the id of the active leaf, or null in an empty session. */
export async function findActiveLeaf(db: Kysely<Tables>, sessionId: string): Promise<string | null> {
  const session = await db
    .selectFrom('sessions')
    .select('active_leaf')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session?.active_leaf ?? null
}

/** Returns the size of each message without reading its text. */
export async function loadSizes(db: Kysely<Tables>, nodes: readonly TreeNode[]): Promise<number[]> {
  if (nodes.length === 0) return []
  const ids = nodes.map(({ id }) => id)
  const rows = await db.selectFrom('messages').select(['id', 'bytes']).where('id', 'in', ids).execute()
  const byId = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  return ids.map((id) => byId.get(id) ?? 0)
}

/** Returns messages in the order of the ids. */
export async function loadMessages(db: Kysely<Tables>, ids: string[]): Promise<Message[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('messages').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, toMessage(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns a message of this session. @throws AppError `not_found` */
export async function findMessage(db: Kysely<Tables>, sessionId: string, id: string): Promise<Message> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Message not found')
  return toMessage(row)
}

/** Returns the message a client already sent under this id, or null. */
export async function findByClientId(
  db: Kysely<Tables>,
  sessionId: string,
  clientId: string | undefined,
): Promise<Message | null> {
  if (clientId === undefined) return null
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row ? toMessage(row) : null
}

/** Returns whether a message has a completed reply. */
export async function hasFinishedReply(db: Kysely<Tables>, messageId: string): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('parent_id', '=', messageId)
    .where('role', '=', 'assistant')
    .where('status', '=', 'completed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function isAnswering({ db }: Deps, sessionId: string, messageId: string): Promise<boolean> {
  const active = await db
    .selectFrom('runs')
    .select('user_message_id')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'chat')
    .where('state', 'in', ['queued', 'running', 'waiting', 'paused'])
    .executeTakeFirst()
  return active?.user_message_id === messageId
}
