import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/**
 * Deactivates an account on behalf of an administrator, or reactivates it when `at` is null. Returns whether anything
 * changed. A deactivation by a directory becomes one by the administrator.
 */
export async function setDeactivated(trx: Db, userId: string, at: Date | null): Promise<boolean> {
  const isOther = at
    ? sql`(deactivated_at is null or deactivated_by_directory is not null)`
    : sql`deactivated_at is not null`
  const { rows } = await sql`update users set deactivated_at = ${at}, deactivated_by_directory = null
    where id = ${userId} and ${isOther} returning id`.execute(trx)
  return rows.length > 0
}

export async function findAddress(db: Db, userId: string): Promise<string> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return email
}

/** Replaces an account's address with an unused placeholder and invalidates mailed links. Returns the placeholder. */
export async function dropAddress(trx: Db, userId: string, now: Date): Promise<string> {
  const email = `${userId}@released.invalid`
  await trx
    .updateTable('users')
    .set({ email, email_verified_at: null, updated_at: now })
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('one_time_tokens').where('user_id', '=', userId).execute()
  return email
}

/** Returns the ids of a company's people, in the order in which they are locked. */
export async function listMembers(trx: Kysely<Tables>, companyId: string): Promise<string[]> {
  const rows = trx.selectFrom('company_members').select('user_id').where('company_id', '=', companyId)
  const found = await rows.orderBy('user_id').limit(100_000).execute()
  return found.map(({ user_id }) => user_id)
}

export async function companyName(trx: Kysely<Tables>, companyId: string): Promise<string> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', companyId)
  return (await row.executeTakeFirstOrThrow()).name
}
