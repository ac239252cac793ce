import type { Transaction } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { lockRoles } from '../../administration/administration.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { admitNewcomer } from '../joining/admit-newcomer.ts'
import { spendInvitation } from '../joining/invitation-store.ts'
import { readSignUpRules } from '../joining/policy.ts'
import type { NewAccount } from '../store.ts'
import { claimFirst, firstCompany, insertCompany, insertUser, joinCompany } from '../store.ts'

/**
 * Creates an account in a transaction. The first one becomes super admin of a first company and needs no address proof. Later users
 * become members of the first company, of one of their own, or of the company that invited them, as the sign-up rules say.
 * `allowFirst` decides under the lock whether a first account may be created, and throws if not.
 * @throws AppError `username_taken`, `email_taken`, and what `admitNewcomer` throws
 */
export async function createAccount(
  deps: Pick<Platform, 'clock' | 'config' | 'onNewAccount'>,
  trx: Transaction<Tables>,
  account: NewAccount,
  allowFirst: () => Promise<void>,
): Promise<{ id: string; isFirst: boolean; verified: boolean; mustProve: boolean }> {
  const isFirst = await claimFirst(trx)
  if (isFirst) await allowFirst()
  // A merge or deletion of the inviting company locks roles first, then what the invitation needs.
  await lockRoles(trx)
  const isFree = isFirst || account.isGranted
  const { invitation, mustProve } = isFree ? freely : await admitNewcomer(deps, trx, account)
  // A link mailed to an address proves it: no one else has seen it.
  const verified = account.emailProved || Boolean(invitation?.email)
  const now = deps.clock.now()
  const proofDue = mustProve && !verified
  const preferences = isFirst ? setupAhead : {}
  const verifiedAt = verified ? now : null
  const proofWaived = isFirst && !verified
  const id = await insertUser(trx, account, {
    ...{ verifiedAt, proofDue, proofWaived, preferences, passwordSetAt: now },
  })
  if (invitation) await spendInvitation(trx, invitation, id, now)
  else {
    const company_id = await companyFor(deps, trx, account, isFirst)
    await joinCompany(trx, { company_id, user_id: id, role: isFirst ? 'super_admin' : 'member' })
  }
  await deps.onNewAccount(trx, id)
  const who = await actorById(trx, id, null)
  await writeAudit(trx, now, { ...who, did: 'account.created', subject: account.username, subjectId: id })
  return { id, isFirst, verified, mustProve: proofDue }
}

/** Preferences of the first account: the setup steps are due. */
const setupAhead = { onboarding: { setup: { completed: false } } }

const freely = { invitation: null, mustProve: false }

/** Returns the company of a new user (docs/decisions/0008). */
async function companyFor(
  { config }: Pick<Platform, 'config'>,
  trx: Transaction<Tables>,
  { username }: NewAccount,
  isFirst: boolean,
): Promise<string> {
  if (isFirst) return insertCompany(trx, 'Atrium')
  const { company } = await readSignUpRules(trx, config)
  return company === 'own' ? insertCompany(trx, username) : firstCompany(trx)
}
