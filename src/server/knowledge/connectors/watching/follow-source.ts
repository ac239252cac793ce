import type { RunDeps } from '../../../runs/run-deps.ts'
import { findConnector } from '../connector-store.ts'
import { openSource, settingsOf } from '../engine/open-source.ts'
import { listKnownSources } from '../known-sources.ts'
import { noteFollowed, noteUnfollowed } from './watch-store.ts'

/** Time after which a connection is opened again, with the settings of that moment. The job that follows begins within a minute. */
const FOLLOW_MS = 30 * 60_000
/** Time after which the end of a connection is not a failure. */
const LASTING_MS = 60_000
/** Time until a failed attempt is repeated. */
const AGAIN_MS = 15 * 60_000

/** Names the sources that report changes while a connection to them is open. */
export const followedSources = (): string[] =>
  listKnownSources()
    .filter(({ follows }) => follows)
    .map(({ id }) => id)

/**
 * Follows the source of a connector until the signal aborts or half an hour is over. Earlier changes are read when it begins. A failure is
 * stored and tried again; syncs at intervals continue.
 */
export async function followSource(
  deps: RunDeps,
  id: string,
  notify: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log } = deps
  const row = await findConnector(db, id)
  if (!row || row.removing) return
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FOLLOW_MS)])
  // Unix time in milliseconds; 0 until the source is followed.
  let began = 0
  const report = async () => {
    const now = clock.now()
    if (began === 0) await noteFollowed(db, id, now)
    began ||= now.getTime()
    await notify()
  }
  let reported = Promise.resolve()
  const changed = () => {
    reported = reported.then(report).catch((error) => {
      log.warn({ error, connector: id }, 'A change of a source was not noted.')
    })
  }
  try {
    const source = await openSource(deps, row.source, settingsOf(deps, row), {
      ...{ connectorId: id, mirrors: false, signal: limit },
    })
    try {
      await source.follow?.(row.selection, changed, limit)
    } finally {
      await source.close?.().catch(() => undefined)
    }
    if (!limit.aborted) throw new Error(`The source ${row.source} reports no more changes.`)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) return
    log.info({ error, connector: id }, 'A source cannot be followed.')
    await reported
    const now = clock.now()
    // A connection that lasted is opened again within a minute.
    if (began > 0 && now.getTime() - began >= LASTING_MS) return
    const again = new Date(now.getTime() + AGAIN_MS)
    await noteUnfollowed(db, id, { error: 'The source cannot be followed.', now, again })
  }
}
