import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, type Person, reaches } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { superAdmins } from './store.ts'

/** Checks that only super admins change a super admin. @throws AppError `forbidden` */
export async function assertMayChange(
  trx: Transaction<Tables>,
  admin: Person,
  userId: string,
): Promise<void> {
  if (reaches(admin, 'super_admin')) return
  if ((await superAdmins(trx)).includes(userId))
    throw new AppError('forbidden', 'Only a super admin changes what a super admin may do.')
}

/**
 * Checks that the administrator may decide about the whole account: they must administer every company of the user, except one with no
 * other member. @throws AppError `forbidden`
 */
export async function assertWholeAccount(trx: Kysely<Tables>, admin: Person, userId: string): Promise<void> {
  if (reaches(admin, 'super_admin')) return
  const { rows } = await sql`
    select from company_members m where user_id = ${userId} and company_id <> all(${administeredBy(admin)}::uuid[])
      and exists (select from company_members other
        where other.company_id = m.company_id and other.user_id <> m.user_id) limit 1`.execute(trx)
  if (rows.length > 0)
    throw new AppError(
      'forbidden',
      'This person belongs to another company too. A super admin decides about their account.',
    )
}
