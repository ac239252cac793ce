import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { mergeEvents } from '#shared/runs/runs/merge.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Frame } from './channels.ts'
import { firstId, frameOf } from './frames.ts'
import { loadRows, MAX_ROWS, type Row } from './store.ts'

/** Events of another process are stored within this time. */
const STORED_MS = 150

/**
 * Returns the events sent in a session after an id, oldest first, with adjacent deltas merged. Returns null when the id is
 * not stored, or when the gap is too old or too large.
 */
export async function loadMissed(db: Database, sessionId: string, after: number): Promise<Frame[] | null> {
  let rows = await loadRows(db, sessionId, after)
  if (after > 0 && rows.length === 0) {
    await sleep(STORED_MS)
    rows = await loadRows(db, sessionId, after)
  }
  if (rows.length > MAX_ROWS || !isKnown(rows, after)) return null
  const sent = rows.flatMap(({ events }) =>
    events.map(([id, event, fields]) => ({ id, event: { ...fields, event } as RunEvent })),
  )
  return compact(withoutVoid(sent.filter(({ id }) => id > after)))
}

/** Returns whether the stored rows continue the given id without a gap. 0 precedes the first event. */
function isKnown([first]: Row[], after: number): boolean {
  if (!first) return after === 0
  return first.first_id <= (after || firstId(1)) + 1
}

type Sent = { id: number; event: RunEvent }

/** Drops events of lost attempts: a resumed run sends everything again from its last `task_stream_init`. */
function withoutVoid(sent: Sent[]): Sent[] {
  const begins = new Map<string | null, number>()
  for (const { id, event } of sent) if (event.event === 'task_stream_init') begins.set(event.run_id, id)
  return sent.filter(({ id, event }) => id >= (begins.get(event.run_id) ?? 0))
}

function compact(sent: Sent[]): Frame[] {
  const merged: Sent[] = []
  for (const { id, event } of sent) {
    const last = merged.at(-1)
    const both = last && mergeEvents(last.event, event)
    if (both) merged[merged.length - 1] = { id, event: both }
    else merged.push({ id, event })
  }
  return merged.map(({ id, event }) => frameOf(id, event))
}
