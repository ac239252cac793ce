import { type Kysely, sql } from 'kysely'
import type { ShortcutAction, ShortcutChanges } from '#shared/platform/shortcut-table.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns the keys that a person changed. */
export async function readShortcuts(db: Db, userId: string): Promise<ShortcutChanges> {
  const row = await db.selectFrom('users').select('shortcuts').where('id', '=', userId).executeTakeFirst()
  return row?.shortcuts ?? {}
}

/** Returns the keys that a person changed, and lets one change at a time follow. */
export async function lockShortcuts(trx: Db, userId: string): Promise<ShortcutChanges> {
  const row = await trx
    .selectFrom('users')
    .select('shortcuts')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.shortcuts ?? {}
}

/** Stores the keys of one action; null removes them. */
export async function storeKeys(
  trx: Db,
  userId: string,
  action: ShortcutAction,
  keys: string | null,
): Promise<void> {
  const changed =
    keys === null
      ? sql<string>`shortcuts - ${action}::text`
      : sql<string>`shortcuts || jsonb_build_object(${action}::text, ${keys}::text)`
  await trx.updateTable('users').set({ shortcuts: changed }).where('id', '=', userId).execute()
}

export async function removeKeys(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ shortcuts: '{}' }).where('id', '=', userId).execute()
}
