import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns the sealed tokens of a connector. */
export async function findSignIn(db: Db, connectorId: string): Promise<string | undefined> {
  const query = db.selectFrom('connector_sign_ins').select('sealed').where('connector_id', '=', connectorId)
  return (await query.executeTakeFirst())?.sealed
}

/** Returns the sealed tokens and locks them until the end of the transaction. */
export async function holdSignIn(trx: Db, connectorId: string): Promise<string | undefined> {
  const query = trx.selectFrom('connector_sign_ins').select('sealed').where('connector_id', '=', connectorId)
  return (await query.forUpdate().executeTakeFirst())?.sealed
}

/** Stores tokens after a renewal. */
export async function writeSignIn(trx: Db, connectorId: string, sealed: string): Promise<void> {
  await trx
    .updateTable('connector_sign_ins')
    .set({ sealed })
    .where('connector_id', '=', connectorId)
    .execute()
}

export async function deleteSignIn(trx: Db, connectorId: string): Promise<void> {
  await trx.deleteFrom('connector_sign_ins').where('connector_id', '=', connectorId).execute()
}

/**
 * Stores a sign-in. A connector without items waits until somebody chooses its content; another one syncs now. Everything is listed
 * again, because another account may see other items. Returns whether a sync begins.
 */
export async function keepSignIn(trx: Db, connectorId: string, sealed: string, now: Date): Promise<boolean> {
  const row = { sealed, signed_in_at: now }
  await trx
    .insertInto('connector_sign_ins')
    .values({ connector_id: connectorId, ...row })
    .onConflict((conflict) => conflict.column('connector_id').doUpdateSet(row))
    .execute()
  const isNew = sql<boolean>`not exists (select from connector_items where connector_id = ${connectorId})`
  const { rows } = await sql<{ state: string }>`
    update connectors set phase = null, cursor = null, changes_token = null, error = null, failures = 0, wait_until = null,
      state = case when state in ('asking', 'paused') then state when ${isNew} then 'paused' else 'working' end,
      next_sync_at = case when state not in ('asking', 'paused') and not ${isNew} then ${now}::timestamptz end
    where id = ${connectorId} returning state`.execute(trx)
  return rows[0]?.state === 'working'
}
