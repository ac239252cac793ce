import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { FoundRequest } from '../../../runs/input-requests/input-requests.ts'

/** Returns a request of a person; null when it is gone. */
export async function findRequest(
  db: Kysely<Tables>,
  { run, key, user }: { run: string; key: string; user: string },
): Promise<FoundRequest | null> {
  const row = await db
    .selectFrom('input_requests')
    .selectAll()
    .where('run_id', '=', run)
    .where('key', '=', key)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return (row as FoundRequest | undefined) ?? null
}

/** Returns the address of a person who may sign in; null for any other. */
export async function findAddress(db: Kysely<Tables>, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('deactivated_at', 'is', null)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.email ?? null
}
