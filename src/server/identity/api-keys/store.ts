import { type Kysely, sql } from 'kysely'
import { type ApiKey, MAX_KEYS, type NewApiKey } from '#shared/identity/api-keys/api-keys.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { toUser, userColumns } from '../accounts/accounts.ts'

const TOUCH_MS = 60_000

const spent = (now: Date) => sql<number>`coalesce((
  select amount from key_months m
  where m.key_id = access_keys.id and m.month = ${`${now.toISOString().slice(0, 7)}-01`}::date), 0)::float8`

function selectKeys(db: Kysely<Tables>, now: Date) {
  return db
    .selectFrom('access_keys')
    .select(['id', 'name', 'hint', 'scopes', 'monthly_budget', 'created_at', 'expires_at'])
    .select(['last_used_at', 'last_address', spent(now).as('spent')])
    .where('kind', '=', 'key')
    .where('revoked_at', 'is', null)
}

/** Returns a page of a user's keys, including expired ones. */
export async function listKeys(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: ApiKey[]; total: number }> {
  const rows = await selectKeys(db, clock.now())
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute()
  return { items: rows.map(toApiKey), total: await countKeys(db, userId) }
}

/** @throws AppError `conflict` for who has as many as one may have */
export async function insertKey(
  { db: trx, clock }: { db: Kysely<Tables>; clock: Platform['clock'] },
  userId: string,
  { name, scopes, days, monthly_budget }: NewApiKey,
  { hash, hint }: { hash: Buffer; hint: string },
): Promise<ApiKey> {
  const now = clock.now()
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  if ((await countKeys(trx, userId)) >= MAX_KEYS)
    throw new AppError('conflict', `You have ${MAX_KEYS} API keys. Revoke one that is not used any more.`)
  const made = await trx
    .insertInto('access_keys')
    .values({
      ...{ user_id: userId, name, secret_hash: hash, hint, scopes: [...new Set(scopes)], monthly_budget },
      ...{ created_at: now, expires_at: days === null ? null : new Date(now.getTime() + days * 86_400_000) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toApiKey(await selectKeys(trx, now).where('id', '=', made.id).executeTakeFirstOrThrow())
}

/** Changes the budget. Returns the key and its previous budget; null when it is revoked. */
export async function updateKeyBudget(
  { db: trx, clock }: { db: Kysely<Tables>; clock: Platform['clock'] },
  id: string,
  monthly_budget: number | null,
): Promise<{ key: ApiKey; before: number | null } | null> {
  const found = await selectKeys(trx, clock.now()).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!found) return null
  await trx.updateTable('access_keys').set({ monthly_budget }).where('id', '=', id).execute()
  return { key: toApiKey({ ...found, monthly_budget }), before: found.monthly_budget }
}

/** Revokes a key; its spending stays recorded. Returns its name, or null when it was already revoked. */
export async function revokeKey(
  { db, clock }: { db: Kysely<Tables>; clock: Platform['clock'] },
  id: string,
): Promise<string | null> {
  const row = await db
    .updateTable('access_keys')
    .set({ revoked_at: clock.now() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Returns the user of a valid key. */
export async function findHolder(
  { db, config, clock }: Pick<Platform, 'db' | 'config' | 'clock'>,
  hash: Buffer,
) {
  const row = await db
    .selectFrom('access_keys as key')
    .innerJoin('users', 'users.id', 'key.user_id')
    .select(userColumns(config))
    .select(['key.id as key_id', 'key.scopes', 'key.last_used_at as used_at'])
    .where('key.secret_hash', '=', hash)
    .where('key.kind', '=', 'key')
    .where('key.revoked_at', 'is', null)
    .where((where) =>
      where.or([where('key.expires_at', 'is', null), where('key.expires_at', '>', clock.now())]),
    )
    .executeTakeFirst()
  if (!row) return null
  const { key_id, scopes, used_at } = row
  return {
    row,
    user: toUser(row),
    verified: row.email_verified_at !== null,
    key: { id: key_id, scopes },
    used_at,
  }
}

/** Stores time and address of the last use, at most once a minute. */
export async function touchKey(
  { db, clock }: { db: Database; clock: Platform['clock'] },
  { id, usedAt, address }: { id: string; usedAt: Date | null; address: string },
): Promise<void> {
  const now = clock.now()
  if (usedAt && now.getTime() - usedAt.getTime() < TOUCH_MS) return
  await db
    .updateTable('access_keys')
    .set({ last_used_at: now, last_address: address })
    .where('id', '=', id)
    .execute()
}

async function countKeys(db: Kysely<Tables>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('access_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'key')
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Row = Omit<ApiKey, 'created_at' | 'expires_at' | 'last_used_at'> & {
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

function toApiKey(row: Row): ApiKey {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
