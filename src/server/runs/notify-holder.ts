import { sql } from 'kysely'
import type { Engine } from './engine.ts'

/** What processes tell each other of runs. */
export const runChannel = 'atrium_runs'

/** Tells the holder of a run to look what is asked of it. */
export async function notifyHolder({ deps }: Engine, runId: string): Promise<void> {
  await sql`select pg_notify(${runChannel}, ${JSON.stringify({ run: runId })})`.execute(deps.db)
}
