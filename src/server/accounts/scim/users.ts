import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { RoleName } from '#shared/accounts/accounts.ts'
import { lockPerson, roleIn, setRole, superAdmins } from '../../administration/administration.ts'
import { writeAudit } from '../../audit/audit.ts'
import { grantStartingBalance } from '../../billing/billing.ts'
import { cleanCharacters } from '../../db/db.ts'
import type { Tables } from '../../db/tables.ts'
import type { Platform } from '../../platform.ts'
import { insertUser } from '../store.ts'
import { grantedRole } from './group-store.ts'
import { ScimError } from './scim-error.ts'
import type { UserDraft } from './user-draft.ts'
import {
  endAccess,
  findUser,
  forgetUser,
  isElsewhere,
  isNameTaken,
  isUsernameTaken,
  keepUser,
  type ScimUserRow,
  setDeactivated,
  setNames,
} from './user-store.ts'

export type ScimDeps = Pick<Platform, 'db' | 'clock' | 'config' | 'log'>
const actor = { id: null, name: 'SCIM', address: null }

/** A person of the company, as its directory sees them. @throws ScimError 404 */
export async function readPerson({ db }: ScimDeps, companyId: string, id: string): Promise<ScimUserRow> {
  const found = await findUser(db, companyId, id)
  if (!found) throw new ScimError(404, `There is no user ${id.slice(0, 60)}.`)
  return found
}

/** What is known of a person, to be changed. */
export function draftOf(row: ScimUserRow): UserDraft {
  const [givenName = '', ...rest] = (row.full_name ?? '').split(' ')
  return {
    ...{ userName: row.user_name, externalId: row.external_id, email: row.email, active: row.active },
    ...{ givenName, familyName: rest.join(' '), displayName: row.full_name ?? '', language: row.language },
  }
}

/** Makes an account in the company. It has no password: its person signs in by the sign-on, or asks for one by mail. */
export async function createPerson(
  deps: ScimDeps,
  companyId: string,
  draft: UserDraft,
): Promise<ScimUserRow> {
  assertWhole(draft)
  const id = await deps.db.transaction().execute(async (trx) => {
    await assertFree(trx, companyId, draft, null)
    const now = deps.clock.now()
    const account = {
      ...{ username: await freeUsername(trx, draft), email: draft.email, fullName: nameOf(draft) },
      ...{ passwordHash: null, language: languageOf(draft) ?? 'en', emailProved: true },
    }
    const userId = await insertUser(trx, account, { verifiedAt: now, proofDue: false })
    await grantStartingBalance(trx, deps.config, userId)
    await keepUser(trx, { companyId, userId, ...draft }, now)
    await setRole(trx, companyId, userId, 'member')
    if (!draft.active) await deactivate(deps, trx, companyId, userId)
    const subject = { subject: account.username, subjectId: userId, companyId }
    await writeAudit(trx, now, { actor, did: 'account.created', ...subject })
    return userId
  })
  return readPerson(deps, companyId, id)
}

/** Brings a person to what the directory says of them. */
export async function changePerson(
  deps: ScimDeps,
  companyId: string,
  before: ScimUserRow,
  draft: UserDraft,
): Promise<ScimUserRow> {
  assertWhole(draft)
  if (draft.email.toLowerCase() !== before.email.toLowerCase())
    // Whoever could change it here could have a link mailed that signs them in.
    throw new ScimError(400, 'The address of an account is changed by its person alone.', 'mutability')
  await deps.db.transaction().execute(async (trx) => {
    await assertFree(trx, companyId, draft, before.id)
    const now = deps.clock.now()
    if (draft.displayName !== (before.full_name ?? '') || draft.givenName || draft.familyName)
      await setNames(trx, before.id, { fullName: nameOf(draft), language: languageOf(draft) })
    await keepUser(trx, { companyId, userId: before.id, ...draft }, now)
    if (draft.active === before.active) return
    if (draft.active) await activate(trx, companyId, before.id)
    else await deactivate(deps, trx, companyId, before.id)
    await writeAudit(trx, now, {
      ...{ actor, did: 'account.changed', subject: before.username, subjectId: before.id, companyId },
      changes: [{ what: 'active', before: String(before.active), after: String(draft.active) }],
    })
  })
  return readPerson(deps, companyId, before.id)
}

