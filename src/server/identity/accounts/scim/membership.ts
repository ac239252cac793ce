import type { Transaction } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { AuditChange } from '#shared/identity/audit/audit.ts'
import type { RoleRule } from '../../../platform/config/sign-on-settings.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { roleIn, setRole, superAdmins } from '../../administration/administration.ts'
import { actorById, changed } from '../../audit/audit.ts'
import { record } from './record.ts'
import { ScimError } from './scim-error.ts'
import { grantedRole } from './scim-group-store.ts'
import {
  activeAmong,
  endAccess,
  holdRoles,
  type Standing,
  setDeactivated,
  takeHeldRoles,
} from './standing-store.ts'

export type ScimDeps = Pick<Platform, 'db' | 'clock' | 'config' | 'log' | 'onNewAccount' | 'jobs'>
type Trx = Transaction<Tables>
type Person = { companyId: string; userId: string; standing: Standing }

/**
 * Removes a user from the company, its groups and grants. An account that belongs to this company alone is deactivated, and its sessions
 * and keys end. An account with another company stays active there.
 * @throws ScimError 403 for a super admin
 */
export async function takeOut(
  { clock }: ScimDeps,
  trx: Trx,
  { companyId, userId, standing }: Person,
): Promise<AuditChange[]> {
  const { role, isSuperAdmin, isOwn, isDeactivated } = standing
  if (isSuperAdmin)
    throw new ScimError(
      403,
      'This is a super admin. Only a super admin changes what they may do.',
      'mutability',
    )
  if (role !== null) await setRole(trx, companyId, userId, null)
  const shutsOut = isOwn && !isDeactivated
  if (shutsOut) await setDeactivated(trx, userId, { companyId, at: clock.now() })
  if (isOwn) await endAccess(trx, userId)
  return [...changed('role', role, null), ...(shutsOut ? changed('active', 'true', 'false') : [])]
}

/**
 * Undoes a `takeOut` by this directory, but nothing that an administrator or another directory did.
 * Returns what remains unchanged, as sentences for the administrator.
 */
export async function bringBack(
  deps: ScimDeps,
  trx: Trx,
  { companyId, userId, standing }: Person,
): Promise<{ changes: AuditChange[]; ignored: string[] }> {
  const { role, isSuperAdmin, isElsewhere, isDeactivated, isDeactivatedHere, isEndedHere } = standing
  if (isSuperAdmin) return { changes: [], ignored: ['A super admin is changed by super admins alone.'] }
  const ignored: string[] = []
  const returns = role === null && isEndedHere
  if (returns) await setRole(trx, companyId, userId, 'member')
  else if (role === null) ignored.push('An administrator took this person out of the company: invite them.')
  const letsIn = isDeactivatedHere && !isElsewhere
  if (letsIn) {
    await followGroupsBack(deps, trx, userId)
    await setDeactivated(trx, userId, null)
  } else if (isDeactivated)
    ignored.push('This account was not deactivated by this directory: an administrator reactivates it.')
  const changes = [
    ...(returns ? changed('role', null, 'member') : []),
    ...(letsIn ? changed('active', 'false', 'true') : []),
  ]
  return { changes, ignored }
}

/**
 * Sets the company roles that the users' groups grant. Super admins stay unchanged. Roles of deactivated accounts follow when these
 * are reactivated (`followGroupsBack`). Writes the audit entries last, because a lock taken
 * after the first one could wait for a transaction that waits to write its own.
 */
export async function followGroupsOf(
  deps: ScimDeps,
  trx: Trx,
  companyId: string,
  userIds: Iterable<string>,
): Promise<void> {
  const rules = deps.config.ATRIUM_SIGN_ON_ROLES.filter(
    (rule) => rule.provider === 'scim' && rule.companyId === companyId,
  )
  if (rules.length === 0) return
  const ids = [...userIds]
  await holdRoles(trx, companyId, ids)
  await follow(deps, trx, { companyId, userIds: await activeAmong(trx, ids), rules })
}

/**
 * Sets the roles that changes of groups would have set while the account was deactivated. Call it in the transaction of a reactivation,
 * before the account becomes active: no one may have the earlier role meanwhile.
 */
export async function followGroupsBack(deps: Following, trx: Trx, userId: string): Promise<void> {
  for (const companyId of await takeHeldRoles(trx, userId)) {
    const rules = deps.config.ATRIUM_SIGN_ON_ROLES.filter(
      (rule) => rule.provider === 'scim' && rule.companyId === companyId,
    )
    if (rules.length > 0) await follow(deps, trx, { companyId, userIds: [userId], rules })
  }
}

type Following = Pick<ScimDeps, 'clock' | 'config' | 'log'>

async function follow(
  deps: Following,
  trx: Trx,
  { companyId, userIds, rules }: { companyId: string; userIds: string[]; rules: RoleRule[] },
): Promise<void> {
  const chiefs = new Set(await superAdmins(trx))
  const done: { userId: string; changes: AuditChange[] }[] = []
  for (const userId of userIds) {
    const before = (await roleIn(trx, companyId, userId)) ?? null
    if (before === null) continue
    const role: RoleName = (await grantedRole(trx, companyId, userId, rules)) ?? 'member'
    if (role === before) continue
    if (chiefs.has(userId)) {
      const why = 'A super admin keeps the role that no group of the directory grants.'
      deps.log.warn({ userId, companyId }, why)
      continue
    }
    await setRole(trx, companyId, userId, role)
    done.push({ userId, changes: changed('role', before, role) })
  }
  for (const { userId: subjectId, changes } of done) {
    const { actor } = await actorById(trx, subjectId, null)
    await record(deps, trx, companyId, { did: 'role.changed', subject: actor.name, subjectId, changes })
  }
}
