import type { Transaction } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { RoleRule } from '../../../platform/config/sign-on-settings.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import {
  isCompany,
  isLastSuperAdmin,
  lockPerson,
  lockRoles,
  roleIn,
  setRole,
} from '../../administration/administration.ts'
import { actorById, changed, writeAudit } from '../../audit/audit.ts'
import { isLastEnteringAdmin } from '../../networks/networks.ts'
import { providerNames } from './providers.ts'
import type { Groups } from './sign-on-service.ts'
import { findProvider } from './stored/provider-store.ts'

const rank = { member: 1, company_admin: 2, super_admin: 3 } satisfies Record<RoleName, number>

/**
 * Sets exactly the roles that the provider's rules grant for the user's groups. In a company named by the service's rules, a user
 * without a matching rule loses membership. The last super admin is kept, and the last administrator who can enter from the networks. While the groups are unknown all roles stay, and the audit
 * log says why.
 */
export async function followGroups(
  deps: Pick<Platform, 'db' | 'clock' | 'config' | 'log'>,
  provider: string,
  groups: Groups,
  userId: string,
): Promise<void> {
  const rules = await rulesOf(deps, provider)
  if (rules.length === 0) return
  if (typeof groups === 'string') return recordUnknown(deps, provider, groups, userId)
  const granted = new Map<string, RoleName | null>()
  for (const { companyId, group, role } of rules) {
    const before = granted.get(companyId) ?? null
    const isHigher = includesGroup(groups, group) && rank[role] > (before ? rank[before] : 0)
    granted.set(companyId, isHigher ? role : before)
  }
  for (const [companyId, role] of granted) {
    const step = { provider, userId, companyId, role }
    await deps.db.transaction().execute((trx) => follow(deps, trx, step))
  }
}

type Rule = Pick<RoleRule, 'group' | 'companyId' | 'role'>

/** Returns the rules of the environment and, for a stored provider, its own. */
async function rulesOf({ db, config }: Pick<Platform, 'db' | 'config'>, provider: string): Promise<Rule[]> {
  const fixed = config.ATRIUM_SIGN_ON_ROLES.filter((rule) => rule.provider === provider)
  const stored = (await findProvider(db, provider))?.rules ?? []
  return [...fixed, ...stored.map(({ company_id: companyId, ...rule }) => ({ ...rule, companyId }))]
}

/** Keycloak writes the full path of a group, with a slash in front. */
function includesGroup(groups: string[], wanted: string): boolean {
  const plain = (name: string) => name.replace(/^\//, '')
  return groups.some((group) => plain(group) === plain(wanted))
}

async function recordUnknown(
  { db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>,
  provider: string,
  reason: string,
  userId: string,
): Promise<void> {
  const actor = { id: null, name: (await providerNames({ db, config }))(provider), address: null }
  await db.transaction().execute(async (trx) => {
    const { actor: person, companyId } = await actorById(trx, userId, null)
    await writeAudit(trx, clock.now(), {
      ...{ actor, subject: person.name, subjectId: userId, companyId, did: 'sign_on.groups_unknown' },
      changes: [...changed('service', null, provider), ...changed('groups', null, reason)],
    })
  })
}

type Step = { provider: string; userId: string; companyId: string; role: RoleName | null }

async function follow(
  { clock, config, log }: Pick<Platform, 'clock' | 'config' | 'log'>,
  trx: Transaction<Tables>,
  { provider, userId, companyId, role }: Step,
): Promise<void> {
  await lockRoles(trx)
  const { name: subject } = await lockPerson(trx, userId)
  const before = (await roleIn(trx, companyId, userId)) ?? null
  if (before === role) return
  if (before === 'super_admin' && (await isLastSuperAdmin(trx, userId))) {
    log.warn({ userId, companyId }, 'The last super admin keeps the role that no group grants.')
    return
  }
  if ((role ?? 'member') === 'member' && (await isLastEnteringAdmin(trx, companyId, userId))) {
    log.warn(
      { userId, companyId },
      'The last administrator who can enter keeps the role that no group grants.',
    )
    return
  }
  if (!(await isCompany(trx, companyId))) {
    log.warn({ companyId }, 'A rule for groups names a company that is not there.')
    return
  }
  await setRole(trx, companyId, userId, role)
  const actor = { id: null, name: (await providerNames({ db: trx, config }))(provider), address: null }
  const changes = [{ what: 'role', before, after: role }]
  await writeAudit(trx, clock.now(), {
    ...{ actor, subject, subjectId: userId, companyId },
    did: 'role.changed',
    changes,
  })
}
