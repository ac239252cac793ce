import { type Kysely, sql } from 'kysely'
import type { ErasedCounts } from '#shared/lifecycle/erasure/erasure.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Tables of sign-ins, keys and links, and of what would act for the person. */
const waysIn = [
  'webhooks',
  ...[
    'access_tokens',
    'access_keys',
    'program_codes',
    'one_time_tokens',
    'pending_sign_ins',
    'sign_on_states',
    'sign_on_sessions',
    'known_devices',
    'former_passwords',
  ],
  ...['identities', 'passkeys', 'passkey_challenges', 'code_apps', 'recovery_codes', 'service_connections'],
  'personal_accounts',
  ...['schedules', 'assistant_addresses', 'connectors'],
  ...['share_links', 'company_members', 'user_pictures', 'announcement_mails'],
]

/** Returns the counts of what ends immediately. */
export async function countWaysIn(db: Db, userId: string): Promise<ErasedCounts> {
  const { rows } = await sql<ErasedCounts>`select
    (select count(*)::int from access_tokens where user_id = ${userId}) as sign_ins,
    (select count(*)::int from access_keys where user_id = ${userId}) as api_keys,
    (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
    (select count(*)::int from share_links where user_id = ${userId}) as links,
    (select count(*)::int from identities where user_id = ${userId})
      + (select count(*)::int from service_connections where user_id = ${userId})
      + (select count(*)::int from personal_accounts where user_id = ${userId}) as connections`.execute(db)
  return rows[0] ?? {}
}

/** Returns whether a legal hold covers the account, or anything that its deletion would delete. */
export async function isAccountHeld(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`select is_account_held(${userId}) as is_held`.execute(db)
  return rows[0]?.is_held ?? false
}

/** Returns the counts of what is deleted afterwards. */
export async function countContent(db: Db, userId: string): Promise<ErasedCounts> {
  const { rows } = await sql<ErasedCounts>`select
    (select count(*)::int from sessions where user_id = ${userId}) as chats,
    (select count(*)::int from messages m join sessions s on s.id = m.session_id where s.user_id = ${userId}) as messages,
    (select count(*)::int from documents where user_id = ${userId}) as documents,
    (select coalesce(sum(chunks), 0)::int from readings where user_id = ${userId}) as passages,
    (select count(*)::int from assistants where user_id = ${userId}) as assistants,
    (select count(*)::int from own_tools t join own_tool_sets s on s.id = t.set_id where s.user_id = ${userId}) as tools,
    (select count(*)::int from workspaces where user_id = ${userId}) as workspaces,
    (select count(*)::int from exports where user_id = ${userId}) as exports,
    (select count(*)::int from ledger_entries where user_id = ${userId}) as ledger_entries`.execute(db)
  return rows[0] ?? {}
}

/**
 * Closes an account: all ways in and all share links end, and its name and address become free. Open streams end on
 * every process.
 */
export async function closeAccount(trx: Db, userId: string): Promise<void> {
  await sql`update access_keys set revoked_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    trx,
  )
  for (const table of waysIn)
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(trx)
  await sql`delete from channel_people p using users u where u.id = ${userId}
    and (p.user_id = u.id or p.address = lower(u.email))`.execute(trx)
  await sql`update users set username = 'deleted-' || id, name_skeleton = 'deleted ' || id, email = id || '@deleted.invalid',
    full_name = null, bio = null, password_hash = null, password_due = null, picture_id = null, email_verified_at = null,
    writing_style_examples = '[]', preferences = '{}' where id = ${userId}`.execute(trx)
}

/** Deletes companies created for this user alone, which carry their name. */
export async function dropOwnCompanies(trx: Db, username: string, ids: string[]): Promise<void> {
  await sql`delete from companies c where id = any(${ids}::uuid[]) and lower(name) = lower(${username})
    and not exists (select from company_members m where m.company_id = c.id)`.execute(trx)
}

/** Deletes queued jobs that name the user, such as mails: they would fail and retain the address. */
export async function dropJobsNaming(trx: Db, words: string[]): Promise<void> {
  await sql`delete from graphile_worker._private_jobs where locked_at is null
    and exists (select from unnest(${words}::text[]) word where position(word in payload::text) > 0)`.execute(
    trx,
  )
}

/** Locks a user and returns them with their companies, oldest first. */
export async function lockAccount(trx: Db, userId: string) {
  const { rows } = await sql<{
    username: string
    name: string
    email: string
    language: string
    companies: string[]
  }>`
    select username, coalesce(nullif(trim(full_name), ''), username) as name, email, language,
      array(select c.id::text from company_members m join companies c on c.id = m.company_id
        where m.user_id = users.id order by c.created_at, c.id) as companies
    from users where id = ${userId} and not exists (select from erasures where user_id = users.id) for update`.execute(
    trx,
  )
  return rows[0]
}
