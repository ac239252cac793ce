import type { User } from '#shared/identity/accounts/accounts.ts'
import type { Platform } from '../../../platform/platform.ts'
import { verifiedCompanyOf } from '../domains/domains.ts'
import { isInvited } from '../joining/invitations.ts'
import { admitAddress, domainOf, readSignUpRules } from '../joining/policy.ts'
import { mustProveAddresses, requestMail } from '../mails.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { assertNewPassword } from '../passwords/policy/password-policy.ts'
import { takeTurn } from '../rate-limit-store.ts'
import { isEmptyInstallation } from '../store.ts'
import { createAccount } from './create-account.ts'
import { assertSetupCode, forgetSetupCode } from './setup-code.ts'

type SignUp = Pick<User, 'username' | 'email' | 'language'> & {
  full_name: string | null
  password: string
  setup_code: string | undefined
  invitation: string | undefined
}

/**
 * Creates an account with a password and mails the link where addresses must be proved.
 * @throws AppError `username_taken`, `email_taken`, `setup_code_required`, `sign_up_refused`, `token_invalid`, `rate_limited`,
 * and as `assertNewPassword`
 */
export async function signUp(
  deps: Platform,
  form: SignUp,
  from: { address: string; needsSetupCode: () => Promise<boolean> },
): Promise<{ id: string; mustVerify: boolean }> {
  await countSignUp(deps, form, from.address)
  const allowFirst = async () => {
    if (await from.needsSetupCode()) await assertSetupCode(deps, form.setup_code)
  }
  // Checked before the expensive hash, and again under the lock.
  if (await isEmptyInstallation(deps)) await allowFirst()
  else if (!form.invitation) admitAddress(await readSignUpRules(deps.db, deps.config), form.email)
  await assertNewPassword(deps.db, form.password, form)
  const account = {
    username: form.username,
    email: form.email,
    fullName: form.full_name || null,
    passwordHash: await hashPassword(form.password),
    language: form.language,
    emailProved: false,
    invitation: form.invitation,
  }
  const { id, isFirst, verified, mustProve } = await deps.db
    .transaction()
    .execute((trx) => createAccount(deps, trx, account, allowFirst))
  if (isFirst) await forgetSetupCode(deps)
  const mustVerify = !verified && !isFirst && (mustProve || (await mustProveAddresses(deps)))
  if (mustVerify) await requestMail(deps, 'verify_email', form.email)
  return { id, mustVerify }
}

/**
 * Counts a sign-up by IP address. Invitations work once and are not counted. People of a verified domain are counted separately,
 * because each one is sent a mail. @throws AppError `rate_limited`
 */
async function countSignUp(deps: Platform, { email, invitation }: SignUp, address: string): Promise<void> {
  if (invitation && (await isInvited(deps, invitation, email))) return
  const { policy, domains } = await readSignUpRules(deps.db, deps.config)
  const isKnown =
    (policy === 'domain' && domains.includes(domainOf(email))) ||
    (await verifiedCompanyOf(deps.db, email)) !== null
  if (isKnown) return takeTurn(deps, 'sign_up_expected', address)
  const most = deps.config.ATRIUM_LIMIT_SIGN_UPS_AN_HOUR
  if (most > 0) await takeTurn(deps, 'sign_up_address', address, { most })
}
