import { type Kysely, sql } from 'kysely'
import type { ChatAccess, OpenedChat } from '#shared/chat/chat-access/chat-access.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Page = { skip: number; limit: number }
type Row = Omit<ChatAccess, 'created_at' | 'expires_at'> & { created_at: Date; expires_at: Date }

const columns = (now: Date) => sql`a.id, json_build_object('id', u.id,
    'name', coalesce(nullif(trim(u.full_name), ''), u.username)) as person,
  a.admin_name, a.reason, a.created_at, a.expires_at, a.expires_at > ${now} as is_open,
  (select count(*)::int from chat_access_reads r where r.access_id = a.id) as chats_read`

type NewAccess = {
  user_id: string
  admin_id: string
  admin_name: string
  reason: string
  created_at: Date
  expires_at: Date
}

/** Inserts an access. Returns null while the same admin already has an open one. */
export async function insertAccess(trx: Db, access: NewAccess): Promise<string | null> {
  await trx.selectFrom('users').select('id').where('id', '=', access.user_id).forNoKeyUpdate().execute()
  const { rows } = await sql<{ id: string }>`
    insert into chat_accesses (user_id, admin_id, admin_name, reason, created_at, expires_at)
    select ${access.user_id}, ${access.admin_id}, ${access.admin_name}, ${access.reason}, ${access.created_at}, ${access.expires_at}
    where not exists (select from chat_accesses where user_id = ${access.user_id} and admin_id = ${access.admin_id}
      and expires_at > ${access.created_at}) returning id`.execute(trx)
  return rows[0]?.id ?? null
}

export async function findAccess(db: Db, id: string, now: Date): Promise<ChatAccess | null> {
  const { rows } = await sql<Row>`
    select ${columns(now)} from chat_accesses a join users u on u.id = a.user_id where a.id = ${id}`.execute(
    db,
  )
  return rows[0] ? toAccess(rows[0]) : null
}

/** Returns all accesses, or those to one user's chats. */
export async function listAccesses(
  db: Db,
  userId: string | null,
  now: Date,
  { skip, limit }: Page,
): Promise<{ items: ChatAccess[]; total: number; unseen: number }> {
  const where = userId === null ? sql`true` : sql`a.user_id = ${userId}`
  const { rows } = await sql<Row>`
    select ${columns(now)} from chat_accesses a join users u on u.id = a.user_id where ${where}
    order by a.created_at desc, a.id limit ${limit} offset ${skip}`.execute(db)
  const { rows: counted } = await sql<{ total: number; unseen: number }>`
    select count(*)::int as total, count(*) filter (where seen_at is null)::int as unseen
    from chat_accesses a where ${where}`.execute(db)
  return { items: rows.map(toAccess), ...(counted[0] ?? { total: 0, unseen: 0 }) }
}

export async function noteSeen(db: Db, userId: string, now: Date): Promise<void> {
  await sql`update chat_accesses set seen_at = ${now} where user_id = ${userId} and seen_at is null`.execute(
    db,
  )
}

/** Ends an access. Returns whether it was open. */
export async function endAccess(trx: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update chat_accesses set expires_at = ${now} where id = ${id} and expires_at > ${now} returning id`.execute(
    trx,
  )
  return rows.length > 0
}

/** Returns the user whose chats an admin may read through this access, or null when it is not theirs or has ended. */
export async function openedBy(db: Db, id: string, adminId: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from chat_accesses where id = ${id} and admin_id = ${adminId} and expires_at > ${now}`.execute(
    db,
  )
  return rows[0]?.user_id ?? null
}

export async function listChats(
  db: Db,
  userId: string,
  { skip, limit }: Page,
): Promise<{ items: OpenedChat[]; total: number }> {
  const { rows } = await sql<{ id: string; title: string; updated_at: Date; total: number }>`
    select id, title, updated_at, count(*) over ()::int as total from sessions
    where user_id = ${userId} and origin <> 'temporary' and ${isPresent('session', 'sessions')}
    order by updated_at desc, id limit ${limit} offset ${skip}`.execute(db)
  const items = rows.map(({ id, title, updated_at }) => ({ id, title, updated_at: updated_at.toISOString() }))
  return { items, total: rows[0]?.total ?? 0 }
}

/** Returns the title of this user's chat, or null. */
export async function findChat(db: Db, userId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('title')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('origin', '<>', 'temporary')
    .where(isPresent('session', 'sessions'))
    .executeTakeFirst()
  return row?.title ?? null
}

export async function noteRead(trx: Db, accessId: string, sessionId: string, now: Date): Promise<void> {
  await sql`insert into chat_access_reads (access_id, session_id, read_at)
    values (${accessId}, ${sessionId}, ${now}) on conflict do nothing`.execute(trx)
}

function toAccess(row: Row): ChatAccess {
  return { ...row, created_at: row.created_at.toISOString(), expires_at: row.expires_at.toISOString() }
}
