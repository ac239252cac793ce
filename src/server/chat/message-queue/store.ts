import { type Kysely, sql } from 'kysely'
import { MAX_QUEUED, type QueuedMessage, type QueueHold } from '#shared/chat/message-queue/message-queue.ts'
import type { Mention, NamedMention } from '#shared/chat/messages/mentions.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Options sent with a waiting message. */
export type QueuedOptions = {
  tool_choice?: string
  model_name?: string
  document_ids?: string[]
  mentions?: NamedMention[]
  time_zone?: string
}
export type QueuedRow = {
  id: string
  user_id: string
  way: QueuedMessage['way']
  client_id: string
  content: string
  options: QueuedOptions
  position: number
  failure: string | null
  claimed_at: Date | null
  created_at: Date
}

const columns = ['id', 'user_id', 'way', 'client_id', 'content', 'options', 'position'] as const
const moreColumns = ['failure', 'claimed_at', 'created_at'] as const

const asRow = (row: unknown) => row as QueuedRow

export const toQueued = (row: QueuedRow): QueuedMessage => ({
  ...{ id: row.id, way: row.way, client_id: row.client_id, content: row.content },
  mentions: row.options.mentions ?? [],
  is_claimed: row.claimed_at !== null,
  failure: row.failure,
  created_at: row.created_at.toISOString(),
})

export const mentionsIn = ({ mentions = [] }: QueuedOptions): Mention[] =>
  mentions.map(({ kind, id }) => ({ kind, id }))

/** Returns the waiting messages of a chat: those that steer first, then the others in their order. */
export async function listQueued(db: Db, sessionId: string): Promise<QueuedRow[]> {
  const rows = await db
    .selectFrom('queued_messages')
    .select([...columns, ...moreColumns])
    .where('session_id', '=', sessionId)
    .where('read_at', 'is', null)
    .orderBy(sql`way <> 'steer'`)
    .orderBy('position')
    .orderBy('id')
    .limit(MAX_QUEUED)
    .execute()
  return rows.map(asRow)
}

/** Age from which a waiting message that could start counts as missed, in milliseconds. */
const MISSED_MS = 60_000
const MAX_MISSED = 100

/** Returns the sessions whose first message could start and has not, longest waiting first. */
export async function listMissed(db: Db, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - MISSED_MS)
  const { rows } = await sql<{ session_id: string }>`
    select session_id from (
      select distinct on (session_id) session_id, way, failure, created_at from queued_messages
      where read_at is null and way <> 'steer'
      order by session_id, position, id
    ) first
    left join lateral (
      select state from runs where runs.session_id = first.session_id and kind = 'chat' and parent_run_id is null
      order by created_at desc limit 1
    ) newest on true
    where failure is null and first.created_at < ${before}
      and (coalesce(state, 'completed') = 'completed' or (way = 'interrupt' and state in ('stopped', 'failed')))
    order by first.created_at, session_id
    limit ${MAX_MISSED}`.execute(db)
  return rows.map(({ session_id }) => session_id)
}

/** Returns the message that a browser already sent under this id, or null. */
export async function findQueued(db: Db, sessionId: string, clientId: string): Promise<QueuedRow | null> {
  const row = await db
    .selectFrom('queued_messages')
    .select([...columns, ...moreColumns])
    .where('session_id', '=', sessionId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row ? asRow(row) : null
}

type New = Pick<QueuedRow, 'user_id' | 'way' | 'client_id' | 'content' | 'options' | 'position'>

export async function insertQueued(trx: Db, sessionId: string, message: New): Promise<QueuedRow> {
  const row = await trx
    .insertInto('queued_messages')
    .values({ ...message, session_id: sessionId, options: toJson(message.options) })
    .returning([...columns, ...moreColumns])
    .executeTakeFirstOrThrow()
  return asRow(row)
}

/** Returns whether the message was changed. One that a step reads stays as it is. */
export async function updateQueued(
  trx: Db,
  id: string,
  change: Partial<Pick<QueuedRow, 'content' | 'way' | 'failure' | 'position'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('queued_messages')
    .set(change)
    .where('id', '=', id)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether the message was deleted. One that a step reads stays. */
export async function deleteQueued(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('queued_messages')
    .where('id', '=', id)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Numbers the waiting messages in this order. */
export async function numberQueued(trx: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update queued_messages queued set position = ordered.place
    from unnest(${[...ids]}::uuid[]) with ordinality as ordered (id, place)
    where queued.id = ordered.id and queued.position <> ordered.place`.execute(trx)
}

/**
 * Moves what no step read to the front of the queue, because its run has ended. Returns whether messages wait.
 */
export async function requeueUnread(trx: Db, sessionId: string): Promise<boolean> {
  const rows = await listQueued(trx, sessionId)
  const unread = rows.filter(({ way }) => way === 'steer').map(({ id }) => id)
  if (unread.length > 0) {
    await trx
      .updateTable('queued_messages')
      .set({ way: 'queue', claimed_at: null })
      .where('id', 'in', unread)
      .execute()
    await numberQueued(trx, orderOf(rows))
  }
  return rows.length > 0
}

/** Returns the ids of waiting messages with those that interrupt first. */
export function orderOf(rows: readonly Pick<QueuedRow, 'id' | 'way'>[]): string[] {
  const isFirst = ({ way }: Pick<QueuedRow, 'way'>) => way === 'interrupt'
  return [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))].map(({ id }) => id)
}

/** Returns why nothing of this queue starts now; null when its first message may start, or a run works. */
export async function findHold(
  db: Db,
  sessionId: string,
  rows: readonly QueuedRow[],
): Promise<QueueHold | null> {
  if (rows.length === 0) return null
  const first = rows.find(({ way }) => way !== 'steer')
  const run = await db
    .selectFrom('runs')
    .select('state')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'chat')
    .where('parent_run_id', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const state = run?.state ?? 'completed'
  if (state === 'waiting' || state === 'paused') return 'waiting'
  if (state === 'queued' || state === 'running' || !first) return null
  if (first.failure !== null) return 'refused'
  if (first.way === 'interrupt' || state === 'completed') return null
  return state
}

/** Returns whether the person who sent a waiting message may still sign in. */
export async function isActivePerson(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('deactivated_at')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.deactivated_at === null
}
