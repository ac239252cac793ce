import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { endLockOut } from '../passwords/guesses.ts'
import { findAccount } from '../store.ts'
import { makeOneTimeToken } from '../tokens/one-time-token-store.ts'
import { forgetFactors } from './second-factor-store.ts'

/**
 * Lets an administrator in who has lost their password or their second factor, for whoever has the server itself: gives the path of a
 * link that sets a new password, once. What stood in the way, the second factor and the lock-outs, is gone. It is in the audit log.
 * @throws AppError `not_found`, `forbidden` for who administers nothing
 */
export async function letAdministratorIn(
  deps: Platform,
  name: string,
): Promise<{ path: string; username: string }> {
  const account = await findAccount(deps, name)
  if (!account) throw new AppError('not_found', `Nobody here is called ${name}.`)
  const { id, email, username } = account
  if (account.affiliations.every(({ role }) => role === 'member'))
    throw new AppError('forbidden', `${username} administers nothing. An administrator can help them.`)
  await deps.db.transaction().execute(async (trx) => {
    await forgetFactors(trx, id)
    const { actor, companyId } = await actorById(trx, id, null)
    await writeAudit(trx, deps.clock.now(), {
      actor: { id: null, name: 'Atrium', address: null },
      ...{ did: 'account.let_in', subject: actor.name, subjectId: id, companyId },
    })
  })
  await endLockOut(deps, id)
  const token = await makeOneTimeToken(deps, 'reset_password', { id, email })
  return { path: `/login/reset-password?token=${token}`, username }
}
