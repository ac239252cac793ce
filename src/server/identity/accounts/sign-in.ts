import type { Transaction } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorById, writeAudit } from '../audit/audit.ts'
import { findDevice } from './device-store.ts'
import type { Directory } from './directory/directory.ts'
import { signInByDirectories } from './directory/sign-in-by-directory.ts'
import { mustProveAddresses } from './mails.ts'
import { assertMayEnter } from './may-enter.ts'
import { countGuess, forgiveGuess } from './passwords/guesses.ts'
import { verifyPassword } from './passwords/passwords.ts'
import { notePasswordDue } from './passwords/policy/password-policy.ts'
import { letIn } from './second-factor/let-in.ts'
import { nameDevice } from './sign-ins/read-user-agent.ts'
import { findAccount, findPasswordHash, typedName } from './store.ts'
import type { Visit } from './tokens/access-token-store.ts'

/** Origin of a sign-in: the IP address and the device secret. */
type From = {
  address: string
  device: string | null
  visit: Visit
  /** Returns whether the first account may be created without the setup code. */
  mayBeFirst: () => Promise<boolean>
}

/**
 * Signs in by username or email, in any case. Returns an access token and a new device secret, or the second step.
 * If no Atrium password matches, the directories are tried. Unknown names take the same time and lock the same way, so that
 * nothing reveals whether a name exists.
 * @throws AppError `wrong_credentials`, `email_not_verified`, `beta_required`, `account_deactivated`, `rate_limited`, `directory_unavailable`
 */
export async function signIn(
  deps: Platform,
  listDirectories: () => Promise<Directory[]>,
  form: { username: string; password: string },
  { address, device, visit, mayBeFirst }: From,
): ReturnType<typeof letIn> {
  const account = await findAccount(deps, form.username)
  const who = account?.id ?? typedName(form.username).toLowerCase()
  const guess = { who, address, known: account ? await findDevice(deps, account.id, device) : null }
  await countGuess(deps, guess)
  const matches = await verifyPassword(account?.password_hash ?? null, form.password)
  const own = matches ? account : null
  const found = own ?? (await signInByDirectories(deps, await listDirectories(), form, mayBeFirst))
  if (!found) {
    if (account) await recordRefusal(deps, account.id, visit)
    throw wrongCredentials()
  }
  await forgiveGuess(deps, guess)
  if (own) await assertMayComeIn(deps, own)
  const recheck = async (trx: Transaction<Tables>) => {
    if (!own) return
    await assertSamePassword(trx, own)
    await notePasswordDue({ db: trx, clock: deps.clock }, form.password, own)
  }
  return letIn(deps, found.id, { visit, device }, recheck)
}

/** Checks what every way in requires of an account itself. @throws AppError `email_not_verified`, and as `assertMayEnter` */
export async function assertMayComeIn(
  deps: Pick<Platform, 'config' | 'mail'>,
  account: NonNullable<Awaited<ReturnType<typeof findAccount>>>,
): Promise<void> {
  // Administrators who have used the account are not shut out by a mail server that is set up later.
  const isTrusted = !account.proof_due && account.affiliations.some(({ role }) => role !== 'member')
  const isFree = account.email_verified_at !== null || account.proof_waived || isTrusted
  if (!isFree && (account.proof_due || (await mustProveAddresses(deps))))
    throw new AppError('email_not_verified', 'Email not verified')
  assertMayEnter(deps.config, account)
}

/** Refuses a password that was replaced while it was verified. @throws AppError `wrong_credentials` */
async function assertSamePassword(
  trx: Transaction<Tables>,
  { id, password_hash }: NonNullable<Awaited<ReturnType<typeof findAccount>>>,
): Promise<void> {
  if ((await findPasswordHash(trx, id)) !== password_hash) throw wrongCredentials()
}

/** Audits a wrong password for an existing name. The attempt limit also limits these entries. */
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

const wrongCredentials = () =>
  new AppError('wrong_credentials', 'Login failed. Please check your credentials.')
