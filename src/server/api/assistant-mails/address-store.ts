import { type Kysely, sql } from 'kysely'
import { RECENT_MAILS, type ReceivedMail } from '#shared/chat/assistant-mails/assistant-mails.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** The address of an assistant with the person in whose name it answers. */
export type Address = {
  assistant_id: string
  user_id: string
  token: string
  is_on: boolean
  senders: string[]
  /** Name of the person, and their verified address; null without one. */
  owner: string
  owner_address: string | null
  /** False when the person's account is deactivated. */
  is_active: boolean
}

const address = sql`select a.assistant_id, a.user_id, a.token, a.is_on, a.senders, u.deactivated_at is null as is_active,
    coalesce(nullif(trim(u.full_name), ''), u.username) as owner,
    case when u.email_verified_at is not null then lower(u.email) end as owner_address
  from assistant_addresses a join users u on u.id = a.user_id`

export async function findAddress(db: Db, assistantId: string): Promise<Address | null> {
  const { rows } = await sql<Address>`${address} where a.assistant_id = ${assistantId}`.execute(db)
  return rows[0] ?? null
}

export async function findAddressByToken(db: Db, token: string): Promise<Address | null> {
  const { rows } = await sql<Address>`${address} where a.token = ${token}`.execute(db)
  return rows[0] ?? null
}

/** Locks the address, so that its mails are accepted one after another, and returns it; null when it is gone. */
export async function lockAddress(trx: Db, assistantId: string): Promise<Address | null> {
  await sql`select from assistant_addresses where assistant_id = ${assistantId} for no key update`.execute(
    trx,
  )
  return findAddress(trx, assistantId)
}

type Change = { is_on?: boolean | undefined; senders?: string[] | undefined }

/** Stores a change in the name of a person, for whom the assistant answers from then on. */
export async function putAddress(
  trx: Db,
  assistantId: string,
  userId: string,
  { is_on, senders }: Change,
): Promise<void> {
  await sql`insert into assistant_addresses as a (assistant_id, user_id, is_on, senders)
    values (${assistantId}, ${userId}, ${is_on ?? false}, ${senders ?? []}::text[])
    on conflict (assistant_id) do update set user_id = excluded.user_id, updated_at = clock_timestamp(),
      is_on = coalesce(${is_on ?? null}::boolean, a.is_on),
      senders = coalesce(${senders ?? null}::text[], a.senders)`.execute(trx)
}

type RecentRow = Omit<ReceivedMail, 'received_at'> & { received_at: Date }

/** Returns the latest mails, the newest first. */
export async function listRecent(db: Db, person: Person, assistantId: string): Promise<RecentRow[]> {
  const { rows } = await sql<RecentRow>`select m.id, m.received_at, m.sender, m.subject, m.state, m.detail,
      (select s.id from mail_threads t join sessions s on s.id = t.session_id
        where t.id = m.thread_id and ${may(person, 'read session', 's')}) as session_id
    from assistant_mails m where m.assistant_id = ${assistantId}
    order by m.received_at desc, m.id limit ${RECENT_MAILS}`.execute(db)
  return rows
}
