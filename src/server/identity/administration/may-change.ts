import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, type Person, reaches } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { isInOtherCompany, superAdmins } from './store.ts'

/** Checks that only super admins change a super admin. Takes the lock of `lockRoles`. @throws AppError `forbidden` */
export async function assertMayChange(
  trx: Transaction<Tables>,
  admin: Person,
  userId: string,
): Promise<void> {
  const found = await superAdmins(trx)
  if (!reaches(admin, 'super_admin') && found.includes(userId))
    throw new AppError('forbidden', 'Only a super admin changes what a super admin may do.')
}

/**
 * Checks that the administrator may decide about the whole account: they must administer every company of the user, except one with no
 * other member. @throws AppError `forbidden`
 */
export async function assertWholeAccount(trx: Kysely<Tables>, admin: Person, userId: string): Promise<void> {
  if (reaches(admin, 'super_admin')) return
  if (await isInOtherCompany(trx, userId, administeredBy(admin)))
    throw new AppError(
      'forbidden',
      'This person belongs to another company too. A super admin decides about their account.',
    )
}
