import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type Factors = {
  appSince: Date | null
  recoveryCodesLeft: number
  hasPasskey: boolean
  /** A company of theirs wants a second factor. */
  isRequired: boolean
}

/** What a person has for the second step, and whether they need something. */
export async function readFactors(db: Db, userId: string): Promise<Factors> {
  const { rows } = await sql<Factors>`select
    (select confirmed_at from code_apps where user_id = ${userId}) as "appSince",
    (select count(*)::int from recovery_codes where user_id = ${userId} and used_at is null) as "recoveryCodesLeft",
    exists (select from passkeys where user_id = ${userId}) as "hasPasskey",
    exists (select from company_members m join companies c on c.id = m.company_id
      where m.user_id = ${userId} and c.requires_second_factor) as "isRequired"`.execute(db)
  const [found] = rows
  if (!found) throw new Error('a query without a table gave no row')
  return found
}

/** Keeps a new secret beside nothing: a code app that was confirmed stays until the new one is. */
export async function keepSecret(db: Db, userId: string, secret: string, now: Date): Promise<boolean> {
  const kept = await db
    .insertInto('code_apps')
    .values({ user_id: userId, secret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, created_at: now, last_step: 0 })
        .where('code_apps.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return kept !== undefined
}

export async function findCodeApp(db: Db, userId: string) {
  return db
    .selectFrom('code_apps')
    .select(['secret', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Uses a time step up; false when it, or a later one, was used before. Of two at once, one wins. */
export async function spendStep(db: Db, userId: string, step: number): Promise<boolean> {
  const spent = await db
    .updateTable('code_apps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return spent.numUpdatedRows > 0n
}

export async function confirmApp(db: Db, userId: string, now: Date): Promise<void> {
  await db.updateTable('code_apps').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

export async function removeApp(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('code_apps').where('user_id', '=', userId).execute()
}

/** Puts recovery codes in the place of those there were. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Uses a recovery code up; false when there is none like it, or it was used. */
export async function spendRecoveryCode(db: Db, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const spent = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return spent.numUpdatedRows > 0n
}

export async function insertPending(db: Db, userId: string, hash: Buffer, expiresAt: Date): Promise<void> {
  await db
    .insertInto('pending_sign_ins')
    .values({ ticket_hash: hash, user_id: userId, expires_at: expiresAt })
    .execute()
}

export async function findPending(db: Db, hash: Buffer, now: Date) {
  return db
    .selectFrom('pending_sign_ins')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'users.email'])
    .where('ticket_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses a ticket up; false when somebody else just did. */
export async function spendPending(db: Db, hash: Buffer): Promise<boolean> {
  const spent = await db.deleteFrom('pending_sign_ins').where('ticket_hash', '=', hash).executeTakeFirst()
  return spent.numDeletedRows > 0n
}

/** Forgets every sign-in of a person that waits for its second step. */
export async function endPending(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}

/** Takes every second factor from a person, with the passkeys and the sign-ins that wait for one. */
export async function forgetFactors(db: Db, userId: string): Promise<void> {
  await removeApp(db, userId)
  await replaceRecoveryCodes(db, userId, [])
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await endPending(db, userId)
}
