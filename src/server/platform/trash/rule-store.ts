import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Default number of days in the trash. */
const DEFAULT_DAYS = 30

/** Returns how many days deleted chats and documents stay in the trash; 0 when there is none. */
export async function readTrashDays(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('trash_rule').select('days').executeTakeFirst()
  return row?.days ?? DEFAULT_DAYS
}

/** Sets the number of days and returns the previous one. */
export async function writeTrashDays(trx: Kysely<Tables>, days: number): Promise<number> {
  await sql`lock table trash_rule in share row exclusive mode`.execute(trx)
  const before = await readTrashDays(trx)
  await trx
    .insertInto('trash_rule')
    .values({ days })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ days }))
    .execute()
  return before
}