/** Takes a person out of the company for good, as if they were deactivated. What is theirs stays until the account is deleted. */
export async function removePerson(
  deps: ScimDeps,
  companyId: string,
  { id, username }: ScimUserRow,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await deactivate(deps, trx, companyId, id)
    await forgetUser(trx, companyId, id)
    const subject = { subject: username, subjectId: id, companyId }
    const changes = [{ what: 'active', before: 'true', after: 'false' }]
    await writeAudit(trx, deps.clock.now(), { actor, did: 'account.changed', ...subject, changes })
  })
}

/** Gives somebody the role that their groups grant; the last super admin stays one. */
export async function followGroupsOf(
  { clock, config, log }: ScimDeps,
  trx: Transaction<Tables>,
  companyId: string,
  userId: string,
): Promise<void> {
  const before = (await roleIn(trx, companyId, userId)) ?? null
  if (before === null) return
  const rules = config.ATRIUM_SIGN_ON_ROLES.filter(
    (rule) => rule.provider === 'scim' && rule.companyId === companyId,
  )
  if (rules.length === 0) return
  const role: RoleName = (await grantedRole(trx, companyId, userId, rules)) ?? 'member'
  if (role === before) return
  if (before === 'super_admin' && (await superAdmins(trx)).join() === userId) {
    log.warn({ userId, companyId }, 'The last super admin keeps the role that no group grants.')
    return
  }
  await setRole(trx, companyId, userId, role)
  const { name } = await lockPerson(trx, userId)
  const subject = { subject: name, subjectId: userId, companyId }
  await writeAudit(trx, clock.now(), {
    actor,
    did: 'role.changed',
    ...subject,
    changes: [{ what: 'role', before, after: role }],
  })
}

async function activate(trx: Transaction<Tables>, companyId: string, userId: string): Promise<void> {
  await setDeactivated(trx, userId, null)
  await setRole(trx, companyId, userId, 'member')
}

/** Who is in other companies too only leaves this one; an account of it alone signs in nowhere. Sessions and keys end in any case. */
async function deactivate(
  { clock }: ScimDeps,
  trx: Transaction<Tables>,
  companyId: string,
  userId: string,
): Promise<void> {
  if ((await superAdmins(trx)).join() === userId)
    throw new ScimError(409, 'This is the only super admin of the installation. Name another one first.')
  await setRole(trx, companyId, userId, null)
  if (!(await isElsewhere(trx, companyId, userId))) await setDeactivated(trx, userId, clock.now())
  await endAccess(trx, userId)
}

async function assertFree(
  trx: Transaction<Tables>,
  companyId: string,
  { userName }: UserDraft,
  but: string | null,
) {
  if (await isNameTaken(trx, companyId, userName, but))
    throw new ScimError(409, 'A user of this name is there already.', 'uniqueness')
}

/** @throws ScimError `invalidValue` */
function assertWhole({ userName, email }: UserDraft): void {
  if (userName.trim() === '') throw new ScimError(400, 'A user needs a userName.', 'invalidValue')
  if (!z.email().safeParse(email).success)
    throw new ScimError(400, 'A user needs an e-mail address, in emails or as userName.', 'invalidValue')
}

const nameOf = ({ displayName, givenName, familyName }: UserDraft) =>
  cleanCharacters(`${givenName} ${familyName}`.trim() || displayName.trim()).slice(0, 100) || null

function languageOf({ language }: UserDraft): 'en' | 'fr' | null {
  const short = language?.slice(0, 2).toLowerCase()
  return short === 'en' || short === 'fr' ? short : null
}

/** A name as accounts have them, of what the directory calls a person; with a number where it is taken. */
async function freeUsername(trx: Transaction<Tables>, { userName, email }: UserDraft): Promise<string> {
  const start = (userName.split('@')[0] || email.split('@')[0] || 'user')
    .normalize('NFKD')
    .replace(/[^\w.-]/g, '')
    .slice(0, 24)
  const stem = start.length >= 3 ? start : `user-${start}`
  for (let n = 0; n < 100; n++) {
    const name = n === 0 ? stem : `${stem}${n + 1}`
    if (!(await isUsernameTaken(trx, name))) return name
  }
  throw new ScimError(409, 'There are too many accounts of this name.', 'uniqueness')
}
