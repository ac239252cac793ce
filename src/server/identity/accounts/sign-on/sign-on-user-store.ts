import { randomBytes } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { readAddress } from '#shared/identity/accounts/email.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, changed, writeAudit } from '../../audit/audit.ts'
import { handOver, isAdministrator, tellHandedOver } from '../hand-over/hand-over.ts'
import { hasBetaAccess } from '../may-enter.ts'
import { createAccount } from '../sign-up/create-account.ts'
import { lockAccount, type Recheck } from '../tokens/access-token-store.ts'
import { userColumns } from '../user-store.ts'
import { followEmail } from './follow-email-store.ts'
import { followGroups } from './follow-groups.ts'
import type { Claims } from './sign-on-service.ts'

/** Reasons a sign-on ends without a token, sent as `sso_error`. */
export type SignOnFailure =
  | 'beta_required'
  | 'account_deactivated'
  | 'email_not_proved'
  | 'sign_in_first'
  | 'address_taken'
  | 'connected_elsewhere'
  | 'setup_code_required'
  | 'not_configured'
  | 'cancelled'
  | 'expired'
  | 'rate_limited'
  | 'sign_up_refused'
  | 'failed'

export class SignOnError extends Error {
  readonly failure: SignOnFailure

  constructor(failure: SignOnFailure) {
    super(`The sign-on ended: ${failure}.`)
    this.failure = failure
  }
}

type Linked = {
  id: string
  /** Addresses to notify when the account was handed over; null otherwise. */
  handedOver: string[] | null
}

/**
 * Returns the user for a service's claims: by an existing link, else by a proved address, else a new account. An account with an
 * unproved address is handed over, and all earlier ways into it end. Roles of an active account follow the groups in the claims, and a linked account follows the proved address.
 * `mayBeFirst` tells whether the first account may be created without the setup code.
 * @throws SignOnError when there is no such user or they may not enter
 */
export async function findSignOnUser(
  deps: Platform,
  provider: string,
  said: Claims,
  mayBeFirst: () => Promise<boolean>,
) {
  const claims = { ...said, email: readAddress(said.email) }
  const linked = await findLinked(deps, provider, claims.subject)
  const { id, handedOver } = linked
    ? { id: linked, handedOver: null }
    : await linkOrCreate(deps, provider, claims, mayBeFirst)
  if (handedOver) await tellHandedOver(deps, id, handedOver)
  if (linked) await followEmail(deps, id, { ...claims, provider })
  if (await isDeactivated(deps, id)) throw new SignOnError('account_deactivated')
  await followGroups(deps, provider, claims.groups, id)
  const user = await deps.db
    .selectFrom('users')
    .select(userColumns(deps.config))
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()
  if (!hasBetaAccess(deps.config, user)) throw new SignOnError('beta_required')
  return { id: user.id, email: user.email, isHandedOver: handedOver !== null }
}

async function isDeactivated({ db }: Pick<Platform, 'db'>, id: string): Promise<boolean> {
  const row = db.selectFrom('users').select('deactivated_at').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).deactivated_at !== null
}

async function findLinked(
  { db }: Pick<Platform, 'db'>,
  provider: string,
  subject: string,
): Promise<string | null> {
  const identity = await db
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return identity?.user_id ?? null
}

async function linkOrCreate(
  deps: Platform,
  provider: string,
  claims: Claims,
  mayBeFirst: () => Promise<boolean>,
): Promise<Linked> {
  const { email, emailVerified } = claims
  if (!email) throw new SignOnError('email_not_proved')
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const local = await findByAddress(trx, email)
      // A reassigned address must not open its previous owner's account.
      if (local && (await isOfAnother(trx, provider, claims.subject, local.id)))
        throw new SignOnError('address_taken')
      // An unproved address matches no account.
      if (local && !emailVerified) throw new SignOnError('sign_in_first')
      if (!emailVerified && !claims.isOfHouse) throw new SignOnError('email_not_proved')
      const id = local?.id ?? (await createWithFreeName(deps, trx, claims, { email, mayBeFirst }))
      const isUnproved = local !== undefined && local.email_verified_at === null
      // An administrator may have typed a made-up address, whose owner must not get their rights.
      if (isUnproved && (await isAdministrator(trx, id))) throw new SignOnError('sign_in_first')
      const handedOver = isUnproved ? await handOver(deps, trx, { userId: id, email, by: provider }) : null
      await insertIdentity(trx, provider, claims, id)
      if (local) await recordConnected(deps, trx, provider, id)
      return { id, handedOver }
    })
  } catch (error) {
    // A concurrent return of the same user was first.
    const linked = await findLinked(deps, provider, claims.subject)
    if (linked) return { id: linked, handedOver: null }
    throw error
  }
}

