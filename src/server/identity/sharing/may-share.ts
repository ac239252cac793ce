import type { Kysely } from 'kysely'
import type { Recipient } from '#shared/identity/sharing/sharing.ts'
import { AppError } from '#shared/platform/errors.ts'
import { companiesOf, reaches } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { findProject, findRecipient, listSharingCompanies, type Reach } from './recipient-store.ts'

type Db = Kysely<Tables>
/** A recipient: the columns of its share, its name and the company it is in; null for recipients of the whole installation. */
export type Resolved = {
  name: string
  home: string | null
  company_id: string | null
  group_id: string | null
  person_id: string | null
  within: string | null
  /** Only for prompts. */
  workspace_id: string | null
  everybody: boolean
}

/** Returns where a person may share: anywhere as a super admin, else in companies they administer or that let members share. */
export async function findReach(db: Db, user: Caller): Promise<Reach> {
  if (reaches(user, 'super_admin')) return { anywhere: true, companies: companiesOf(user) }
  return { anywhere: false, companies: await listSharingCompanies(db, user) }
}

/**
 * Resolves a recipient and locks it until the transaction ends. @throws AppError `not_found` for recipients of companies that
 * are not the caller's and projects that they may not add to, `forbidden` where the company does not let its members share
 */
export async function resolveRecipient(
  trx: Db,
  user: Caller,
  reach: Reach,
  recipient: Recipient,
): Promise<Resolved> {
  const none = {
    home: null,
    company_id: null,
    group_id: null,
    person_id: null,
    within: null,
    workspace_id: null,
    everybody: false,
  }
  if (recipient.who === 'everybody') {
    if (reach.anywhere) return { ...none, name: 'everybody', everybody: true }
    throw new AppError('forbidden', 'Only a super admin shares with everybody.')
  }
  if (recipient.who === 'project') {
    const name = await findProject(trx, user, recipient.id)
    if (name === null) throw new AppError('not_found', 'No project with this ID to share with.')
    return { ...none, name, workspace_id: recipient.id }
  }
  const { who, id } = recipient
  const found = await findRecipient(trx, who, id)
  const theirs = found?.companies ?? []
  const within = theirs.find((company) => reach.companies.includes(company)) ?? null
  if (found && (reach.anywhere || within !== null)) {
    const { name } = found
    const home = reach.anywhere ? null : within
    if (who === 'company') return { ...none, name, home, company_id: id }
    if (who === 'group') return { ...none, name, home, group_id: id }
    return { ...none, name, home, person_id: id, within: home }
  }
  const own = companiesOf(user)
  if (theirs.some((company) => own.includes(company)))
    throw new AppError('forbidden', 'Your company lets only its administrators share. Ask one of them.')
  throw new AppError('not_found', `No ${who} with this ID to share with.`)
}
