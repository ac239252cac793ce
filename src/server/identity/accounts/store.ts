import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import { normalizeAddress, readAddress } from '#shared/identity/accounts/email.ts'
import type { AuditChange } from '#shared/identity/audit/audit.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorById, changed, writeAudit } from '../audit/audit.ts'
import { forgetDevices } from './device-store.ts'
import { hashPassword } from './passwords/passwords.ts'
import { keepFormerPassword, readPolicy } from './passwords/policy/password-policy-store.ts'
import { endPending } from './second-factor/second-factor-store.ts'
import { dropUnusedSessions } from './sign-on/sign-out-store.ts'
import { nameSkeleton } from './sign-up/name-skeleton.ts'
import { endTokens } from './tokens/access-token-store.ts'
import { endOneTimeTokens } from './tokens/one-time-token-store.ts'
import { userColumns } from './user-store.ts'

/** Advisory lock for creating the first account. Any number, but the same in every process. */
const firstAccountLock = 4_201_001

export type NewAccount = {
  username: string
  email: string
  fullName: string | null
  passwordHash: string | null
  language: Language
  /** Whether the address is already proved: by a sign-on service or by a verified domain. */
  emailProved: boolean
  /** The invitation token, if any. */
  invitation?: string | undefined
  /** True when an administrator creates the account: the sign-up policy does not apply. */
  isGranted?: boolean
}

