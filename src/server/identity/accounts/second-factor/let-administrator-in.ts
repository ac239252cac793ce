import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { endLockOut } from '../passwords/guesses.ts'
import { findAccount } from '../store.ts'
import { makeOneTimeToken } from '../tokens/one-time-token-store.ts'
import { forgetFactors } from './second-factor-store.ts'

/**
 * Restores access of an administrator who lost the password or second factor; callable only on the server itself. Returns the path of a
 * one-time link that sets a new password. Removes the second factor and lock-outs and adds an audit entry.
 * @throws AppError `not_found`, `forbidden` when the user administers nothing
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
  const token = await makeOneTimeToken(deps, 'let_in', { id, email })
  return { path: `/login/reset-password?token=${token}`, username }
}
