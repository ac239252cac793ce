import type { Transaction } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import * as contract from '#shared/identity/administration/administration.ts'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, type Person, reaches } from '../../platform/access/access.ts'
import { assertFree, givenOf } from '../../platform/config/fixed-settings.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf, changesBetween, writeAudit } from '../audit/audit.ts'
import { serveGroups } from './groups.ts'
import { assertMayChange, assertWholeAccount } from './may-change.ts'
import {
  type CompanyRow,
  changeCompany,
  findCompanies,
  findDetails,
  findUser,
  findUsers,
  insertCompany,
  isCompany,
  isLastSuperAdmin,
  lockPerson,
  roleIn,
  setBetaAccess,
  setRole,
} from './store.ts'

export { assertMayChange, assertWholeAccount } from './may-change.ts'
export { isCompany, isLastSuperAdmin, lockPerson, lockRoles, roleIn, setRole, superAdmins } from './store.ts'

const DAY_MS = 86_400_000

/** Serves the administration of users and companies. */
export function serveAdministration(server: Server, platform: Platform): void {
  const { db, config, clock } = platform
  serveGroups(server, platform)
  const isBilled = config.ATRIUM_BILLING === 'on'
  const outward_fixed_by = givenOf(config, 'ATRIUM_OUTWARD_CALLS')
  const show = ({ second_factor_since: since, ...company }: CompanyRow): contract.ManagedCompany => ({
    second_factor_binds_at: since && new Date(since.getTime() + contract.GRACE_DAYS * DAY_MS).toISOString(),
    ...{ ...company, outward_fixed_by, outward_calls: config.ATRIUM_OUTWARD_CALLS ?? company.outward_calls },
  })
  serve(server, contract.listManagedUsers, {
    handle: async ({ user, query: { page, limit, q = '', ...filter } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findUsers(db, user, { ...filter, isBilled, q, skip, limit })
      return { items, total, page, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.getManagedUser, {
    handle: async ({ user, params: { userId } }) => ({
      ...(await readManaged(platform, user, userId)),
      ...(await findDetails(db, user, userId, clock.now())),
    }),
  })
  serve(server, contract.updateManagedUser, {
    handle: async ({ user, params: { userId }, body, request }) => {
      const { membership, beta_access, verified } = body
      if (verified !== undefined) throw onlyOwnersProve()
      await db.transaction().execute(async (trx) => {
        await assertMayChange(trx, user, userId)
        const person = await lockPerson(trx, userId)
        // During a closed beta it decides whether they come in at all.
        if (beta_access !== undefined && beta_access !== person.beta_access)
          await assertWholeAccount(trx, user, userId)
        await setBetaAccess(trx, userId, beta_access)
        const before = membership ? await changeRole(trx, user, userId, membership) : null
        const subject = { actor: actorOf(user, request), subject: person.name, subjectId: userId }
        const flags = changesBetween(
          { beta_access: String(person.beta_access) },
          { beta_access: beta_access?.toString() },
        )
        const companyId = membership?.company_id ?? person.company_id
        if (flags.length > 0)
          await writeAudit(trx, clock.now(), {
            ...subject,
            did: 'account.changed',
            companyId,
            changes: flags,
          })
        if (membership && before !== membership.role) {
          const changes = [{ what: 'role', before, after: membership.role }]
          await writeAudit(trx, clock.now(), { ...subject, did: 'role.changed', companyId, changes })
        }
      })
      return readManaged(platform, user, userId)
    },
  })
  serve(server, contract.listManagedCompanies, {
    handle: async ({ user }) => (await findCompanies(db, user)).map(show),
  })
  serve(server, contract.createCompany, {
    handle: ({ user, body, request }) =>
      db.transaction().execute(async (trx) => {
        const company = await insertCompany(trx, body.name)
        const { id: companyId, name: subject } = company
        const actor = actorOf(user, request)
        await writeAudit(trx, clock.now(), { actor, did: 'company.created', subject, companyId })
        return show(company)
      }),
  })
  serve(server, contract.updateCompany, {
    handle: async ({ user, params: { companyId }, body, request }) => {
      if (body.outward_calls !== undefined) assertFree(outward_fixed_by)
      return db.transaction().execute(async (trx) => {
        const { before, company } = await changeCompany(trx, companyId, body, clock.now())
        const actor = actorOf(user, request)
        const changes = changesBetween(factsOf(before), factsOf(company))
        const did = before.name === company.name ? 'company.changed' : 'company.renamed'
        await writeAudit(trx, clock.now(), { actor, did, subject: before.name, companyId, changes })
        return show(company)
      })
    },
  })
}

/** Returns a user as an administrator sees them. @throws AppError `not_found` */
export async function readManaged(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  admin: Person,
  userId: string,
): Promise<contract.ManagedUser> {
  const found = await findUser(db, admin, userId, config.ATRIUM_BILLING === 'on')
  if (!found) throw new AppError('not_found', 'User not found')
  return found
}

/**
 * Changes a user's role in a company. Returns the previous role.
 * @throws AppError `forbidden` outside of the administrator's companies, `conflict` for the last super admin
 */
async function changeRole(
  trx: Transaction<Tables>,
  admin: Person,
  userId: string,
  { company_id, role }: contract.Membership,
): Promise<RoleName | null> {
  const isSuper = reaches(admin, 'super_admin')
  const before = await roleIn(trx, company_id, userId)
  if (before === undefined && isSuper && !(await isCompany(trx, company_id)))
    throw new AppError('not_found', 'Company not found')
  if (!isSuper && (before === undefined || !administeredBy(admin).includes(company_id)))
    throw new AppError('forbidden', 'Only a super admin brings somebody into a company.')
  if (!isSuper && role === 'super_admin')
    throw new AppError('forbidden', 'Only a super admin names super admins.')
  if (before === 'super_admin' && role !== 'super_admin' && (await isLastSuperAdmin(trx, userId)))
    throw new AppError('conflict', 'This is the only super admin. Name another one first.')
  await setRole(trx, company_id, userId, role)
  return before ?? null
}

/** Returns a company's values for the audit log. */
function factsOf({
  name,
  requires_second_factor,
  outward_calls,
  members_share,
  mails_show_content,
}: Pick<
  contract.ManagedCompany,
  'name' | 'requires_second_factor' | 'outward_calls' | 'members_share' | 'mails_show_content'
>) {
  const yesOrNo = (is: boolean) => (is ? 'yes' : 'no')
  return {
    ...{ name, outward_calls, requires_second_factor: yesOrNo(requires_second_factor) },
    members_share: yesOrNo(members_share),
    mails_show_content: yesOrNo(mails_show_content),
  }
}

/** Returns the error for proving an address on a user's behalf: an administrator's accomplice may have registered a foreign address. */
function onlyOwnersProve(): AppError {
  const message = 'An address is proved by its owner: by a mail, a sign-on service or a verified domain.'
  return new AppError('invalid', message, { errors: [{ path: 'verified', message }] })
}
