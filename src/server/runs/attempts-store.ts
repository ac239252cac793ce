import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import type { LiveRun } from './context/live-run.ts'
import type { Losses } from './losses.ts'

/** So long after a run was taken up its process must turn once more to count as seen, in milliseconds. */
const TURN_MS = 500

/** The losses of a run whose last attempt was lost with its process. */
export async function countLoss(
  trx: Kysely<Tables>,
  run: Losses & { id: string; attempt: number; turned: number },
): Promise<Losses> {
  // Sub-runs get further on behalf of their parent; how a run began is no progress of an attempt.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from run_records join runs on runs.id = run_id
      where (runs.id = ${run.id} or runs.parent_run_id = ${run.id})
        and run_records.attempt >= ${run.attempt} and run_records.kind <> 'input') as found`.execute(trx)
  if (rows[0]?.found) return { fruitless: 0, silent: 0 }
  return { fruitless: run.fruitless + 1, silent: run.turned >= run.attempt ? 0 : run.silent + 1 }
}

/** Marks the runs during which this process has been seen to turn: once per attempt that lasts. */
export async function markTurned(db: Database, owner: string, held: LiveRun[]): Promise<void> {
  const now = performance.now()
  const seen = held.filter(({ hasTurned, heldSince }) => !hasTurned && now - heldSince >= TURN_MS)
  if (seen.length === 0) return
  await db
    .updateTable('runs')
    .set((row) => ({ turned: row.ref('attempt') }))
    .where(
      'id',
      'in',
      seen.map(({ id }) => id),
    )
    .where('owner', '=', owner)
    .execute()
  for (const run of seen) run.hasTurned = true
}

/** Root runs under way that one of these processes holds, or none, those in doubt last: with the loss not yet counted. */
export async function findOrphans(
  db: Database,
  { owners, except, limit }: { owners: string[]; except: string[]; limit: number },
): Promise<(Losses & { id: string })[]> {
  const { rows } = await sql<Losses & { id: string }>`
    select id, fruitless, silent + (owner is not null and turned < attempt)::int as silent from runs
    where state in ('queued', 'running') and parent_run_id is null
      and (owner is null or owner = any(${owners})) and id <> all(${except}::uuid[])
    order by silent, created_at limit ${limit}`.execute(db)
  return rows
}

/** The holders of runs under way. */
export async function listHolders(db: Database): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct owner from runs where state in ('queued', 'running') and owner is not null
    order by owner limit 1000`.execute(db)
  return rows.map(({ owner }) => owner)
}
