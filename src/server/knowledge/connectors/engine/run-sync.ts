import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters, isRolledBack } from '../../../platform/db/db.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { requestForgetting } from '../../search/search.ts'
import { type ConnectorRow, findConnector, lockConnector, mayReadSource } from '../connector-store.ts'
import { CursorExpired, ItemRefused, type OpenedSource, SignedOut, SourceBusy } from '../define-connector.ts'
import { wasNotified } from '../watching/watch-store.ts'
import { listChanges } from './list-changes.ts'
import { listItems, SyncEnded } from './list-items.ts'
import { openSource, settingsOf } from './open-source.ts'
import { readItems, removeGone } from './read-items.ts'
import { isByChanges, noteBegun, noteEnded, noteFailure, restartListing, waitUntil } from './sync-store.ts'

/** Longest work of a sync before others have their turn. It then continues behind them in the queue. */
const SLICE_MS = 20_000
const MINUTE_MS = 60_000
/** Wait before a sync that was notified of during the last one. */
const AFTER_NOTIFICATION_MS = 15_000
/** Longest wait after failures, in minutes. */
const MAX_WAIT_MINUTES = 6 * 60
const MAX_DETAIL = 500
/** Listings of a sync that begin again immediately. Later ones wait as after a failure. */
const MAX_RESTARTS = 5
/** Failures behind the same cursor before everything is listed from the beginning. */
const MAX_FAILURES = 5
/** Difference between the clocks of the database and of this process that a wait allows for. */
const CLOCK_MS = 100

/**
 * Works on the sync of a connector until it ends, fails, or its time is over. A repetition after a kill continues at the stored cursor.
 * Returns when there is more to do; null when the next sync is planned, or nothing is.
 */
export async function runSync(deps: RunDeps, id: string, signal: AbortSignal): Promise<Date | null> {
  const row = await beginSync(deps, id)
  if (!row) return null
  let source: OpenedSource | undefined
  try {
    const use = { connectorId: id, mirrors: row.rights === 'mirrored', signal }
    source = await openSource(deps, row.source, settingsOf(deps, row), use)
    return await workOn(deps, row, source, signal)
  } catch (error) {
    // The process is stopping: the next one continues.
    if (signal.aborted) throw error
    if (error instanceof SyncEnded || isRolledBack(error)) return deps.clock.now()
    return settleSync(deps, row, error)
  } finally {
    await source?.close?.().catch(() => undefined)
  }
}

/** Begins a sync, or returns the one under way. Null when nothing is to be done now. */
async function beginSync({ db, clock }: RunDeps, id: string): Promise<ConnectorRow | null> {
  return db.transaction().execute(async (trx) => {
    const row = await lockConnector(trx, id)
    const now = clock.now()
    if (!row || !['ready', 'working', 'failing'].includes(row.state)) return null
    if ((row.wait_until ?? now) > now || row.next_sync_at === null || row.next_sync_at > now) return null
    if (!(await mayReadSource(trx, id))) return null
    await noteBegun(trx, row, now)
    return findConnector(trx, id)
  })
}

/** Returns when the next sync begins if a notification asked for it; otherwise null. */
async function workOn(deps: RunDeps, row: ConnectorRow, source: OpenedSource, signal: AbortSignal) {
  const end = Date.now() + SLICE_MS
  const isLate = () => Date.now() > end
  if (row.phase === 'listing') await (isByChanges(row) ? listChanges : listItems)(deps, row, source, isLate)
  const now = await findConnector(deps.db, row.id)
  if (now?.phase !== 'reading' || now.state !== 'working' || now.sync_number !== row.sync_number) return null
  const reading = { deps, row: now, source, signal, isLate }
  await removeGone(reading)
  await readItems(reading)
  return endSync(deps, now)
}

async function endSync(deps: RunDeps, { id, sync_number }: ConnectorRow): Promise<Date | null> {
  const now = deps.clock.now()
  const ended = await deps.db.transaction().execute(async (trx) => {
    const row = await lockConnector(trx, id)
    if (!row || row.sync_number !== sync_number || row.phase !== 'reading' || row.state !== 'working')
      return null
    const isNotified = await wasNotified(trx, id, row.began_at)
    const wait = isNotified ? AFTER_NOTIFICATION_MS : row.every_minutes * MINUTE_MS
    const next = new Date(now.getTime() + wait)
    await noteEnded(trx, row, now, next)
    return { hasRemoved: row.counts.removed > 0, again: isNotified ? next : null }
  })
  if (ended?.hasRemoved) await requestForgetting(deps)
  return ended?.again ?? null
}

/** Stores why a sync stopped, and returns when the source may be asked again if it said so. */
async function settleSync(deps: RunDeps, began: ConnectorRow, error: unknown): Promise<Date | null> {
  const now = deps.clock.now()
  if (error instanceof SourceBusy) {
    const until = new Date(now.getTime() + error.seconds * 1000)
    // The limit is that of the host: its other connectors wait too.
    await waitUntil(deps.db, began, until)
    return new Date(until.getTime() + CLOCK_MS)
  }
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockConnector(trx, began.id)
    if (row?.state !== 'working' || row.phase === null || row.sync_number !== began.sync_number) return null
    const isExpired = error instanceof CursorExpired
    if (isExpired || isStuck(row)) await restartListing(trx, row.id)
    if (isExpired && row.restarts < MAX_RESTARTS) return now
    const minutes = Math.min(2 ** row.failures, row.every_minutes, MAX_WAIT_MINUTES)
    const next = error instanceof SignedOut ? null : new Date(now.getTime() + minutes * MINUTE_MS)
    await noteFailure(trx, row, { error: textOf(deps, row, error), now, next })
    return null
  })
}

/** Many sources answer to an old cursor or token as to any other mistake. */
const isStuck = (row: ConnectorRow) =>
  row.phase === 'listing' && (row.cursor !== null || isByChanges(row)) && row.failures + 1 >= MAX_FAILURES

/** A message may quote the source, whose texts have any character. */
const textOf = (deps: RunDeps, row: ConnectorRow, error: unknown) =>
  cleanCharacters(describe(deps, row, error))
    .slice(0, MAX_DETAIL)
    .toWellFormed()

function describe({ log }: RunDeps, { id }: ConnectorRow, error: unknown): string {
  if (error instanceof AppError) return error.detail
  if (error instanceof CursorExpired) return 'The list of the source changed while it was read.'
  if (error instanceof SignedOut || error instanceof ItemRefused) return error.message
  log.error({ error, connector: id }, 'A sync failed.')
  return 'Something went wrong on the server.'
}