async function hasUsers(trx: Transaction<Tables>): Promise<boolean> {
  return (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

type Beginning = {
  verifiedAt: Date | null
  proofDue: boolean
  /** Whether they may sign in without proving the address. */
  proofWaived?: boolean
  preferences?: Record<string, unknown>
  passwordSetAt?: Date
}

export async function insertUser(
  trx: Transaction<Tables>,
  account: NewAccount,
  { verifiedAt, proofDue, proofWaived = false, preferences = {}, passwordSetAt }: Beginning,
) {
  const skeleton = nameSkeleton(account.username)
  const email = storedAddress(account.email)
  const inserted = await trx
    .insertInto('users')
    .values({
      username: account.username,
      name_skeleton: skeleton,
      email,
      full_name: account.fullName && cleanLabel(account.fullName),
      password_hash: account.passwordHash,
      ...(passwordSetAt && { password_set_at: passwordSetAt }),
      language: account.language,
      email_verified_at: verifiedAt,
      proof_due: proofDue,
      proof_waived: proofWaived,
      preferences: JSON.stringify(preferences),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return inserted.id
  const sameName = await trx
    .selectFrom('users')
    .select('id')
    .where((row) =>
      row.or([
        row(sql`lower(username)`, '=', sql`lower(${account.username})`),
        row('name_skeleton', '=', skeleton),
      ]),
    )
    .executeTakeFirst()
  if (sameName) throw new AppError('username_taken', 'Username already registered')
  throw new AppError('email_taken', 'Email already registered')
}

/** Returns the canonical form of an address. @throws AppError `invalid` */
function storedAddress(given: string): string {
  const email = readAddress(given)
  if (email !== null) return email
  const message = 'must be an e-mail address, in plain letters before the @'
  throw new AppError('invalid', `The address ${message}.`, { errors: [{ path: 'email', message }] })
}

export async function insertCompany(trx: Transaction<Tables>, name: string): Promise<string> {
  const company = await trx.insertInto('companies').values({ name }).returning('id').executeTakeFirstOrThrow()
  return company.id
}

export async function firstCompany(trx: Transaction<Tables>): Promise<string> {
  const company = await trx
    .selectFrom('companies')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return company?.id ?? insertCompany(trx, 'Atrium')
}

/** Takes the first-account lock and returns whether there is no account. Later sign-ups skip the lock. */
export async function claimFirst(trx: Transaction<Tables>): Promise<boolean> {
  if (await hasUsers(trx)) return false
  await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(trx)
  return !(await hasUsers(trx))
}

/** Returns the companies an admin may choose from. */
export function listCompanies(
  { db }: Pick<Platform, 'db'>,
  principal: Principal,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where(may(principal, 'manage company'))
    .orderBy('name')
    .orderBy('id')
    .limit(10_000)
    .execute()
}

/** Returns the names of companies by id; deleted ones are left out. */
export async function companyNames(db: Kysely<Tables>, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = db.selectFrom('companies').select(['id', 'name']).where('id', 'in', ids).orderBy('id')
  return new Map((await found.limit(10_000).execute()).map(({ id, name }) => [id, name]))
}

/** Returns whether there is no account yet. */
export async function isEmptyInstallation({ db }: Pick<Platform, 'db'>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Returns how often administrators opened a user's chats since the user last looked. */
export async function countUnseenAccesses({ db }: Pick<Platform, 'db'>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('chat_accesses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Sets the password. `by` is the audit entry and the IP address. `claim` begins the transaction: it locks the account and checks that
 * the user may still do this.
 */
export async function setPassword(
  deps: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  password: string,
  by: { did: 'password.changed' | 'password.reset'; address: string | null },
  claim: (trx: Transaction<Tables>) => Promise<void>,
  keptToken?: Buffer,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await deps.db.transaction().execute(async (trx) => {
    // The strongest lock comes first, because two changes that raise theirs would wait for each other.
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()
    await claim(trx)
    await keepFormerPassword(trx, userId, (await readPolicy(trx)).history)
    const now = deps.clock.now()
    await trx
      .updateTable('users')
      .set({ password_hash: passwordHash, password_set_at: now, password_due: null, updated_at: now })
      .where('id', '=', userId)
      .execute()
    await endTokens({ db: trx }, userId, keptToken)
    await forgetDevices({ db: trx }, userId)
    for (const purpose of ['reset_password', 'let_in', 'sign_on'] as const)
      await endOneTimeTokens({ db: trx }, purpose, userId)
    await endPending(trx, userId)
    const who = await actorById(trx, userId, by.address)
    const subject = { subject: who.actor.name, subjectId: userId }
    await writeAudit(trx, deps.clock.now(), { ...who, did: by.did, ...subject })
  })
}

/** Finds an account by username or email: only an email contains an @. */
export function findAccount(deps: Pick<Platform, 'db' | 'config'>, name: string) {
  const column = typedName(name).includes('@') ? 'email' : 'username'
  return selectAccount(deps)
    .where(sql`lower(${sql.ref(column)})`, '=', sql`lower(${typedName(name)})`)
    .executeTakeFirst()
}

export function findAccountById(deps: Pick<Platform, 'db' | 'config'>, id: string) {
  return selectAccount(deps).where('users.id', '=', id).executeTakeFirstOrThrow()
}

function selectAccount({ db, config }: Pick<Platform, 'db' | 'config'>) {
  return db
    .selectFrom('users')
    .select(userColumns(config))
    .select(['password_hash', 'password_set_at', 'proof_due', 'proof_waived'])
}

/** Returns a typed username or address in its stored Unicode composition. */
export function typedName(name: string): string {
  return normalizeAddress(name)
}

/**
 * Marks the address a link was mailed to as proved, unless it already is. Returns the change for the audit log.
 * @throws AppError `token_invalid` when the account has another address by now
 */
export async function proveEmail(
  { clock }: Pick<Platform, 'clock'>,
  trx: Kysely<Tables>,
  { userId, email }: { userId: string; email: string },
): Promise<AuditChange[]> {
  const row = await trx
    .updateTable('users as user')
    .set({ email_verified_at: sql<Date>`coalesce("user".email_verified_at, ${clock.now()})` })
    .from('users as before')
    .whereRef('before.id', '=', 'user.id')
    .where('user.id', '=', userId)
    .where(sql`lower("user".email)`, '=', sql`lower(${email})`)
    .returning('before.email_verified_at as before')
    .executeTakeFirst()
  if (!row) throw new AppError('token_invalid', 'The link is invalid or has expired.')
  return row.before ? [] : changed('address_proved', 'false', 'true')
}

export async function findPasswordHash(db: Kysely<Tables>, userId: string): Promise<string | null> {
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return password_hash
}

export async function joinCompany(
  trx: Transaction<Tables>,
  member: { company_id: string; user_id: string; role: 'super_admin' | 'member' },
): Promise<void> {
  await trx.insertInto('company_members').values(member).execute()
}

/** Returns the mail recipient with an address, in any case. */
export function findByEmail({ db }: Pick<Platform, 'db'>, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'full_name', 'email', 'language', 'email_verified_at'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/** Returns the mail recipient with an id. */
export function findById({ db }: Pick<Platform, 'db'>, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'full_name', 'email', 'language', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Changes an address and invalidates links mailed to the old one. @throws AppError `email_taken` */
export async function setEmail(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  email: string,
  { isProved }: { isProved: boolean },
): Promise<void> {
  const now = clock.now()
  const verified = { email_verified_at: isProved ? now : null }
  const change = { email: storedAddress(email), ...verified, updated_at: now }
  try {
    await db.updateTable('users').set(change).where('id', '=', userId).execute()
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'users_email')
      throw new AppError('email_taken', 'Email already registered', { cause: error })
    throw error
  }
}

export type ProfileChange = {
  full_name?: string | null | undefined
  bio?: string | null | undefined
  language?: Language | undefined
  writing_style_examples?: string[] | undefined
  preferences?: Record<string, unknown> | undefined
}

const preferencesMaxBytes = 65_536

/** Updates the given fields and merges preferences by key. Returns false when these would exceed 64 KB. */
export async function changeProfile(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  { full_name, bio, language, writing_style_examples: examples, preferences }: ProfileChange,
): Promise<boolean> {
  const merged = sql<string>`preferences || ${JSON.stringify(preferences ?? {})}::jsonb`
  const updated = await db
    .updateTable('users')
    .set({
      updated_at: clock.now(),
      full_name: full_name === undefined ? undefined : full_name || null,
      bio: bio === undefined ? undefined : bio || null,
      language,
      writing_style_examples: examples && JSON.stringify(examples),
      preferences: preferences && merged,
    })
    .where('id', '=', userId)
    .where(sql`octet_length((${merged})::text)`, '<=', preferencesMaxBytes)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Returns the password hash and locks the account until the transaction ends. */
export async function lockPasswordHash(trx: Kysely<Tables>, userId: string): Promise<string | null> {
  const { password_hash } = await trx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return password_hash
}

/** Returns a user's sign-on services, oldest first. */
export function listIdentities(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('identities')
    .select(['provider', 'email', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('provider')
    .limit(100)
    .execute()
}

export async function removeIdentity(trx: Kysely<Tables>, userId: string, provider: string): Promise<void> {
  await trx.deleteFrom('identities').where('user_id', '=', userId).where('provider', '=', provider).execute()
}

/** Deletes expired rows. They have no effect and only take space. */
export async function removeExpired({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('access_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('saml_assertions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_on_answers').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_on_states').where('expires_at', '<=', now).execute()
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
  await dropUnusedSessions(db, now)
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
  await db.deleteFrom('known_devices').where('expires_at', '<=', now).execute()
  await db.deleteFrom('rate_limits').where('expires_at', '<=', now).execute()
}

/** Returns the number of current announcements for a user. */
export async function countAnnouncements(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from announced_to(${userId}, ${clock.now()})`.execute(db)
  return rows[0]?.count ?? 0
}
