import type { RunDeps } from '../../../runs/run-deps.ts'
import { findConnector } from '../connector-store.ts'
import { openSource, settingsOf } from '../engine/open-source.ts'
import { listKnownSources } from '../known-sources.ts'

/** Time after which a connection is opened again, with the settings of that moment. The job that follows begins within a minute. */
const FOLLOW_MS = 30 * 60_000

/** Names the sources that report changes while a connection to them is open. */
export const followedSources = (): string[] =>
  listKnownSources()
    .filter(({ follows }) => follows)
    .map(({ id }) => id)

/** Follows the source of a connector until the signal aborts or half an hour is over. After a failure its interval counts until it is tried again. */
export async function followSource(
  deps: RunDeps,
  id: string,
  notify: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const row = await findConnector(deps.db, id)
  if (!row || row.removing) return
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FOLLOW_MS)])
  const report = () => {
    notify().catch((error) => deps.log.warn({ error, connector: id }, 'A change of a source was not noted.'))
  }
  try {
    const source = await openSource(deps, row.source, settingsOf(deps, row), {
      ...{ connectorId: id, mirrors: false, signal: limit },
    })
    try {
      await source.follow?.(row.selection, report, limit)
    } finally {
      await source.close?.().catch(() => undefined)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.aborted) deps.log.info({ error, connector: id }, 'A source cannot be followed.')
  }
}
