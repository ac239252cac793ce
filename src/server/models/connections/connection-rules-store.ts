import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import { type ConnectionLimits, wakeKeys } from '../models/models.ts'

/** Stores further keys of a connection, sealed. */
export async function insertKeys(
  db: Kysely<Tables>,
  connection_id: string,
  sealed: readonly string[],
): Promise<void> {
  for (const api_key_sealed of sealed)
    await db.insertInto('model_keys').values({ connection_id, api_key_sealed }).execute()
}

/** Removes a further key of a connection. Returns false when the connection has no key with this id. */
export async function deleteKey(db: Kysely<Tables>, connectionId: string, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('model_keys')
    .where('connection_id', '=', connectionId)
    .where(sql`id::text`, '=', keyId)
    .executeTakeFirst()
  await wakeKeys(db, connectionId, keyId)
  return numDeletedRows > 0n
}

/** Stores the limits of a provider. A provider without limits has no row. */
export async function writeLimits(
  db: Kysely<Tables>,
  provider: string,
  limits: ConnectionLimits,
): Promise<void> {
  if (Object.values(limits).every((limit) => limit === null)) {
    await db.deleteFrom('model_limits').where('provider', '=', provider).execute()
    return
  }
  await db
    .insertInto('model_limits')
    .values({ provider, ...limits })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(limits))
    .execute()
}

/** Stores the fallback of a model; null removes it. */
export async function writeFallback(
  db: Kysely<Tables>,
  model_id: string,
  fallback_id: string | null,
): Promise<void> {
  await db
    .insertInto('model_overrides')
    .values({ model_id, fallback_id })
    .onConflict((conflict) => conflict.column('model_id').doUpdateSet({ fallback_id }))
    .execute()
}

/** Returns the fallbacks by model id. Locks them against changes by others until the transaction ends. */
export async function lockFallbacks(trx: Kysely<Tables>): Promise<Map<string, string>> {
  await sql`lock table model_overrides in share row exclusive mode`.execute(trx)
  return readFallbacks(trx)
}

/** Returns the fallbacks by model id. */
export async function readFallbacks(db: Kysely<Tables>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('model_overrides')
    .select(['model_id', 'fallback_id'])
    .where('fallback_id', 'is not', null)
    .orderBy('model_id')
    .limit(10_000)
    .execute()
  return new Map(rows.flatMap(({ model_id, fallback_id }) => (fallback_id ? [[model_id, fallback_id]] : [])))
}
