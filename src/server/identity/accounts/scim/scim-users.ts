import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../platform/db/tables.ts'
import { lockRoles, setRole } from '../../administration/administration.ts'
import { changed } from '../../audit/audit.ts'
import { verifiedCompanyOf } from '../domains/domains.ts'
import { findByEmail, insertUser } from '../store.ts'
import { type ScimDeps, takeOut } from './membership.ts'
import { languageOf, nameOf } from './names.ts'
import { record } from './record.ts'
import { ScimError } from './scim-error.ts'
import {
  findUser,
  forgetUser,
  isNameTaken,
  isUsernameTaken,
  keepUser,
  type ScimUserRow,
} from './scim-user-store.ts'
import { lockStanding, type Standing } from './standing-store.ts'
import type { UserDraft } from './user-draft.ts'

type Trx = Transaction<Tables>

/** Returns a user of the company as its directory sees them. @throws ScimError 404 */
export async function readPerson(
  { db }: Pick<ScimDeps, 'db'>,
  companyId: string,
  id: string,
): Promise<ScimUserRow> {
  const found = await findUser(db, companyId, id)
  if (!found) throw new ScimError(404, `There is no user ${id.slice(0, 60)}.`)
  return found
}

/** @throws ScimError 404 */
export async function lockPersonOf(trx: Trx, companyId: string, { id }: ScimUserRow): Promise<Standing> {
  const standing = await lockStanding(trx, companyId, id)
  if (!standing) throw new ScimError(404, `There is no user ${id}.`)
  return standing
}

/**
 * Creates an account in the company. It has no password: the user signs in through the sign-on or requests a password by mail. The address
 * counts as proved when the company has verified its domain; otherwise the user must prove it.
 * @throws ScimError 400, 403 for an address in another company's domain, 409
 */
export async function createPerson(
  deps: ScimDeps,
  companyId: string,
  draft: UserDraft,
): Promise<ScimUserRow> {
  assertNamed(draft)
  if (!isAddress(draft.email))
    throw new ScimError(400, 'A user needs an e-mail address, in emails or as userName.', 'invalidValue')
  const id = await deps.db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    await assertFree(trx, companyId, draft, null)
    const owner = await verifiedCompanyOf(trx, draft.email)
    if (owner !== null && owner !== companyId)
      throw new ScimError(403, 'Another company has verified the domain of this address. Invite its person.')
    await assertAddressFree(trx, companyId, draft.email)
    const now = deps.clock.now()
    const isProved = owner === companyId
    const account = {
      ...{ username: await freeUsername(trx, draft), email: draft.email, fullName: nameOf(draft) },
      ...{ passwordHash: null, language: languageOf(draft) ?? 'en', emailProved: isProved },
    }
    const beginning = { verifiedAt: isProved ? now : null, proofDue: !isProved }
    const userId = await insertUser(trx, account, beginning)
    await deps.onNewAccount(trx, userId)
    await setRole(trx, companyId, userId, 'member')
    const standing = draft.active ? null : await lockStanding(trx, companyId, userId)
    if (standing) await takeOut(deps, trx, { companyId, userId, standing })
    await keepUser(trx, { companyId, userId, ...draft, isEndedHere: !draft.active }, now)
    const changes = [
      ...changed('user_name', null, draft.userName),
      ...changed('external_id', null, draft.externalId),
      ...changed('email', null, draft.email),
      ...changed('address_proved', null, String(isProved)),
      ...changed('active', null, String(draft.active)),
    ]
    const subject = { subject: account.username, subjectId: userId }
    await record(deps, trx, companyId, { did: 'account.created', ...subject, changes })
    return userId
  })
  return readPerson(deps, companyId, id)
}

/** Removes a user from the company and the directory. Their data stays until the account is deleted. @throws ScimError 403 */
export async function removePerson(deps: ScimDeps, companyId: string, person: ScimUserRow): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const standing = await lockPersonOf(trx, companyId, person)
    const changes = await takeOut(deps, trx, { companyId, userId: person.id, standing })
    await forgetUser(trx, companyId, person.id)
    const subject = { subject: person.username, subjectId: person.id }
    changes.push(...changed('user_name', person.user_name, null))
    await record(deps, trx, companyId, { did: 'account.changed', ...subject, changes })
  })
}

/** @throws ScimError `uniqueness` when another person of the company has the userName */
export async function assertFree(
  trx: Trx,
  companyId: string,
  { userName }: UserDraft,
  but: string | null,
): Promise<void> {
  if (await isNameTaken(trx, companyId, userName, but))
    throw new ScimError(409, 'A user of this name is there already.', 'uniqueness')
}

/** @throws ScimError `invalidValue` */
export function assertNamed({ userName }: UserDraft): void {
  if (userName.trim() === '') throw new ScimError(400, 'A user needs a userName.', 'invalidValue')
}

export const isAddress = (email: string) => z.email().safeParse(email).success

/** Refuses addresses with an account, because joining a company requires the user's consent. @throws ScimError `uniqueness` */
async function assertAddressFree(trx: Trx, companyId: string, email: string): Promise<void> {
  const holder = await findByEmail({ db: trx }, email)
  if (!holder) return
  const isOfCompany = (await findUser(trx, companyId, holder.id)) !== null
  const why = isOfCompany
    ? 'A user of this address is there already.'
    : 'An account outside of the company has this address. Invite its person into the company.'
  throw new ScimError(409, why, 'uniqueness')
}

/** Derives a valid, free username from the directory's name, with a number if needed. */
async function freeUsername(trx: Trx, { userName, email }: UserDraft): Promise<string> {
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
