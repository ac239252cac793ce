import type { Database } from '../db/db.ts'

/** The sealed refresh token a person's connection has; undefined without one. */
export async function findConnection(
  db: Database,
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
  db: Database,
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

export async function forgetConnection(db: Database, userId: string, service: string): Promise<void> {
  await db
    .deleteFrom('service_connections')
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .execute()
}
