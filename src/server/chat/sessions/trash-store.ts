import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isInTrashOf, type Principal, tellWithdrawn } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Times before which deleted chats cannot be restored: those with messages, and empty ones. */
export type TrashLimits = { used: Date; empty: Date }

const limitOf = ({ used, empty }: TrashLimits): RawBuilder<Date> =>
  sql`case when s.active_leaf is null then ${empty}::timestamptz else ${used}::timestamptz end`

/** Moves a session to the trash. */
export async function hideSession(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update sessions set deleted_at = ${now} where id = ${id} and deleted_at is null`.execute(trx)
  await tellWithdrawn(trx, id)
}

/** Restores sessions of the trash and returns their ids. */
export async function unhideSessions(
  trx: Db,
  principal: Principal,
  ids: string[],
  limits: TrashLimits,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sessions s set deleted_at = null
    where s.id = any(${ids}::uuid[]) and ${isInTrashOf(principal, 's')} and s.deleted_at > ${limitOf(limits)}
    returning s.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Marks sessions of the trash, by default all of them, to be deleted by the next purge. Returns their ids. */
export async function endSessions(
  trx: Db,
  principal: Principal,
  { ids, limits }: { ids: string[] | null; limits: TrashLimits },
): Promise<string[]> {
  const named = ids ? sql`s.id = any(${ids}::uuid[])` : sql`true`
  const { rows } = await sql<{ id: string }>`
    update sessions s set deleted_at = 'epoch'
    where ${named} and ${isInTrashOf(principal, 's')} and s.deleted_at > ${limitOf(limits)} returning s.id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}

/** Returns sessions whose time in the trash is over. */
export async function listEndedSessions(db: Db, limits: TrashLimits, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sessions s where s.deleted_at <= ${limitOf(limits)} and not is_held(s.user_id, s.workspace_id)
    order by s.deleted_at, s.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns whether a session is still to be deleted. Locks it. */
export async function isEndedSession(trx: Db, id: string, limits: TrashLimits): Promise<boolean> {
  const { rows } = await sql`
    select from sessions s where s.id = ${id} and s.deleted_at <= ${limitOf(limits)}
      and not is_held(s.user_id, s.workspace_id) for update`.execute(trx)
  return rows.length > 0
}
