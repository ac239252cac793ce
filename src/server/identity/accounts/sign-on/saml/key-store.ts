import type { Kysely, Selectable } from 'kysely'
import type { Tables } from '../../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type KeyRow = Selectable<Tables['saml_keys']>

export async function findKeys(db: Db): Promise<{ current: KeyRow | null; next: KeyRow | null }> {
  const rows = await db.selectFrom('saml_keys').selectAll().orderBy('place').limit(2).execute()
  const of = (place: KeyRow['place']) => rows.find((row) => row.place === place) ?? null
  return { current: of('current'), next: of('next') }
}

/** Returns false when there is a key in this place. */
export async function insertKey(db: Db, key: KeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('saml_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return inserted === 1n
}

/** Makes the next key the current one and drops the earlier one. Returns false without a next one. */
export async function switchKeys(trx: Db): Promise<boolean> {
  const { next } = await findKeys(trx)
  if (!next) return false
  await trx.deleteFrom('saml_keys').where('place', '=', 'current').execute()
  await trx.updateTable('saml_keys').set({ place: 'current' }).where('place', '=', 'next').execute()
  return true
}
