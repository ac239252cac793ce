import type { Platform } from '../../platform/platform.ts'
import { type Failure, type SendDeps, sendBatch } from './send-batch.ts'
import { confirmEntries, leaveStream, noteFailure, type StreamRow, takeStream } from './store.ts'
import { findEntries, type StreamedEntry } from './streamed-store.ts'

const MAX_ENTRIES = 200
const MAX_BATCH_CHARACTERS = 256 * 1024
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** The longest pause that a receiver may ask for. */
const LONGEST_ASKED_MS = 3_600_000

type Deps = SendDeps & Pick<Platform, 'db' | 'instance'>

/**
 * Sends entries in their order until none is left. The position is stored after the receiver confirmed, so an interrupted batch is sent again.
 * Returns the time of the next attempt after a failure, otherwise null.
 */
export async function sendEntries(deps: Deps, signal: AbortSignal): Promise<Date | null> {
  const { db, clock, instance } = deps
  try {
    while (!signal.aborted) {
      const stream = await takeStream(db, instance.id)
      if (!stream) return null
      if (stream.next_at > clock.now()) return stream.next_at
      const entries = firstOf(await findEntries(db, Number(stream.sent_to), MAX_ENTRIES))
      const last = entries.at(-1)
      if (!last) return null
      const failure = await sendBatch(deps, stream, entries, signal)
      if (failure) return await fail(deps, stream, failure)
      // The stream may have been changed while its entries were on the way.
      await confirmEntries(db, stream, last.sequence, clock.now())
    }
    return null
  } finally {
    await leaveStream(db, instance.id).catch(() => undefined)
  }
}

/** Returns the first entries that fit in one batch, at least one. */
function firstOf(entries: readonly StreamedEntry[]): StreamedEntry[] {
  let length = 0
  const end = entries.findIndex(({ text }, at) => {
    length += text.length
    return at > 0 && length > MAX_BATCH_CHARACTERS
  })
  return entries.slice(0, end < 0 ? entries.length : end)
}

async function fail({ db, clock }: Deps, stream: StreamRow, { error, waitMs }: Failure): Promise<Date> {
  const now = clock.now()
  const own = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(stream.failures, 10), LONGEST_PAUSE_MS)
  const next_at = new Date(now.getTime() + Math.max(own, Math.min(waitMs, LONGEST_ASKED_MS)))
  await noteFailure(db, stream, { error, now, next_at })
  return next_at
}
