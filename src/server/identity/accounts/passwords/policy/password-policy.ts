import type { Kysely } from 'kysely'
import * as contract from '#shared/identity/accounts/password-policy.ts'
import { countKinds, lengthOf, type passwordFailures } from '#shared/identity/accounts/password-strength.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../../platform/db/tables.ts'
import { type Server, serve } from '../../../../platform/http/serve.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { actorOf, changesBetween, writeAudit } from '../../../audit/audit.ts'
import { verifyPassword } from '../passwords.ts'
import { isCommon, isPersonal } from './is-guessable.ts'
import { findLastPasswords, readPolicy, setPasswordDue, storePolicy } from './password-policy-store.ts'

type Owner = { id?: string; username: string; full_name: string | null; email: string }
type Failure = (typeof passwordFailures)[number]

const DAY_MS = 86_400_000

/** Serves the policy for passwords of the whole installation. */
export function servePasswordPolicy(server: Server, { db, clock }: Platform): void {
  serve(server, contract.getPasswordPolicy, { handle: () => readPolicy(db) })
  serve(server, contract.setPasswordPolicy, {
    handle: async ({ user, body, request }) => {
      await db.transaction().execute(async (trx) => {
        const changes = changesBetween(factsOf(await readPolicy(trx)), factsOf(body))
        await storePolicy(trx, body, clock.now())
        const entry = { actor: actorOf(user, request), subject: '', changes }
        await writeAudit(trx, clock.now(), { ...entry, did: 'password_policy.changed' })
      })
      return readPolicy(db)
    },
  })
}

/** Returns the rules that forms show. */
export async function readPasswordRules(db: Kysely<Tables>): Promise<contract.PasswordRules> {
  const { min_length, refuses_common, min_kinds, history } = await readPolicy(db)
  return { min_length, refuses_common, min_kinds, history }
}

/**
 * Checks a new password, whichever way it is set. An owner without an id has no earlier passwords.
 * @throws AppError with the code of the first broken rule
 */
export async function assertNewPassword(db: Kysely<Tables>, password: string, owner: Owner): Promise<void> {
  const policy = await readPolicy(db)
  const broken = brokenRule(policy, password, owner)
  if (broken) throw refused(broken, policy)
  for (const hash of owner.id ? await findLastPasswords(db, owner.id, policy.history) : [])
    if (await verifyPassword(hash, password)) throw refused('password_used_before', policy)
}

/** Notes whether a user must change the password they just signed in with, because it breaks a rule of today or is too old. */
export async function notePasswordDue(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  password: string,
  owner: Owner & { id: string; password_set_at: Date; password_due: string | null },
): Promise<void> {
  const policy = await readPolicy(db)
  const { max_age_days: days, applies } = policy
  const isOld = days !== null && clock.now().getTime() - owner.password_set_at.getTime() > days * DAY_MS
  const due =
    (applies === 'now' && brokenRule(policy, password, owner)) || (isOld ? 'password_too_old' : null)
  if (due !== owner.password_due) await setPasswordDue(db, owner.id, due)
}

/** Returns the first rule that a password breaks by itself. */
function brokenRule(policy: contract.PasswordRules, password: string, owner: Owner): Failure | null {
  if (lengthOf(password) < policy.min_length) return 'password_too_short'
  if (countKinds(password) < policy.min_kinds) return 'password_kinds_missing'
  if (!policy.refuses_common) return null
  if (isPersonal(password, [owner.username, owner.full_name, owner.email])) return 'password_personal'
  return isCommon(password) ? 'password_common' : null
}

function refused(rule: Failure, { min_length, min_kinds, history }: contract.PasswordRules): AppError {
  const details: Record<Failure, string> = {
    password_too_short: `The password needs at least ${min_length} characters.`,
    password_kinds_missing: `The password needs ${min_kinds} of these: lower case, upper case, digits, other characters.`,
    password_personal:
      'The password must not be made of your name, your address or the name of this product.',
    password_common: 'This password is a common one. Choose one that is harder to guess.',
    password_used_before: `The password must differ from your last ${history}.`,
  }
  return new AppError(rule, details[rule])
}

const factsOf = ({
  refuses_common,
  min_length,
  min_kinds,
  history,
  max_age_days,
  applies,
}: contract.PasswordPolicy) => ({
  ...{ refuses_common: String(refuses_common), min_length: String(min_length), min_kinds: String(min_kinds) },
  ...{ history: String(history), max_age_days: max_age_days === null ? null : String(max_age_days), applies },
})
