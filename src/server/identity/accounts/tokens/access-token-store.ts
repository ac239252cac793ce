import { createHash, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { PasswordDue } from '#shared/identity/accounts/password-policy.ts'
import { AppError } from '#shared/platform/errors.ts'
import { planOnce } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { deactivated, mayEnter } from '../may-enter.ts'
import { nameDevice } from '../sign-ins/read-user-agent.ts'
import { toUser, userColumns } from '../user-store.ts'
import { assertInNetworks } from './assert-in-networks.ts'

const day = 86_400_000
const slidingMs = 30 * day
const absoluteMs = 90 * day
const touchMs = 60_000
/** Maximum listed tokens. */
const MAX_LISTED = 200

/** Returns a new secret: 32 random bytes as base64url. Store only its hash. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash, which is sufficient for a random secret of 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The client and address that use a token. */
export type Visit = { userAgent: string | null; address: string }

/** A new sign-in: the visit, and the session at a sign-on service that it came through. */
type NewSignIn = Visit & { signOnId?: string | null | undefined }

/** Checks within the transaction of a sign-in that its proof is still good. @throws AppError */
export type Recheck = (trx: Transaction<Tables>) => Promise<void>

/**
 * Issues an access token, valid until 30 days after the last use, at most 90 days. `recheck` runs under the lock of the account: the
 * password, passkey or link may have been taken away since it was verified.
 * @throws AppError `outside_networks`
 */
export async function issueToken(
  deps: Pick<Platform, 'db' | 'clock' | 'networks'>,
  userId: string,
  { userAgent, address, signOnId = null }: NewSignIn,
  recheck?: Recheck,
): Promise<string> {
  await assertInNetworks(deps, userId, { userAgent, address })
  const { db, clock } = deps
  const token = newSecret()
  const now = clock.now()
  const values = {
    token_hash: hashSecret(token),
    user_id: userId,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + slidingMs),
    ...{ user_agent: userAgent, address, sign_on_id: signOnId },
  }
  await db.transaction().execute(async (trx) => {
    await assertActive(trx, userId)
    await recheck?.(trx)
    await trx.insertInto('access_tokens').values(values).execute()
    const who = await actorById(trx, userId, address)
    await writeAudit(trx, now, { ...who, did: 'session.started', subject: nameDevice(userAgent) })
  })
  return token
}

/** Locks the account, so that no token is issued during a deactivation. @throws AppError `account_deactivated` */
async function assertActive(trx: Transaction<Tables>, userId: string): Promise<void> {
  const row = trx.selectFrom('users').select('deactivated_at').where('id', '=', userId).forKeyShare()
  if ((await row.executeTakeFirstOrThrow()).deactivated_at) throw deactivated()
}

/**
 * Creates the lookup of a caller by token hash; null when it is unknown or expired. It throws AppError `outside_networks`. Every request runs this query, so it is
 * built once and planned once per connection.
 */
export function createFindCaller(
  deps: Pick<Platform, 'db' | 'clock' | 'config' | 'networks'>,
): (tokenHash: Buffer, visit: Visit) => Promise<Caller | null> {
  const query = planOnce('find_caller', selectCaller(deps).compile())
  return async (tokenHash, visit) => {
    const now = deps.clock.now()
    const given = new Map<unknown, unknown>([
      [anyHash, tokenHash],
      [anyTime, now],
    ])
    const parameters = query.parameters.map((value) => given.get(value) ?? value)
    const asked: typeof query = { ...query, parameters }
    const [row] = (await deps.db.executeQuery(asked)).rows
    if (!row || !mayEnter(deps.config, row)) return null
    // Before the use is noted: the address of a sign-in is always one that was admitted.
    const user = await deps.networks.admit(toUser(row), visit.address)
    if (now.getTime() - row.last_used_at.getTime() >= touchMs)
      await touch(deps, tokenHash, row.issued_at, visit)
    const due = PasswordDue.safeParse(row.password_due)
    const caller = {
      kind: 'user' as const,
      ...user,
      tokenHash,
      verified: row.email_verified_at !== null,
    }
    return due.success ? { ...caller, password_due: due.data } : caller
  }
}

/** Placeholder for the value of each call. */
const anyHash = Buffer.alloc(0)
const anyTime = new Date(0)

function selectCaller({ db, config }: Pick<Platform, 'db' | 'config'>) {
  return db
    .selectFrom('access_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(userColumns(config))
    .select(['token.created_at as issued_at', 'token.last_used_at'])
    .where('token.token_hash', '=', anyHash)
    .where('token.expires_at', '>', anyTime)
}

/**
 * Checks under the lock of the account that the caller's sign-in has not ended. Call it first in a transaction that creates a lasting way
 * in, such as a key or a passkey. A transaction that ends all ways in holds the lock meanwhile.
 * @throws AppError `unauthenticated`
 */
export async function assertSignedIn(
  trx: Kysely<Tables>,
  { id, tokenHash }: Pick<Caller, 'id' | 'tokenHash'>,
): Promise<void> {
  await lockAccount(trx, id)
  const token = trx.selectFrom('access_tokens').select('id').where('token_hash', '=', tokenHash)
  if (!(await token.executeTakeFirst()))
    throw new AppError('unauthenticated', 'Could not validate credentials')
}

/**
 * Waits for a transaction that ends the ways into an account, and holds off the next one. The lock is exclusive: of two that share one, neither
 * could change the account afterwards.
 */
export async function lockAccount(trx: Kysely<Tables>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()
}

export async function endToken({ db }: Pick<Platform, 'db'>, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('access_tokens').where('token_hash', '=', tokenHash).execute()
}

/**
 * Ends every token of a user except the given one, and what a sign-in may have begun and a link would finish: connecting a sign-on
 * service and changing the address. Locks the account: sign-ins under way wait and are checked again (`assertSignedIn`, `Recheck`).
 */
export async function endTokens(
  { db }: Pick<Platform, 'db'>,
  userId: string,
  except?: Buffer,
): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()
  await db
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('token_hash', '!=', except!))
    .execute()
  await db.deleteFrom('sign_on_states').where('user_id', '=', userId).execute()
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'change_email')
    .execute()
}

/** Returns a user's active tokens, most recently used first. */
export function listTokens({ db, clock }: Pick<Platform, 'db' | 'clock'>, userId: string) {
  return db
    .selectFrom('access_tokens')
    .select(['id', 'token_hash', 'user_agent', 'address', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', clock.now())
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()
}

/** Ends one token of a user by id. Returns false when there is none. */
export async function endTokenOf({ db }: Pick<Platform, 'db'>, userId: string, id: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return ended.numDeletedRows > 0n
}

/** Returns the age of a token in milliseconds. */
export async function readTokenAgeMs({ db, clock }: Pick<Platform, 'db' | 'clock'>, tokenHash: Buffer) {
  const row = await db
    .selectFrom('access_tokens')
    .select('created_at')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow()
  return clock.now().getTime() - row.created_at.getTime()
}

/** Extends the expiry up to 90 days and stores the last use, at most once a minute. */
async function touch(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  tokenHash: Buffer,
  issuedAt: Date,
  { userAgent, address }: Visit,
) {
  const now = clock.now()
  const expiresAt = new Date(Math.min(now.getTime() + slidingMs, issuedAt.getTime() + absoluteMs))
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: now, expires_at: expiresAt, user_agent: userAgent, address })
    .where('token_hash', '=', tokenHash)
    .where('last_used_at', '<=', new Date(now.getTime() - touchMs))
    .execute()
}
