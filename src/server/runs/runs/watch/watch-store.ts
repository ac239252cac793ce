import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

/** Notification channel for runs. */
export const runChannel = 'atrium_runs'

/** Notifies the owner of a run, or the workers, to check it; sent when `db` commits. */
export async function tellOfRun(db: Kysely<Tables>, runId: string): Promise<void> {
  await sql`select pg_notify(${runChannel}, ${JSON.stringify({ run: runId })})`.execute(db)
}

/** Returns the owner and the pending requests of these runs. */
export function findAsked(db: Kysely<Tables>, ids: string[]) {
  return db
    .selectFrom('runs')
    .select(['id', 'owner', 'epoch', 'state', 'stop_requested', 'pause_requested'])
    .where('id', 'in', ids)
    .execute()
}

/** Returns the number of processes that share the database. */
export async function countInstances(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('instances')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
