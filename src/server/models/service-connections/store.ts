import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/** The sealed refresh token of a person's connection; undefined without one. */
export async function findConnection(
  db: Kysely<Tables>,
  userId: string,
  service: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('service_connections')
    .select('refresh_token')
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .executeTakeFirst()
  return row?.refresh_token
}

export async function keepConnection(
  db: Kysely<Tables>,
  userId: string,
  service: string,
  refresh_token: string,
): Promise<void> {
  await db
    .insertInto('service_connections')
    .values({ user_id: userId, service, refresh_token })
    .onConflict((conflict) => conflict.columns(['user_id', 'service']).doUpdateSet({ refresh_token }))
    .execute()
}

export async function forgetConnection(db: Kysely<Tables>, userId: string, service: string): Promise<void> {
  await db
    .deleteFrom('service_connections')
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .execute()
}
