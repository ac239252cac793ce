import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { ActiveBranch, Message } from '#shared/messages/messages.ts'
import type { Tables } from '../db/tables.ts'
import { toMessage } from '../runs/runs.ts'

/** What stands for the branch of a session without messages. */
const NO_BRANCH = 'default'

type Position = { id: string; depth: number }

/** From the active leaf (depth 0) up to the first message: one indexed query, whatever the length. */
async function loadPath(db: Kysely<Tables>, sessionId: string): Promise<Position[]> {
  const { rows } = await sql<Position>`
    with recursive path as (
      select m.id, m.parent_id, 0 as depth
      from sessions s join messages m on m.id = s.active_leaf where s.id = ${sessionId}
      union all
      select parent.id, parent.parent_id, depth + 1 from path join messages parent on parent.id = path.parent_id
    )
    select id, depth from path order by depth`.execute(db)
  return rows
}

/**
 * A page of the active branch: the newest `limit` messages, or those right before the message `before`,
 * oldest first. @throws AppError `not_found` when `before` is not on the branch
 */
export async function readActiveBranch(
  db: Kysely<Tables>,
  sessionId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<ActiveBranch> {
  const path = await loadPath(db, sessionId)
  const leaf = path[0]
  if (!leaf) return { active_branch: [], branch_id: NO_BRANCH, total: 0, has_more: false }
  const from = before === undefined ? 0 : path.findIndex(({ id }) => id === before) + 1
  if (before !== undefined && from === 0) throw new AppError('not_found', 'Message not found')
  const page = path.slice(from, from + limit)
  return {
    active_branch: await loadMessages(db, page.map(({ id }) => id).reverse()),
    branch_id: leaf.id,
    total: path.length,
    has_more: from + limit < path.length,
  }
}

/** Messages in the order of their ids. */
async function loadMessages(db: Kysely<Tables>, ids: string[]): Promise<Message[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('messages').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, toMessage(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A message of this session. @throws AppError `not_found` */
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

/** The message a client has sent before under the same id, or null. */
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

/** Whether a message has a reply that was written to its end. */
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
