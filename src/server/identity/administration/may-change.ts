import type { Transaction } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { type Person, reaches } from '../../platform/access/access.ts'
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
