import { type Kysely, sql } from 'kysely'
import { type ConnectedProgram, MAX_PROGRAMS } from '#shared/identity/programs/programs.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Scope } from '#shared/platform/http.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockAccount, toUser, userColumns } from '../accounts/accounts.ts'

type Db = Kysely<Tables>
type Code = {
  user_id: string
  client_id: string
  client_name: string
  redirect_uri: string
  challenge: string
  scopes: Scope[]
}
type CodeRow = Code & { key_id: string | null; used_at: Date | null; expires_at: Date }

/** @throws AppError `conflict` for who has as many programs as one may have */
export async function insertCode(
  db: Db,
  hash: Buffer,
  code: Code,
  { now, expires_at }: { now: Date; expires_at: Date },
): Promise<void> {
  if ((await countPrograms(db, code.user_id, now)) >= MAX_PROGRAMS)
    throw new AppError(
      'conflict',
      `You have ${MAX_PROGRAMS} connected programs. Disconnect one that is not used any more.`,
    )
  await db
    .insertInto('program_codes')
    .values({ code_hash: hash, ...code, expires_at })
    .execute()
}

/**
 * Locks an authorization code and its account, and returns the code. The account comes first, as in a change that ends every way into
 * it: that change also ends codes.
 */
export async function lockCode(trx: Db, hash: Buffer): Promise<CodeRow | null> {
  const found = trx.selectFrom('program_codes').select('user_id').where('code_hash', '=', hash)
  const owner = await found.executeTakeFirst()
  if (!owner) return null
  await lockAccount(trx, owner.user_id)
  const row = await trx
    .selectFrom('program_codes')
    .selectAll()
    .where('code_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function markCode(trx: Db, hash: Buffer, key_id: string, now: Date): Promise<void> {
  await trx.updateTable('program_codes').set({ key_id, used_at: now }).where('code_hash', '=', hash).execute()
}

type NewProgram = { user_id: string; name: string; scopes: Scope[]; secret_hash: Buffer; hint: string }

export async function insertProgram(trx: Db, program: NewProgram, now: Date, expires_at: Date) {
  const { id } = await trx
    .insertInto('access_keys')
    .values({ ...program, kind: 'program', monthly_budget: null, created_at: now, expires_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Extends a program's connection. Returns false when it is no longer connected. */
export async function prolongProgram(trx: Db, id: string, expires_at: Date): Promise<boolean> {
  const done = await trx
    .updateTable('access_keys')
    .set({ expires_at })
    .where('id', '=', id)
    .where('kind', '=', 'program')
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** Disconnects a program and invalidates its tokens. Returns its name and user; null when already disconnected. */
export async function endProgram(db: Db, id: string, now: Date) {
  const row = await db
    .updateTable('access_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('kind', '=', 'program')
    .where('revoked_at', 'is', null)
    .returning(['name', 'user_id'])
    .executeTakeFirst()
  return row ?? null
}

type NewToken = {
  token_hash: Buffer
  key_id: string
  client_id: string
  kind: 'access' | 'refresh'
  expires_at: Date
}

export async function insertTokens(trx: Db, tokens: NewToken[]): Promise<void> {
  await trx.insertInto('program_tokens').values(tokens).execute()
}

/** Locks and returns a token with the scopes of its program. */
export async function lockToken(trx: Db, hash: Buffer) {
  const row = await trx
    .selectFrom('program_tokens as token')
    .innerJoin('access_keys as key', 'key.id', 'token.key_id')
    .select(['token.key_id', 'token.client_id', 'token.kind', 'token.expires_at', 'token.used_at'])
    .select(['key.scopes', 'key.revoked_at'])
    .where('token.token_hash', '=', hash)
    .forUpdate('token')
    .executeTakeFirst()
  return row ?? null
}

export async function markToken(trx: Db, hash: Buffer, now: Date): Promise<void> {
  await trx.updateTable('program_tokens').set({ used_at: now }).where('token_hash', '=', hash).execute()
}

/** Returns the user of a valid program token. */
export async function findProgram(
  { db, config, clock }: Pick<Platform, 'db' | 'config' | 'clock'>,
  hash: Buffer,
) {
  const now = clock.now()
  const row = await db
    .selectFrom('program_tokens as token')
    .innerJoin('access_keys as key', 'key.id', 'token.key_id')
    .innerJoin('users', 'users.id', 'key.user_id')
    .select(userColumns(config))
    .select(['key.id as key_id', 'key.scopes', 'key.last_used_at as used_at'])
    .where('token.token_hash', '=', hash)
    .where('token.kind', '=', 'access')
    .where('token.expires_at', '>', now)
    .where('key.kind', '=', 'program')
    .where('key.revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { key_id, scopes, used_at } = row
  return {
    ...{ row, user: toUser(row), verified: row.email_verified_at !== null },
    ...{ key: { id: key_id, scopes }, used_at },
  }
}

/** Returns a page of a user's connected programs. */
export async function listConnected(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: ConnectedProgram[]; total: number }> {
  const month = `${clock.now().toISOString().slice(0, 7)}-01`
  const rows = await db
    .selectFrom('access_keys')
    .select(['id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'])
    .select(
      sql<number>`coalesce((select amount from key_months m
        where m.key_id = access_keys.id and m.month = ${month}::date), 0)::float8`.as('spent'),
    )
    .where('user_id', '=', userId)
    .where('kind', '=', 'program')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute()
  const items = rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
  return { items, total: await countPrograms(db, userId, clock.now()) }
}

async function countPrograms(db: Db, userId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('access_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'program')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Removes expired codes, tokens and programs. */
export async function removeEnded({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await sql`delete from program_tokens where expires_at < ${now}`.execute(db)
  // One day later, so that reuse of a code is still detected.
  const before = new Date(now.getTime() - 86_400_000)
  await sql`delete from program_codes where expires_at < ${before}`.execute(db)
}
