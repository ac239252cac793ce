import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import { forgetDevices } from '../device-store.ts'
import { forgetFactors } from '../second-factor/second-factor-store.ts'
import { endTokens } from '../tokens/access-token-store.ts'

type Db = Kysely<Tables>

/** Returns whether a user administers a company or is a super admin. */
export async function isAdministrator(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('company_members')
    .select('role')
    .where('user_id', '=', userId)
    .where('role', 'in', ['super_admin', 'company_admin'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Returns whether an administrator uses the account without having proved its address. The address may be made up or mistyped, so a mail
 * to it opens nothing. An account that waits for its first proof is not meant: it was never used.
 */
export async function isUnprovedAdministrator(db: Db, userId: string): Promise<boolean> {
  const used = db.selectFrom('users').select('id').where('id', '=', userId)
  const found = await used
    .where('email_verified_at', 'is', null)
    .where((where) => where.or([where('proof_due', '=', false), where('proof_waived', '=', true)]))
    .executeTakeFirst()
  return found !== undefined && (await isAdministrator(db, userId))
}

/** Lets an account in without a proof of its address, which another administrator or the machine vouches for. */
export async function waiveProof(trx: Db, userId: string): Promise<void> {
  await trx.updateTable('users').set({ proof_waived: true }).where('id', '=', userId).execute()
}

/** Returns whether an account's address is unproved. Locks the account until the transaction ends. */
export async function lockUnproved(trx: Db, userId: string): Promise<boolean> {
  const { email_verified_at } = await trx
    .selectFrom('users')
    .select('email_verified_at')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return email_verified_at === null
}

/**
 * Removes every way into an account except second factors: sessions, known devices, API keys, embed tokens, connected programs,
 * sign-on services (unless kept), mailed links, and connections to external services.
 * @returns the addresses of the disconnected sign-on services
 */
export async function takeWaysIn(
  trx: Db,
  userId: string,
  now: Date,
  { keepsIdentities = false } = {},
): Promise<string[]> {
  await endTokens({ db: trx }, userId)
  await forgetDevices({ db: trx }, userId)
  await trx.deleteFrom('one_time_tokens').where('user_id', '=', userId).execute()
  await trx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
  // Also cancels sign-on connections in progress.
  await trx.deleteFrom('sign_on_states').where('user_id', '=', userId).execute()
  await trx.deleteFrom('program_codes').where('user_id', '=', userId).execute()
  await trx
    .updateTable('access_keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
  await trx.deleteFrom('service_connections').where('user_id', '=', userId).execute()
  await trx.deleteFrom('own_tool_accounts').where('user_id', '=', userId).execute()
  await sql`delete from personal_accounts where user_id = ${userId}`.execute(trx)
  const personal = trx
    .selectFrom('connectors')
    .select('id')
    .where('user_id', '=', userId)
    .where('company_id', 'is', null)
  await trx.deleteFrom('connector_sign_ins').where('connector_id', 'in', personal).execute()
  await trx.deleteFrom('webhooks').where('user_id', '=', userId).where('company_id', 'is', null).execute()
  if (keepsIdentities) return []
  const gone = await trx.deleteFrom('identities').where('user_id', '=', userId).returning('email').execute()
  return gone.flatMap(({ email }) => email ?? [])
}

/** Removes the passkeys, because each of them opens the account alone. */
export async function takePasskeys(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Also removes the password and second factors, and marks the address as proved. */
export async function takeCredentials(trx: Db, userId: string, now: Date): Promise<void> {
  await forgetFactors(trx, userId)
  await trx.deleteFrom('former_passwords').where('user_id', '=', userId).execute()
  await trx
    .updateTable('users')
    .set({
      ...{
        password_hash: null,
        password_due: null,
        email_verified_at: now,
        proof_due: false,
        proof_waived: false,
      },
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
}
