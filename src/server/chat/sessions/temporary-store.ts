import { type Kysely, sql } from 'kysely'
import { LEASE_MS } from '#shared/chat/temporary-chats/temporary-chats.ts'
import { tellWithdrawn } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** The end of a lease that begins now, by the clock of the database. */
export const newLease = () => sql<Date>`now() + make_interval(secs => ${LEASE_MS / 1000})`

/** Renews a lease and returns its end; null when the chat is not temporary or has ended. */
export async function renewLease(db: Db, id: string): Promise<Date | null> {
  const { rows } = await sql<{ lease_until: Date }>`
    update sessions set lease_until = ${newLease()} where id = ${id} and lease_until > now()
    returning lease_until`.execute(db)
  return rows[0]?.lease_until ?? null
}

/** Makes a temporary chat a normal one. */
export async function keepTemporary(db: Db, id: string): Promise<void> {
  await sql`
    update sessions set origin = 'chat', lease_until = null, lease_token = null, updated_at = now()
    where id = ${id} and lease_until > now()`.execute(db)
}

/** Ends the lease of a chat: from now on it cannot be read. */
export async function endLease(trx: Db, id: string): Promise<void> {
  await sql`update sessions set lease_until = 'epoch' where id = ${id} and lease_until is not null`.execute(
    trx,
  )
  await tellWithdrawn(trx, id)
}

/** Returns temporary chats whose lease has ended. */
export async function listEnded(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where lease_until <= now() and not is_held(user_id, workspace_id) order by lease_until, id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Deletes what a temporary chat leaves apart from its rows: the files of answers, and web pages and link previews that were cached
 * since it began. Locks the chat. Returns keys of files, or null when the chat was kept or is gone.
 */
export async function takeLeftovers(trx: Db, id: string): Promise<string[] | null> {
  const { rows: chats } = await sql<{ created_at: Date }>`
    select created_at from sessions where id = ${id} and lease_until <= now()
      and not is_held(user_id, workspace_id) for update`.execute(trx)
  const [chat] = chats
  if (!chat) return null
  const { rows } = await sql<{ file_key: string }>`
    delete from input_files where run_id in (select id from runs where session_id = ${id}) returning file_key`.execute(
    trx,
  )
  for (const table of ['web_pages', 'link_previews', 'link_pictures'])
    await sql`delete from ${sql.table(table)} where read_at >= ${chat.created_at}`.execute(trx)
  return rows.map(({ file_key }) => file_key)
}
