import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type DirectoryPerson = { subject: string; user_id: string; gone_at: Date | null; shut_out: boolean }

const PAGE = 500

/** The people of a directory who have an account, a page at a time, ordered by subject. */
export async function findPeople(db: Db, base: string, after: string): Promise<DirectoryPerson[]> {
  return db
    .selectFrom('identities')
    .select(['subject', 'user_id', 'gone_at', 'shut_out'])
    .where('provider', '=', 'ldap')
    .where(sql<boolean>`starts_with(subject, ${`${base} `})`)
    .where('subject', '>', after)
    .orderBy('subject')
    .limit(PAGE)
    .execute()
}

export async function findPerson(db: Db, subject: string): Promise<DirectoryPerson | undefined> {
  return db
    .selectFrom('identities')
    .select(['subject', 'user_id', 'gone_at', 'shut_out'])
    .where('provider', '=', 'ldap')
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Notes since when the directory does not list a person, or that it lists them again. */
export async function setGone(
  trx: Db,
  subject: string,
  { at, shutOut }: { at: Date | null; shutOut: boolean },
): Promise<void> {
  await trx
    .updateTable('identities')
    .set({ gone_at: at, shut_out: shutOut })
    .where('provider', '=', 'ldap')
    .where('subject', '=', subject)
    .execute()
}

/** Whether the directory is all that vouches for an account: nobody chose a password, and no other service is connected. */
export async function isDirectorysAlone(trx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select password_hash is null and not exists (select from identities i
      where i.user_id = users.id and i.provider <> 'ldap') as alone
    from users where id = ${userId} for update`.execute(trx)
  return rows[0]?.alone ?? false
}

/** Shuts an account out, unless it is already or is the last super admin who can come in. False: nothing was changed. */
export async function shutAccount(trx: Db, userId: string, at: Date): Promise<boolean> {
  const { rows } =
    await sql`update users set deactivated_at = ${at} where id = ${userId} and deactivated_at is null
    and not (exists (select from company_members where user_id = ${userId} and role = 'super_admin')
      and not exists (select from company_members m join users u on u.id = m.user_id
        where m.role = 'super_admin' and m.user_id <> ${userId} and u.deactivated_at is null))
    returning id`.execute(trx)
  return rows.length > 0
}

/** Lets an account in again that the directory shut out, unless it is deactivated since another moment. */
export async function openAccount(trx: Db, userId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`update users set deactivated_at = null
    where id = ${userId} and deactivated_at = ${since} returning id`.execute(trx)
  return rows.length > 0
}