/**
 * Connects a service to the account of a user who has confirmed their identity. `recheck` runs under the lock of the account.
 * @throws SignOnError `connected_elsewhere` when the identity belongs to another account
 */
export async function connectIdentity(
  deps: Pick<Platform, 'db' | 'clock'>,
  provider: string,
  said: Claims,
  userId: string,
  recheck?: Recheck,
): Promise<void> {
  const claims = { ...said, email: readAddress(said.email) }
  const holder = await findLinked(deps, provider, claims.subject)
  if (holder && holder !== userId) throw new SignOnError('connected_elsewhere')
  if (holder) return
  await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId)
    await recheck?.(trx)
    await insertIdentity(trx, provider, claims, userId)
    await recordConnected(deps, trx, provider, userId)
  })
}

async function recordConnected(
  { clock }: Pick<Platform, 'clock'>,
  trx: Transaction<Tables>,
  provider: string,
  userId: string,
): Promise<void> {
  const who = await actorById(trx, userId, null)
  const subject = { subject: who.actor.name, subjectId: userId }
  const changes = changed('service', null, provider)
  await writeAudit(trx, clock.now(), { ...who, ...subject, did: 'sign_on.connected', changes })
}

async function insertIdentity(
  db: Kysely<Tables>,
  provider: string,
  { subject, email }: Claims,
  user_id: string,
): Promise<void> {
  await db.insertInto('identities').values({ provider, subject, user_id, email }).execute()
}

/** Returns whether an account is linked to another person at the same service. Only services with an issuer can tell. */
async function isOfAnother(
  trx: Transaction<Tables>,
  provider: string,
  subject: string,
  userId: string,
): Promise<boolean> {
  const issuer = subject.slice(0, subject.lastIndexOf(' ') + 1)
  if (issuer === '') return false
  const other = await trx
    .selectFrom('identities')
    .select('subject')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where(sql<boolean>`starts_with(subject, ${issuer})`)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

function findByAddress(trx: Transaction<Tables>, email: string) {
  return trx
    .selectFrom('users')
    .select(['id', 'email_verified_at'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .forUpdate()
    .executeTakeFirst()
}

async function createWithFreeName(
  deps: Platform,
  trx: Transaction<Tables>,
  claims: Claims,
  { email, mayBeFirst }: { email: string; mayBeFirst: () => Promise<boolean> },
) {
  const account = {
    email,
    fullName: claims.name?.slice(0, 200) ?? null,
    passwordHash: null,
    language: claims.locale?.toLowerCase().startsWith('fr') ? ('fr' as const) : ('en' as const),
    emailProved: claims.emailVerified,
  }
  // A sign-on cannot ask for the setup code.
  const allowFirst = async () => {
    if (!(await mayBeFirst())) throw new SignOnError('setup_code_required')
  }
  for (const username of possibleNames(email)) {
    try {
      return (await createAccount(deps, trx, { ...account, username }, allowFirst)).id
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'username_taken')) throw error
    }
  }
  throw new SignOnError('failed')
}

function possibleNames(email: string): string[] {
  const local = email.split('@')[0]!.normalize('NFKD').toLowerCase()
  const base = local.replace(/[^a-z0-9._-]/g, '').slice(0, 40) || 'user'
  const random = Array.from({ length: 5 }, () => `${base}-${randomBytes(3).toString('hex')}`)
  return [base, `${base}2`, `${base}3`, ...random]
}
