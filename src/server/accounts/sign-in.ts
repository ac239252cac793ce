import { AppError } from '#shared/errors.ts'
import { actorById, writeAudit } from '../audit/audit.ts'
import type { Platform } from '../platform.ts'
import { issueToken, type Visit } from './access-token-store.ts'
import { assertBetaAccess } from './beta.ts'
import { findDevice, rememberDevice } from './device-store.ts'
import { countGuess, forgiveGuess } from './guesses.ts'
import { verifyPassword } from './passwords.ts'
import { nameDevice } from './sign-ins/read-user-agent.ts'
import { findAccount, typedName } from './store.ts'

/** Where a sign-in comes from: its address, and what the browser kept of an earlier one. */
type From = { address: string; device: string | null; visit: Visit }

/**
 * Signs in by username or email, in any case: gives an access token, and what the browser is known by from now on.
 * Nobody learns whether a name exists: an unknown one costs the same time and locks the same way.
 * @throws AppError `wrong_credentials`, `email_not_verified`, `beta_required`, `rate_limited`
 */
export async function signIn(
  deps: Pick<Platform, 'db' | 'clock' | 'config'>,
  { username, password }: { username: string; password: string },
  { address, device, visit }: From,
): Promise<{ token: string; device: string }> {
  const account = await findAccount(deps, username)
  const who = account?.id ?? typedName(username).toLowerCase()
  const guess = { who, address, known: account ? await findDevice(deps, account.id, device) : null }
  await countGuess(deps, guess)
  const matches = await verifyPassword(account?.password_hash ?? null, password)
  if (!account || !matches) {
    if (account) await recordRefusal(deps, account.id, visit)
    throw new AppError('wrong_credentials', 'Login failed. Please check your credentials.')
  }
  await forgiveGuess(deps, guess)
  if ((deps.config.verificationRequired || account.proof_due) && !account.email_verified_at) {
    throw new AppError('email_not_verified', 'Email not verified')
  }
  assertBetaAccess(deps.config, account)
  const token = await issueToken(deps, account.id, visit)
  return { token, device: await rememberDevice(deps, account.id, device) }
}

/** A wrong password for a name that exists; tries of a name are bounded, so are these entries. */
async function recordRefusal(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  { userAgent, address }: Visit,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { actor, companyId } = await actorById(trx, userId, address)
    const subject = nameDevice(userAgent)
    await writeAudit(trx, clock.now(), { actor, did: 'session.refused', subject, companyId, refused: true })
  })
}
