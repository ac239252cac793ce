import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** What processes tell each other of runs. */
export const runChannel = 'atrium_runs'

/** Has the holder of a run look what is asked of it, or a worker take it up; once `db` has committed. */
export async function tellOfRun(db: Kysely<Tables>, runId: string): Promise<void> {
  await sql`select pg_notify(${runChannel}, ${JSON.stringify({ run: runId })})`.execute(db)
}
