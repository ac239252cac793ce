import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { beginEpoch } from './begin-store.ts'
import type { LiveRun } from './context/live-run.ts'
import { asRun, type RunRow, runColumns } from './store.ts'
import { type Losses, NO_LOSSES } from './watch/losses.ts'

type Trx = Kysely<Tables>

/** A process counts as responsive when it completes an event loop turn this long after it claimed a run, in milliseconds. */
const TURN_MS = 500

/** Returns the loss counters of a run whose last attempt was lost with its process. */
export async function countLoss(
  trx: Kysely<Tables>,
  run: Losses & { id: string; attempt: number; turned: number },
): Promise<Losses> {
  // Progress of a sub-run counts for its parent. The input record is no progress.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from run_records join runs on runs.id = run_id
      where (runs.id = ${run.id} or runs.parent_run_id = ${run.id})
        and run_records.attempt >= ${run.attempt} and run_records.kind <> 'input') as found`.execute(trx)
  if (rows[0]?.found) return { fruitless: 0, silent: 0 }
  return { fruitless: run.fruitless + 1, silent: run.turned >= run.attempt ? 0 : run.silent + 1 }
}

/** Records that the event loop of this process still turns while it owns these runs; once per attempt. */
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

/** Returns active root runs owned by one of these processes or by none, suspect ones last, including the loss not yet counted. */
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

/** Returns the owners of all active runs. */
export async function listHolders(db: Database): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct owner from runs where state in ('queued', 'running') and owner is not null
    order by owner limit 1000`.execute(db)
  return rows.map(({ owner }) => owner)
}

type Claim = {
  owner: string
  /** Whether the previous owner died. False when a live process released the run. */
  isLoss: boolean
  /** Runs in the same transaction as the claim. */
  also: (trx: Trx, claimed: RunRow) => Promise<void>
}

/** Makes `owner` the owner of a run without one. Returns null when another process was faster. */
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

/** Returns the epoch of the next attempt. The first attempt uses the run's own epoch, which has no writes yet. */
async function nextEpoch(trx: Trx, { attempt, kind, session_id, epoch }: RunRow): Promise<number> {
  if (attempt === 0) return epoch
  return kind === 'chat' ? beginEpoch(trx, session_id) : epoch + 1
}

/** Locks a session. Returns false when another transaction holds the lock. */
async function lockFreeSession(trx: Trx, sessionId: string): Promise<boolean> {
  const { rows } =
    await sql`select id from sessions where id = ${sessionId} for no key update skip locked`.execute(trx)
  return rows.length > 0
}

/** Makes `owner` the owner of a paused run. Returns false when the run is no longer paused. */
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
