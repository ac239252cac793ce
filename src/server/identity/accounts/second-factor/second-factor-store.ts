import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type Factors = {
  appSince: Date | null
  recoveryCodesLeft: number
  hasPasskey: boolean
  /** Whether one of their companies requires a second factor. */
  isRequired: boolean
}

/** Returns a user's second factors and whether one is required. */
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

/** Stores a pending secret. An active app stays until the new one is confirmed. */
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

/** Consumes a time step. Returns false when it or a later one was used; of two concurrent uses one succeeds. */
export async function spendStep(db: Db, userId: string, step: number): Promise<boolean> {
  const spent = await db
    .updateTable('code_apps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return spent.numUpdatedRows > 0n
}

/** Activates a pending app. Returns false when it was removed, replaced or activated meanwhile. */
export async function confirmApp(
  db: Db,
  userId: string,
  { secret, at }: { secret: string; at: Date },
): Promise<boolean> {
  const pending = db.updateTable('code_apps').set({ confirmed_at: at }).where('user_id', '=', userId)
  const done = await pending.where('secret', '=', secret).where('confirmed_at', 'is', null).executeTakeFirst()
  return done.numUpdatedRows > 0n
}

export async function removeApp(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('code_apps').where('user_id', '=', userId).execute()
}

/** Replaces the recovery codes. The account must be locked: of two that replace them at the same moment, both codes would stay valid. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Consumes a recovery code. Returns false when it is unknown or used. */
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

type Pending = { userId: string; hash: Buffer; expiresAt: Date; signOnId: string | null }

export async function insertPending(db: Db, { userId, hash, expiresAt, signOnId }: Pending): Promise<void> {
  await db
    .insertInto('pending_sign_ins')
    .values({ ticket_hash: hash, user_id: userId, expires_at: expiresAt, sign_on_id: signOnId })
    .execute()
}

export async function findPending(db: Db, hash: Buffer, now: Date) {
  return db
    .selectFrom('pending_sign_ins')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'users.email', 'sign_on_id as signOnId'])
    .where('ticket_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Consumes a ticket. Returns false when it was already used. */
export async function spendPending(db: Db, hash: Buffer): Promise<boolean> {
  const spent = await db.deleteFrom('pending_sign_ins').where('ticket_hash', '=', hash).executeTakeFirst()
  return spent.numDeletedRows > 0n
}

/** Deletes the pending sign-ins of a user. */
export async function endPending(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}

/** Removes all second factors, passkeys and pending sign-ins of a user. */
export async function forgetFactors(db: Db, userId: string): Promise<void> {
  await removeApp(db, userId)
  await replaceRecoveryCodes(db, userId, [])
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await endPending(db, userId)
}
