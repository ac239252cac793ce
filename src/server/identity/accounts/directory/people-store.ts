import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type DirectoryPerson = { subject: string; user_id: string; gone_at: Date | null; shut_out: boolean }

/** The provider of a directory, and the search base that begins its subjects. */
type Where = { id: string; base: string }

const PAGE = 500

/** Returns a page of a directory's users with an account, ordered by subject. */
export async function findPeople(db: Db, { id, base }: Where, after: string): Promise<DirectoryPerson[]> {
  return db
    .selectFrom('identities')
    .select(['subject', 'user_id', 'gone_at', 'shut_out'])
    .where('provider', '=', id)
    .where(sql<boolean>`starts_with(subject, ${`${base} `})`)
    .where('subject', '>', after)
    .orderBy('subject')
    .limit(PAGE)
    .execute()
}

export async function findPerson(
  db: Db,
  { id }: Pick<Where, 'id'>,
  subject: string,
): Promise<DirectoryPerson | undefined> {
  return db
    .selectFrom('identities')
    .select(['subject', 'user_id', 'gone_at', 'shut_out'])
    .where('provider', '=', id)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Stores when the directory stopped listing a user, or null when it lists them again. */
export async function setGone(
  trx: Db,
  { id }: Pick<Where, 'id'>,
  subject: string,
  { at, shutOut }: { at: Date | null; shutOut: boolean },
): Promise<void> {
  await trx
    .updateTable('identities')
    .set({ gone_at: at, shut_out: shutOut })
    .where('provider', '=', id)
    .where('subject', '=', subject)
    .execute()
}

/** Returns whether an account depends on the directory alone: no password, no other service. */
export async function isDirectorysAlone(
  trx: Db,
  { id }: Pick<Where, 'id'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select password_hash is null and not exists (select from identities i
      where i.user_id = users.id and i.provider <> ${id}) as alone
    from users where id = ${userId} for update`.execute(trx)
  return rows[0]?.alone ?? false
}

/** Deactivates an account. Returns false when it already is, or is the last active super admin or administrator who can enter. */
export async function shutAccount(trx: Db, userId: string, at: Date): Promise<boolean> {
  const { rows } =
    await sql`update users set deactivated_at = ${at} where id = ${userId} and deactivated_at is null
    and not (exists (select from company_members where user_id = ${userId} and role = 'super_admin')
      and not exists (select from company_members m join users u on u.id = m.user_id
        where m.role = 'super_admin' and m.user_id <> ${userId} and u.deactivated_at is null))
    and not exists (select from company_members m
      where m.user_id = users.id and m.role <> 'member' and is_last_entering_admin(m.company_id, users.id))
    returning id`.execute(trx)
  return rows.length > 0
}

/** Reactivates an account the directory deactivated. Ignores accounts deactivated at another time. */
export async function openAccount(trx: Db, userId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`update users set deactivated_at = null
    where id = ${userId} and deactivated_at = ${since} returning id`.execute(trx)
  return rows.length > 0
}
