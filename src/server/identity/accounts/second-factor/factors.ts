import { randomInt } from 'node:crypto'
import type { Transaction } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { changed } from '../../audit/audit.ts'
import { forgetAbout, takeTurn } from '../rate-limit-store.ts'
import { hashSecret } from '../tokens/access-token-store.ts'
import type { RecordOwn } from './record-own.ts'
import {
  confirmApp,
  findCodeApp,
  keepSecret,
  readFactors,
  removeApp,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from './second-factor-store.ts'
import { matchingStep, newTotpSecret, totpUri } from './totp.ts'

type Deps = Pick<Platform, 'db' | 'clock' | 'secrets'>
type Person = { id: string; email: string }

const recoveryCodes = 10
/** Alphabet without look-alikes. Sixteen characters give 77 bits, too many to find by the hash. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

/**
 * Creates a secret for an authenticator app. It becomes active when a code is confirmed.
 * @throws AppError `conflict` when an app is already active
 */
export async function beginApp({ db, clock, secrets }: Deps, { id, email }: Person) {
  const secret = newTotpSecret()
  if (await keepSecret(db, id, secrets.seal(secret), clock.now()))
    return { secret, uri: totpUri(secret, email) }
  throw new AppError('conflict', 'There is a code app already. Remove it first.')
}

/**
 * Begins the transaction of a change: locks the account and checks that the user may still make it. @throws AppError
 */
export type Claim = (trx: Transaction<Tables>) => Promise<void>
/** Permission for a change, and its audit entry. */
type By = { claim: Claim; record: RecordOwn }

/**
 * Activates the pending authenticator app and returns the recovery codes, only this once.
 * @throws AppError `invalid` at `code`, `conflict`, `rate_limited`, and as `claim`
 */
export async function confirmNewApp(
  deps: Deps,
  { id }: Person,
  code: string,
  { claim, record }: By,
): Promise<string[]> {
  await countTry(deps, id)
  const app = await findCodeApp(deps.db, id)
  if (!app || app.confirmed_at) throw noneBegun()
  if (!(await takeAppCode(deps, id, app.secret, code))) throw wrongCode()
  await forgetAbout(deps, aboutOf(id))
  const codes = makeCodes()
  await deps.db.transaction().execute(async (trx) => {
    await claim(trx)
    if (!(await confirmApp(trx, id, { secret: app.secret, at: deps.clock.now() }))) throw noneBegun()
    await replaceRecoveryCodes(trx, id, hashesOf(codes))
    await record(trx, { did: 'factor.added', changes: changed('factor', null, 'code app') })
  })
  return shownCodes(codes)
}

/**
 * Consumes an app code or a recovery code; each works once.
 * @throws AppError `invalid` at `code`, `rate_limited`
 */
export async function takeCode(deps: Deps, userId: string, typed: string): Promise<void> {
  await countTry(deps, userId)
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const app = await findCodeApp(deps.db, userId)
  const isRight =
    (app?.confirmed_at && (await takeAppCode(deps, userId, app.secret, code))) ||
    (await spendRecoveryCode(deps.db, userId, hashSecret(code), deps.clock.now()))
  if (!isRight) throw wrongCode()
  await forgetAbout(deps, aboutOf(userId))
}

/** Replaces the recovery codes. @throws AppError `conflict` without an app, and as `claim` */
export async function renewCodes(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { claim, record }: By,
): Promise<string[]> {
  const codes = makeCodes()
  await db.transaction().execute(async (trx) => {
    await claim(trx)
    if (!(await findCodeApp(trx, userId))?.confirmed_at)
      throw new AppError('conflict', 'Recovery codes belong to a code app. Set one up first.')
    await replaceRecoveryCodes(trx, userId, hashesOf(codes))
    await record(trx, { did: 'factor.added', changes: changed('recovery codes', null, 'replaced') })
  })
  return shownCodes(codes)
}

/** Removes the authenticator app. @throws AppError `conflict` when a company requires it, and as `claim` */
export async function giveUpApp(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { claim, record }: By,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await claim(trx)
    const { isRequired, hasPasskey } = await readFactors(trx, userId)
    if (isRequired && !hasPasskey)
      throw new AppError('conflict', 'Your company wants a second factor: this one cannot be given up.')
    await removeApp(trx, userId)
    await replaceRecoveryCodes(trx, userId, [])
    await record(trx, { did: 'factor.removed', changes: changed('factor', 'code app', null) })
  })
}

async function takeAppCode({ db, clock, secrets }: Deps, userId: string, sealed: string, code: string) {
  const step = matchingStep(secrets.open(sealed), code.trim(), clock.now())
  return step !== null && (await spendStep(db, userId, step))
}

/** Counts an attempt. Callers have passed the first step, so strangers cannot lock the user out. */
async function countTry(deps: Deps, userId: string): Promise<void> {
  await takeTurn(deps, 'second_factor', userId, { about: aboutOf(userId) })
  await takeTurn(deps, 'second_factor_day', userId, { about: aboutOf(userId) })
}

const aboutOf = (userId: string) => `second factor ${userId}`

const makeCodes = () => Array.from({ length: recoveryCodes }, makeCode)
const hashesOf = (codes: string[]) => codes.map((code) => hashSecret(code))
const shownCodes = (codes: string[]) => codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)

function makeCode(): string {
  return Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

const noneBegun = () => new AppError('conflict', 'No code app is being set up. Begin again.')

function wrongCode(): AppError {
  const message = 'The code is wrong, or was used already.'
  return new AppError('invalid', message, { errors: [{ path: 'code', message }] })
}
