import type { Transaction } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { isUnprovedAdministrator, shutOutRegistrant, waiveProof } from '../hand-over/hand-over.ts'
import { requestMail } from '../mails.ts'
import { findPasswordHash, proveEmail, setPassword } from '../store.ts'
import { assertSignedIn, readTokenAgeMs } from '../tokens/access-token-store.ts'
import { consumeOneTimeToken, findTokenOwner, invalidToken } from '../tokens/one-time-token-store.ts'
import { countGuess, endLockOut, forgiveGuess } from './guesses.ts'
import { verifyPassword } from './passwords.ts'
import { assertNewPassword } from './policy/password-policy.ts'

/** Purposes of the links that set a password. */
const mailed = ['reset_password', 'let_in'] as const

/** Maximum age of a sign-in for setting a first password on an account with external sign-in. */
const freshMs = 15 * 60_000

/**
 * Changes the password and ends every other token. An account without a password sets its first one without a current
 * password, shortly after sign-in.
 * @throws AppError `invalid` at `current_password`, `forbidden`, `rate_limited`, and as `assertNewPassword`
 */
export async function changePassword(
  deps: Platform,
  caller: Caller,
  form: { current_password?: string | undefined; new_password: string },
  address: string,
): Promise<void> {
  await assertItIsThem(deps, caller, form.current_password ?? '')
  await assertNewPassword(deps.db, form.new_password, caller)
  const by = { did: 'password.changed', address } as const
  const claim = (trx: Transaction<Tables>) => assertSignedIn(trx, caller)
  await setPassword(deps, caller.id, form.new_password, by, claim, caller.tokenHash)
  await requestMail(deps, 'password_changed', caller.email)
}

/**
 * Sets a new password with a mailed token, signs the user out everywhere and ends lock-outs. It also proves the address. If the
 * address was unproved, all other ways into the account end, because someone else may have registered it. An administrator whose
 * address was never proved needs a token of another administrator or of the machine, which proves nothing.
 * @throws AppError `token_invalid`, and as `assertNewPassword`
 */
export async function resetPassword(
  deps: Platform,
  form: { token: string; new_password: string },
  address: string,
): Promise<void> {
  // A refused password must not use up the link.
  const owner = await findTokenOwner(deps, mailed, form.token)
  if (owner) await assertNewPassword(deps.db, form.new_password, owner)
  const { userId, email, purpose } = await consumeOneTimeToken(deps, mailed, form.token)
  const isVouchedFor = purpose === 'let_in'
  // One transaction: in between, the registrant's password would still open an account whose address is proved.
  await setPassword(deps, userId, form.new_password, { did: 'password.reset', address }, async (trx) => {
    if (!isVouchedFor && (await isUnprovedAdministrator(trx, userId))) throw invalidToken()
    await shutOutRegistrant(deps, trx, userId)
    if (isVouchedFor) await waiveProof(trx, userId)
    else await proveEmail(deps, trx, { userId, email })
  })
  await endLockOut(deps, userId)
  await requestMail(deps, 'password_changed', email)
}

/**
 * Verifies that the caller is the account's user: by password, or for accounts without one by a recent sign-in.
 * @throws AppError `invalid` at `current_password`, `forbidden`, `rate_limited`
 */
export async function assertItIsThem(deps: Platform, caller: Caller, password: string): Promise<void> {
  const password_hash = await findPasswordHash(deps.db, caller.id)
  if (password_hash) await assertCurrent(deps, caller, password_hash, password)
  else if ((await readTokenAgeMs(deps, caller.tokenHash)) > freshMs) {
    throw new AppError('forbidden', 'Sign in again, then do this within 15 minutes.')
  }
}

/** Counts attempts by token, like a known device, so that strangers cannot lock the user out. */
async function assertCurrent(
  deps: Platform,
  { id, tokenHash }: Caller,
  passwordHash: string,
  current: string,
) {
  const guess = { who: id, address: '', known: tokenHash }
  await countGuess(deps, guess)
  if (!(await verifyPassword(passwordHash, current))) {
    const message = 'The current password is wrong.'
    throw new AppError('invalid', message, { errors: [{ path: 'current_password', message }] })
  }
  await forgiveGuess(deps, guess)
}
