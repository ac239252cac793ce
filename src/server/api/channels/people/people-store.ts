import { type Kysely, sql } from 'kysely'
import { MEMBERS_S } from '#shared/api/channels/channels.ts'
import { toUser, userColumns } from '../../../identity/accounts/accounts.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ForeignPerson, Place } from '../wire.ts'

type Db = Kysely<Tables>

export type StoredPerson = Pick<ForeignPerson, 'address' | 'is_bot'> & {
  foreign_id: string
  visitor_id: string | null
}

/** Returns those people of a connection with these ids whom the service described within `seconds`. */
export async function findPeople(
  db: Db,
  channelId: string,
  ids: readonly string[],
  seconds: number,
): Promise<StoredPerson[]> {
  const { rows } = await sql<StoredPerson>`
    select foreign_id, address, is_bot, visitor_id from channel_people
    where channel_id = ${channelId} and foreign_id = any(${[...ids]}::text[])
      and read_at > clock_timestamp() - ${seconds} * interval '1 second'
    order by foreign_id limit 20000`.execute(db)
  return rows
}

export async function putPerson(
  db: Db,
  channelId: string,
  foreignId: string,
  { address, user_id, is_bot }: Omit<ForeignPerson, 'name'> & { user_id: string | null },
): Promise<StoredPerson> {
  const { rows } =
    await sql<StoredPerson>`insert into channel_people (channel_id, foreign_id, address, user_id, is_bot)
    values (${channelId}, ${foreignId}, ${address}, ${user_id}, ${is_bot})
    on conflict (channel_id, foreign_id) do update set address = excluded.address, user_id = excluded.user_id,
      is_bot = excluded.is_bot, read_at = clock_timestamp()
    returning foreign_id, address, is_bot, visitor_id`.execute(db)
  return rows[0]!
}

export async function noteVisitor(
  db: Db,
  channelId: string,
  foreignId: string,
  visitorId: string,
): Promise<void> {
  await sql`update channel_people set visitor_id = ${visitorId}
    where channel_id = ${channelId} and foreign_id = ${foreignId}`.execute(db)
}

/** Returns the active people of a company with these verified addresses. */
export async function findUsers(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  companyId: string,
  addresses: readonly string[],
) {
  const rows = await db
    .selectFrom('users')
    .innerJoin('company_members as belongs', 'belongs.user_id', 'users.id')
    .select(userColumns(config))
    .where('belongs.company_id', '=', companyId)
    .where(sql<boolean>`lower(users.email) = any(${[...addresses]}::text[])`)
    .where('users.email_verified_at', 'is not', null)
    .where('users.deactivated_at', 'is', null)
    .orderBy('users.id')
    .limit(20_000)
    .execute()
  return rows.map((row) => ({ user: toUser(row), address: row.email.toLowerCase() }))
}

/** Returns whether someone is an active person of a company. */
export async function isPersonOf(db: Db, companyId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users u join company_members m on m.user_id = u.id
    where u.id = ${userId} and m.company_id = ${companyId} and u.email_verified_at is not null and u.deactivated_at is null
    limit 1`.execute(db)
  return rows.length > 0
}

/** The place of a thread, for the audience of its chat. */
export type ThreadOfChat = {
  id: string
  channel_id: string
  place_id: string | null
  is_direct: boolean
  assistant_id: string | null
  member_ids: string[]
  is_fresh: boolean
} & Place

/** Returns a thread, also by its chat; null for any other chat. `is_fresh` says whether the members were listed in the last minute. */
export async function findThreadOfChat(
  db: Db,
  { threadId = null, sessionId = null }: { threadId?: string | null; sessionId?: string | null },
): Promise<ThreadOfChat | null> {
  const { rows } = await sql<ThreadOfChat>`
    select t.id, t.channel_id, t.place_id, t.conversation, t.root, t.service, t.team, t.directory_id, t.is_direct, p.assistant_id, coalesce(p.member_ids, '{}') as member_ids,
      coalesce(p.members_read_at > clock_timestamp() - ${MEMBERS_S} * interval '1 second', false) as is_fresh
    from channel_threads t left join channel_places p on p.id = t.place_id
    where t.session_id = ${sessionId}::uuid or t.id = ${threadId}::uuid order by t.created_at, t.id limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function putMembers(db: Db, placeId: string, ids: readonly string[]): Promise<void> {
  await sql`update channel_places set member_ids = ${[...ids]}::text[], members_read_at = clock_timestamp()
    where id = ${placeId}`.execute(db)
}
