import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { beginEpoch } from './begin-store.ts'
import type { LiveRun } from './context/live-run.ts'
import { asRun, type RunRow, runColumns } from './store.ts'
import { type Losses, NO_LOSSES } from './watch/losses.ts'

type Trx = Kysely<Tables>

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

type Claim = {
  owner: string
  /** Whether its last holder is gone; false when it was let go by one that lives. */
  isLoss: boolean
  /** Writes what must be true together with the claim. */
  also: (trx: Trx, claimed: RunRow) => Promise<void>
}

/** Makes `owner` the holder of a run nobody holds; null when somebody else was faster. */
export async function claimRun(
  db: Database,
  run: RunRow,
  { owner, isLoss, also }: Claim,
): Promise<RunRow | null> {
  return db.transaction().execute(async (trx) => {
    if (run.kind === 'chat' && !(await lockFreeSession(trx, run.session_id))) return null
    const same = await trx
      .selectFrom('runs')
      .select('id')
      .where('id', '=', run.id)
      .where('epoch', '=', run.epoch)
      .where('state', '=', run.state)
      .where('owner', 'is not distinct from', run.owner)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!same) return null
    const epoch = await nextEpoch(trx, run)
    const losses = isLoss ? await countLoss(trx, run) : run.owner === null ? NO_LOSSES : {}
    const row = await trx
      .updateTable('runs')
      .set((row) => ({ owner, epoch, state: 'running', paused_for: null, attempt: row('attempt', '+', 1) }))
      .set(losses)
      .where('id', '=', run.id)
      .returning(runColumns)
      .executeTakeFirstOrThrow()
    await also(trx, asRun(row))
    return asRun(row)
  })
}

/** The first attempt is in the epoch the run began with: nobody has written in it. */
async function nextEpoch(trx: Trx, { attempt, kind, session_id, epoch }: RunRow): Promise<number> {
  if (attempt === 0) return epoch
  return kind === 'chat' ? beginEpoch(trx, session_id) : epoch + 1
}

/** Locks a session unless somebody else works on it right now. */
async function lockFreeSession(trx: Trx, sessionId: string): Promise<boolean> {
  const { rows } =
    await sql`select id from sessions where id = ${sessionId} for no key update skip locked`.execute(trx)
  return rows.length > 0
}

/** Makes `owner` the holder of a paused run; false when it is paused no more. */
export async function holdPaused(trx: Trx, { id, epoch }: RunRow, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ owner })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'paused')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
