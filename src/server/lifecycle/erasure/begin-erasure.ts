import type { Transaction } from 'kysely'
import { ERASURE_HOURS, type ErasureBegun } from '#shared/lifecycle/erasure/erasure.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { handOver } from '../../chat/assistants/assistants.ts'
import { hashSecret, newSecret } from '../../identity/accounts/accounts.ts'
import { assertMayChange, isLastSuperAdmin } from '../../identity/administration/administration.ts'
import { type Actor, type Audit, writeAudit } from '../../identity/audit/audit.ts'
import { handOverConnectors } from '../../knowledge/connectors/connectors.ts'
import { administeredBy, type Person, reaches } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  closeAccount,
  countWaysIn,
  dropJobsNaming,
  dropOwnCompanies,
  isAccountHeld,
  lockAccount,
} from './close-store.ts'
import { requestErasing } from './erase.ts'
import { insertErasure } from './store.ts'

type Wish = {
  actor: Actor
  admin: Person | null
  email: string
  language: Language
  /** The new owner of shared things. */
  heir_id?: string | undefined
  audit: Audit
}

/**
 * Closes an account in one commit and schedules the erasure of its data. Returns the path of the receipt. `admin`: who erases another account.
 * @throws AppError `invalid` at `email` for a different address and at `heir_id` for an unsuitable heir, `conflict` for the last super admin, `forbidden`
 */
export async function beginErasure(
  deps: Pick<Platform, 'db' | 'clock' | 'jobs' | 'secrets'>,
  userId: string,
  { actor, admin, email, language, heir_id, audit }: Wish,
): Promise<ErasureBegun> {
  const { db, clock, jobs, secrets } = deps
  await jobs.prepare()
  const token = newSecret()
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const isLast = await isLastSuperAdmin(trx, userId)
    const person = await lockAccount(trx, userId)
    if (!person) throw new AppError('not_found', 'User not found')
    if (person.email.toLowerCase() !== email.trim().toLowerCase()) throw otherAddress()
    if (admin) await assertMayErase(trx, admin, userId, person.companies)
    if (isLast) throw new AppError('conflict', 'This is the only super admin. Name another one first.')
    if (await isAccountHeld(trx, userId)) throw isHeldError()
    const given = heir_id ? await handOver(trx, { ownerId: userId }, heir_id, audit) : null
    if (given === 0) throw noHeir()
    const counts = await countWaysIn(trx, userId)
    const [companyId = null] = person.companies
    const erasure = {
      ...{ user_id: userId, token_hash: hashSecret(token), asked_by: askedBy(admin), requested_at: now },
      ...{
        language: admin ? person.language : language,
        email: secrets.seal(person.email),
        company_id: companyId,
      },
    }
    const id = await insertErasure(trx, erasure, counts)
    await handOverConnectors(trx, { id: userId, name: person.name }, heir_id ?? null, audit)
    await closeAccount(trx, userId)
    await dropOwnCompanies(trx, person.username, person.companies)
    await dropJobsNaming(trx, [person.email, userId])
    await requestErasing(deps, id, { within: trx })
    const subject = { subject: person.name, subjectId: userId, companyId }
    await writeAudit(trx, now, { actor, did: 'account.deleted', ...subject })
  })
  return { token, due_at: new Date(now.getTime() + ERASURE_HOURS * 3_600_000).toISOString() }
}

const askedBy = (admin: Person | null) => (admin ? ('administrator' as const) : ('person' as const))

/** Checks that the admin administers all companies of the account; otherwise they can only remove it from theirs. */
async function assertMayErase(
  trx: Transaction<Tables>,
  admin: Person,
  userId: string,
  companies: string[],
): Promise<void> {
  if (admin.id === userId) throw new AppError('conflict', 'Delete your own account in your settings.')
  await assertMayChange(trx, admin, userId)
  const own = administeredBy(admin)
  if (!reaches(admin, 'super_admin') && !companies.every((id) => own.includes(id)))
    throw new AppError('forbidden', 'This person is in other companies too. Take them out of yours instead.')
}

function isHeldError(): AppError {
  const message =
    'A legal hold covers data of this account. It can be deleted only after an administrator lifted the hold.'
  return new AppError('held', message)
}

function noHeir(): AppError {
  const message = 'This person may edit none of the shared assistants. Choose another one, or nobody.'
  return new AppError('invalid', message, { errors: [{ path: 'heir_id', message }] })
}

function otherAddress(): AppError {
  const message = 'This is not the e-mail address of the account.'
  return new AppError('invalid', message, { errors: [{ path: 'email', message }] })
}
