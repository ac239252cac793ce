import type { SignUpCompany, SignUpRules } from '#shared/identity/accounts/joining.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertFree, givenOf } from '../../../platform/config/fixed-settings.ts'
import type { Database } from '../../../platform/db/db.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Actor, changesBetween, writeAudit } from '../../audit/audit.ts'
import { readStoredRules, storeRules } from './policy-store.ts'

type Rules = Pick<SignUpRules, 'policy' | 'domains'>
type Stored = Rules & Pick<SignUpRules, 'company'>

const unlimited: Stored = { policy: 'open', domains: [], company: 'first' }
/** Domains have no effect without a policy. */
const fixing = (config: Platform['config']) =>
  config.ATRIUM_SIGN_UP === 'domain'
    ? ['ATRIUM_SIGN_UP', 'ATRIUM_SIGN_UP_DOMAINS']
    : givenOf(config, 'ATRIUM_SIGN_UP')
const factsOf = ({ policy, domains, company }: Stored) => ({ policy, domains: domains.join(', '), company })

/** Returns the sign-up policy: from the environment, else set by a super admin, else open. */
export async function readSignUpRules(db: Database, config: Platform['config']): Promise<SignUpRules> {
  const { ATRIUM_SIGN_UP: policy, ATRIUM_SIGN_UP_DOMAINS: domains } = config
  const fixed_by = fixing(config)
  const stored = (await readStoredRules(db)) ?? unlimited
  const company = config.ATRIUM_SIGN_UP_COMPANY ?? stored.company
  const company_fixed_by = givenOf(config, 'ATRIUM_SIGN_UP_COMPANY')
  const rules = policy ? { policy, domains } : stored
  return { ...rules, company, is_fixed: policy !== undefined, fixed_by, company_fixed_by }
}

/** @throws AppError `conflict` while the environment decides, `invalid` for domains without one */
export async function setSignUpRules(
  { db, config, clock }: Pick<Platform, 'db' | 'config' | 'clock'>,
  actor: Actor,
  { company, ...rules }: Rules & { company?: SignUpCompany | undefined },
): Promise<SignUpRules> {
  assertFree(fixing(config))
  if (company !== undefined) assertFree(givenOf(config, 'ATRIUM_SIGN_UP_COMPANY'))
  if (rules.policy === 'domain' && rules.domains.length === 0) {
    const message = 'needs at least one domain'
    throw new AppError('invalid', 'Name at least one domain.', { errors: [{ path: 'domains', message }] })
  }
  await db.transaction().execute(async (trx) => {
    const before = await readStoredRules(trx)
    const kept = {
      ...{ policy: rules.policy, domains: [...new Set(rules.domains)] },
      company: company ?? before?.company ?? unlimited.company,
    }
    await storeRules(trx, kept, clock.now())
    const changes = changesBetween(factsOf(before ?? unlimited), factsOf(kept))
    await writeAudit(trx, clock.now(), { actor, did: 'sign_up.changed', subject: '', changes })
  })
  return readSignUpRules(db, config)
}

/**
 * Checks that an address may sign up without an invitation. Returns `mustProve` when it is admitted for its domain and must be
 * proved. @throws AppError `sign_up_refused`
 */
export function admitAddress({ policy, domains }: Rules, email: string): { mustProve: boolean } {
  switch (policy) {
    case 'open':
      return { mustProve: false }
    case 'domain':
      if (domains.includes(domainOf(email))) return { mustProve: true }
      throw refused('Only addresses of certain domains may make an account here.')
    case 'invitation':
      throw refused('An account is made by invitation here.')
    case 'closed':
      throw refused('No accounts are made here.')
    default:
      return policy satisfies never
  }
}

function refused(why: string): AppError {
  return new AppError('sign_up_refused', `${why} Ask an administrator.`)
}

/** Returns the lower-case domain of an address. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
