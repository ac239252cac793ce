import type { Kysely } from 'kysely'
import type { Passkey } from '#shared/identity/accounts/passkeys.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns a user's passkeys, oldest first. */
export function findPasskeys(db: Db, userId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'name', 'transports', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(100)
    .execute()
}

type NewPasskey = {
  user_id: string
  credential_id: string
  name: string
  public_key: Buffer
  counter: number
  transports: string
  created_at: Date
}

/** Inserts a passkey. Returns null when it is already registered. */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<Passkey | null> {
  const row = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()
  return row ? toPasskey(row) : null
}

export async function setPasskeyName(db: Db, id: string, name: string): Promise<Passkey> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirstOrThrow()
  return toPasskey(row)
}

/** Deletes a passkey and returns its name. */
export async function deletePasskey(db: Db, id: string): Promise<string | null> {
  const gone = await db.deleteFrom('passkeys').where('id', '=', id).returning('name').executeTakeFirst()
  return gone?.name ?? null
}

export function findCredential(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

export async function noteUse(db: Db, id: string, counter: number, now: Date): Promise<void> {
  await db.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}

type Challenge = { ticket_hash: Buffer; challenge: string; user_id: string | null; expires_at: Date }

export async function insertChallenge(db: Db, challenge: Challenge): Promise<void> {
  await db.insertInto('passkey_challenges').values(challenge).execute()
}

/** Consumes a challenge. One of two concurrent uses succeeds. */
export function takeChallenge(db: Db, ticketHash: Buffer, now: Date) {
  return db
    .deleteFrom('passkey_challenges')
    .where('ticket_hash', '=', ticketHash)
    .where('expires_at', '>', now)
    .returning(['challenge', 'user_id'])
    .executeTakeFirst()
}

export function toPasskey(row: {
  id: string
  name: string
  created_at: Date
  last_used_at: Date | null
}): Passkey {
  const { id, name, created_at, last_used_at } = row
  return {
    ...{ id, name, created_at: created_at.toISOString() },
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}
