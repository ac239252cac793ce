import { randomBytes } from 'node:crypto'
import { API_BASE } from '#shared/platform/http.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { type ConnectorRow, findConnector } from '../connector-store.ts'
import type { Receiver } from '../define-connector.ts'
import { openSource, settingsOf } from '../engine/open-source.ts'
import { listKnownSources } from '../known-sources.ts'
import { findWatch, noteTried, noteUnwatched, noteWatched } from './watch-store.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
/** Time until a failed attempt is repeated. */
const AGAIN_MS = 15 * MINUTE_MS
/** Share of its time after which a watch is renewed. It is renewed daily in any case: the places of a source may have changed. */
const RENEWED_SHARE = 0.75
/** Timeout of the requests that end a watch. */
const STOP_MS = 10_000

/** Tells whether sources on the internet reach this installation. They send notifications only to an https address. */
export function isReachable({ config }: Pick<RunDeps, 'config'>): boolean {
  return config.publicUrl?.startsWith('https://') ?? false
}

/** Names the sources that send notifications. */
export const watchedSources = (): string[] =>
  listKnownSources()
    .filter(({ judge }) => judge !== undefined)
    .map(({ id }) => id)

/** Asks the source of a connector for notifications, or renews them. A failure is stored and tried again; syncs at intervals continue. */
export async function keepWatch(deps: RunDeps, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock, secrets } = deps
  const row = await findConnector(db, id)
  if (!row || row.removing || !isReachable(deps)) return
  const now = clock.now()
  // The secret is stored first: a process that dies after the request leaves notifications that are still accepted.
  const secret = secrets.seal(randomBytes(32).toString('base64url'))
  const tried = await noteTried(db, id, { secret, now, again: new Date(now.getTime() + AGAIN_MS) })
  const receiver = { address: addressOf(deps, id), secret: secrets.open(tried.secret) }
  try {
    const { channels, ends_at } = await watchAt(deps, row, { receiver, former: tried.channels, signal })
    const share = now.getTime() + (ends_at.getTime() - now.getTime()) * RENEWED_SHARE
    const renew_at = new Date(Math.min(share, now.getTime() + DAY_MS))
    await noteWatched(db, id, { channels, ends_at, renew_at })
  } catch (error) {
    signal.throwIfAborted()
    deps.log.warn({ error, connector: id }, 'A source accepts no request for notifications.')
    await noteUnwatched(db, id, 'The source did not accept the request for notifications.')
  }
}

const addressOf = ({ publicUrl }: RunDeps, id: string) =>
  `${publicUrl()}${API_BASE}/connectors/${id}/notifications`

type Wish = { receiver: Receiver; former: string | null; signal: AbortSignal }

async function watchAt(deps: RunDeps, row: ConnectorRow, { receiver, former, signal }: Wish) {
  const use = { connectorId: row.id, mirrors: false, signal }
  const source = await openSource(deps, row.source, settingsOf(deps, row), use)
  try {
    if (!source.watch) throw new Error(`The source ${row.source} sends no notifications.`)
    return await source.watch(receiver, former)
  } finally {
    await source.close?.().catch(() => undefined)
  }
}

/** Asks the source to send no more notifications, before its connector is deleted. Without an answer they end by themselves. */
export async function endWatch(deps: RunDeps, row: ConnectorRow): Promise<void> {
  const watch = await findWatch(deps.db, row.id)
  if (!watch?.channels) return
  try {
    const use = { connectorId: row.id, mirrors: false, signal: AbortSignal.timeout(STOP_MS) }
    const source = await openSource(deps, row.source, settingsOf(deps, row), use)
    await source.unwatch?.(watch.channels)
    await source.close?.()
  } catch (error) {
    deps.log.info({ error, connector: row.id }, 'A source was not asked to stop its notifications.')
  }
}
