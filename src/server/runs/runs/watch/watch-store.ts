import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

/** What processes tell each other of runs. */
export const runChannel = 'atrium_runs'

/** Has the holder of a run look what is asked of it, or a worker take it up; once `db` has committed. */
export async function tellOfRun(db: Kysely<Tables>, runId: string): Promise<void> {
  await sql`select pg_notify(${runChannel}, ${JSON.stringify({ run: runId })})`.execute(db)
}

/** What is asked of runs, and who holds them. */
export function findAsked(db: Kysely<Tables>, ids: string[]) {
  return db
    .selectFrom('runs')
    .select(['id', 'owner', 'epoch', 'state', 'stop_requested', 'pause_requested'])
    .where('id', 'in', ids)
    .execute()
}

/** How many processes share the database. */
export async function countInstances(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('instances')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
