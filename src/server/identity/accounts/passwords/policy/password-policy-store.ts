import type { Kysely } from 'kysely'
import type { PasswordPolicy } from '#shared/identity/accounts/password-policy.ts'
import type { Tables } from '../../../../platform/db/tables.ts'

type Db = Kysely<Tables>

const defaults: PasswordPolicy = {
  ...{
    min_length: 8,
    refuses_common: true,
    min_kinds: 0,
    history: 0,
    max_age_days: null,
    applies: 'next_change',
  },
}

/** Returns the policy set by a super admin, or the default one. */
export async function readPolicy(db: Db): Promise<PasswordPolicy> {
  const row = await db
    .selectFrom('password_policy')
    .select(['min_length', 'refuses_common', 'min_kinds', 'history', 'max_age_days', 'applies'])
    .executeTakeFirst()
  return row ?? defaults
}

/** Stores the policy. When passwords need not change now, the requests for a change end. Without a history, former passwords are deleted. */
export async function storePolicy(trx: Db, policy: PasswordPolicy, now: Date): Promise<void> {
  const row = { ...policy, updated_at: now }
  await trx
    .insertInto('password_policy')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute()
  if (policy.applies === 'next_change')
    await trx
      .updateTable('users')
      .set({ password_due: null })
      .where('password_due', 'is not', null)
      .$if(policy.max_age_days !== null, (query) => query.where('password_due', '!=', 'password_too_old'))
      .execute()
  if (policy.history === 0) await trx.deleteFrom('former_passwords').execute()
}

/** Returns the hashes of a user's last passwords, the current one first. */
export async function findLastPasswords(db: Db, userId: string, history: number): Promise<string[]> {
  if (history === 0) return []
  const current = db.selectFrom('users').select('password_hash').where('id', '=', userId)
  const former = db.selectFrom('former_passwords').select('password_hash').where('user_id', '=', userId)
  const [first, rest] = [
    await current.executeTakeFirst(),
    await former
      .orderBy('id', 'desc')
      .limit(history - 1)
      .execute(),
  ]
  return [first?.password_hash, ...rest.map((row) => row.password_hash)].flatMap((hash) => hash ?? [])
}

/** Keeps the current hash of a user as a former one, as long as the history reaches. */
export async function keepFormerPassword(trx: Db, userId: string, history: number): Promise<void> {
  if (history > 1)
    await trx
      .insertInto('former_passwords')
      .columns(['user_id', 'password_hash'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .select(['id', (row) => row.ref('password_hash').$notNull().as('password_hash')])
          .where('id', '=', userId)
          .where('password_hash', 'is not', null),
      )
      .execute()
  const kept = trx.selectFrom('former_passwords').select('id').where('user_id', '=', userId)
  await trx
    .deleteFrom('former_passwords')
    .where('user_id', '=', userId)
    .where('id', 'not in', kept.orderBy('id', 'desc').limit(Math.max(0, history - 1)))
    .execute()
}

/** Stores why a user must change the password; null when they need not. */
export async function setPasswordDue(db: Db, userId: string, due: string | null): Promise<void> {
  await db.updateTable('users').set({ password_due: due }).where('id', '=', userId).execute()
}
