import type { Transaction } from 'kysely'
import { grantStartingBalance } from '../billing/billing.ts'
import type { Tables } from '../db/tables.ts'
import type { Platform } from '../platform.ts'
import type { NewAccount } from './store.ts'
import { claimFirst, firstCompany, insertCompany, insertUser, joinCompany } from './store.ts'

/**
 * Makes an account inside a transaction. The first of an empty installation becomes super admin of
 * a first company and counts as verified; everybody after is a plain member of a company of their own,
 * or of that first one where `ATRIUM_SIGN_UP_COMPANY` says so.
 * `allowFirst` decides under the lock whether a first account may be made, and throws if not.
 * @throws AppError `username_taken`, `email_taken`
 */
export async function createAccount(
  deps: Pick<Platform, 'clock' | 'config'>,
  trx: Transaction<Tables>,
  account: NewAccount,
  allowFirst: () => Promise<void>,
): Promise<{ id: string; isFirst: boolean; verified: boolean }> {
  const isFirst = await claimFirst(trx)
  if (isFirst) await allowFirst()
  const verified = isFirst || account.emailProved
  const id = await insertUser(trx, account, verified ? deps.clock.now() : null)
  const companyId = await companyFor(deps, trx, account, isFirst)
  await joinCompany(trx, { company_id: companyId, user_id: id, role: isFirst ? 'super_admin' : 'member' })
  await grantStartingBalance(trx, deps.config, id)
  return { id, isFirst, verified }
}

/** Anybody may sign up; that alone makes nobody a colleague (docs/decisions/0008). */
async function companyFor(
  { config }: Pick<Platform, 'config'>,
  trx: Transaction<Tables>,
  { username }: NewAccount,
  isFirst: boolean,
): Promise<string> {
  if (isFirst) return insertCompany(trx, 'Atrium')
  return config.ATRIUM_SIGN_UP_COMPANY === 'own' ? insertCompany(trx, username) : firstCompany(trx)
}
