import type { Transaction } from 'kysely'
import type { AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { changed } from '../../audit/audit.ts'
import { isVerifiedFor } from '../domains/domains.ts'
import { tellOldAddress } from '../profile/change-email.ts'
import { findByEmail, setEmail } from '../store.ts'
import { bringBack, followGroupsOf, type ScimDeps, takeOut } from './membership.ts'
import { changedName, languageOf } from './names.ts'
import { record } from './record.ts'
import { scimErrorOf } from './scim-error.ts'
import { keepUser, type ScimUserRow } from './scim-user-store.ts'
import { assertFree, assertNamed, isAddress, lockPersonOf, readPerson } from './scim-users.ts'
import { type Standing, setNames } from './standing-store.ts'
import { noteRefusal } from './token-store.ts'
import type { UserDraft } from './user-draft.ts'

type Trx = Transaction<Tables>
type Said = { known: UserDraft; draft: UserDraft }
type About = { companyId: string; userId: string; standing: Standing }
type Outcome = { changes: AuditChange[]; ignored: string[] }
const unchanged: Outcome = { changes: [], ignored: [] }

type Change = {
  /** Whether the body deactivates the user, whatever else it contains. */
  leaves: boolean
  /** Merges the body into the known state. @throws ScimError */
  read: (before: UserDraft) => UserDraft
}

/**
 * Updates a user from the directory, as far as the company may. Deactivation is applied before anything else. Returns the stored state:
 * Entra and Okta repeat a refused request for hours, so changes that are not allowed are skipped and noted for the
 * administrator (RFC 7644, 3.5.1: a server may ignore what a client cannot change).
 * @throws ScimError 403 for deactivating a super admin, 400 and 409 unless the user is deactivated
 */
export async function changePerson(
  deps: ScimDeps,
  companyId: string,
  id: string,
  { leaves, read }: Change,
): Promise<ScimUserRow> {
  const before = await readPerson(deps, companyId, id)
  if (leaves) await endMembership(deps, companyId, before)
  try {
    const known = draftOf(before)
    const draft = read(known)
    if (!draft.active && before.active && !leaves) await endMembership(deps, companyId, before)
    const ignored = await apply(deps, companyId, before, { known, draft })
    if (ignored.length > 0) await note(deps, companyId, `${before.user_name}: ${ignored.join(' ')}`)
  } catch (error) {
    const { status, message } = scimErrorOf(error)
    if (!leaves || status >= 500) throw error
    await note(deps, companyId, `${before.user_name}: ${message}`)
  }
  return readPerson(deps, companyId, id)
}

/** Returns the stored state of a user as a draft. */
function draftOf(row: ScimUserRow): UserDraft {
  const [givenName = '', ...rest] = (row.full_name ?? '').split(' ')
  return {
    ...{ userName: row.user_name, externalId: row.external_id, email: row.email ?? '', active: row.active },
    ...{ givenName, familyName: rest.join(' '), displayName: row.full_name ?? '', language: row.language },
  }
}

async function endMembership(deps: ScimDeps, companyId: string, person: ScimUserRow): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const standing = await lockPersonOf(trx, companyId, person)
    const changes = await takeOut(deps, trx, { companyId, userId: person.id, standing })
    const isEndedHere = standing.role !== null || standing.isEndedHere
    const kept = { companyId, userId: person.id, userName: person.user_name, externalId: person.external_id }
    await keepUser(trx, { ...kept, isEndedHere }, deps.clock.now())
    await recordChange(deps, trx, companyId, person, changes)
  })
}

/** Applies the changes. Returns the skipped ones as sentences. */
async function apply(
  deps: ScimDeps,
  companyId: string,
  person: ScimUserRow,
  { known, draft }: Said,
): Promise<string[]> {
  assertNamed(draft)
  const { outcomes, oldAddress } = await deps.db.transaction().execute(async (trx) => {
    const standing = await lockPersonOf(trx, companyId, person)
    await assertFree(trx, companyId, draft, person.id)
    const about = { companyId, userId: person.id, standing }
    const email = await changeEmail(deps, trx, about, draft)
    const names = await changeNames(trx, about, { known, draft })
    const back = draft.active && !person.active ? await bringBack(deps, trx, about) : unchanged
    const isOut = standing.role === null && !back.changes.some(({ what }) => what === 'role')
    const kept = { companyId, userId: person.id, userName: draft.userName, externalId: draft.externalId }
    await keepUser(trx, { ...kept, isEndedHere: standing.isEndedHere && isOut }, deps.clock.now())
    if (back.changes.length > 0) await followGroupsOf(deps, trx, companyId, [person.id])
    const outcomes = [email, names, back]
    await recordChange(deps, trx, companyId, person, [
      ...changed('user_name', person.user_name, draft.userName),
      ...changed('external_id', person.external_id, draft.externalId),
      ...outcomes.flatMap(({ changes }) => changes),
    ])
    return { outcomes, oldAddress: email.changes.length > 0 ? standing.email : null }
  })
  if (oldAddress) await tellOldAddress(deps, person.id, oldAddress)
  return outcomes.flatMap(({ ignored }) => ignored)
}

/** Changes an address only within the company's verified domains: elsewhere a mailed link could let the directory sign in. */
async function changeEmail(deps: ScimDeps, trx: Trx, about: About, { email }: UserDraft): Promise<Outcome> {
  const { userId, standing } = about
  const isHidden = standing.role === null && !standing.isOwn
  if (isHidden || email.toLowerCase() === standing.email.toLowerCase()) return unchanged
  const why = await whyNotAddress(trx, about, email)
  if (why) return { changes: [], ignored: [`The address stays ${standing.email}: ${why}`] }
  await setEmail({ ...deps, db: trx }, userId, email, { isProved: true })
  return { changes: changed('email', standing.email, email), ignored: [] }
}

async function whyNotAddress(
  trx: Trx,
  { companyId, standing }: About,
  email: string,
): Promise<string | null> {
  if (!isAddress(email)) return 'the new one is none.'
  if (!standing.isOwn) return 'the account is not the company’s alone.'
  if (!(await isVerifiedFor(trx, companyId, email))) return 'verify the domain of the new one first.'
  if (standing.isProved && !(await isVerifiedFor(trx, companyId, standing.email)))
    return 'its domain is not verified for the company.'
  return (await findByEmail({ db: trx }, email)) ? 'another account has the new one.' : null
}

async function changeNames(trx: Trx, { userId, standing }: About, { known, draft }: Said): Promise<Outcome> {
  const fullName = changedName(known, draft) ?? standing.fullName
  const language = languageOf(draft) ?? standing.language
  const changes = [
    ...changed('name', standing.fullName, fullName),
    ...changed('language', standing.language, language),
  ]
  if (changes.length === 0 || (standing.role === null && !standing.isOwn)) return unchanged
  if (!standing.isOwn)
    return { changes: [], ignored: ['Name and language stay: the account is not the company’s alone.'] }
  await setNames(trx, userId, { fullName, language })
  return { changes, ignored: [] }
}

async function recordChange(
  deps: ScimDeps,
  trx: Trx,
  companyId: string,
  { id: subjectId, username: subject }: ScimUserRow,
  changes: AuditChange[],
): Promise<void> {
  if (changes.length === 0) return
  await record(deps, trx, companyId, { did: 'account.changed', subject, subjectId, changes })
}

async function note({ db, clock }: ScimDeps, companyId: string, why: string): Promise<void> {
  await noteRefusal(db, companyId, why, clock.now())
}
