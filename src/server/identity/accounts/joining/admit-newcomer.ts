import type { Transaction } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findOpenInvitation, type OpenInvitation } from './invitation-store.ts'
import { assertForAddress, findGiven } from './invitations.ts'
import { admitAddress, readSignUpRules } from './policy.ts'

type Newcomer = {
  email: string
  emailProved: boolean
  /** The invitation token, if any. */
  invitation?: string | undefined
}

/**
 * Checks that a new user may create an account: by an invitation, else by the sign-up policy. A user whose address a service proved
 * needs no link for an invitation mailed to that address.
 * @throws AppError `sign_up_refused`, `token_invalid`, `forbidden` for an invitation of another address
 */
export async function admitNewcomer(
  { clock, config }: Pick<Platform, 'clock' | 'config'>,
  trx: Transaction<Tables>,
  { email, emailProved, invitation: token }: Newcomer,
): Promise<{ invitation: OpenInvitation | null; mustProve: boolean }> {
  const now = clock.now()
  if (token) {
    const invitation = await findGiven(trx, token, now)
    assertForAddress(invitation, email)
    return { invitation, mustProve: false }
  }
  const mailed = emailProved ? await findOpenInvitation(trx, { email }, now) : null
  if (mailed) return { invitation: mailed, mustProve: false }
  return { invitation: null, ...admitAddress(await readSignUpRules(trx, config), email) }
}
