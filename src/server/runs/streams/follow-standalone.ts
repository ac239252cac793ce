import type { Announcement, Frame } from '../events/events.ts'
import type { Streams } from './create-streams.ts'
import { follow } from './follow.ts'
import { findUnderWay } from './store.ts'

/** Events of standalone tool runs that readers of the session receive. */
const told = new Set(['tool_update', 'tool_partial_update', 'tool_input_required', 'input_required'])

/**
 * Subscribes to the events of a session's standalone runs, whichever process executes them and however large they are.
 * Returns the function that unsubscribes.
 */
export async function followStandalone(
  streams: Streams,
  sessionId: string,
  give: (frame: Frame) => void,
): Promise<() => void> {
  const followed = new Map<string, { after: number; leave: () => void }>()
  const begin = (runId: string, after: number) => {
    const known = followed.get(runId)
    known?.leave()
    const one = { after: known?.after ?? after, leave: () => {} }
    followed.set(runId, one)
    const event = (frame: Frame) => {
      one.after = frame.id
      if (told.has(frame.event.event)) give(frame)
    }
    const rested = () => {
      one.leave()
      followed.delete(runId)
    }
    one.leave = follow(streams, { sessionId: runId, runId, after: one.after }, { event, rested })
  }
  const listener = ({ session, run, after }: Announcement) => {
    if (session === sessionId) begin(run, after)
  }
  const leave = streams.events.announcements.join(listener)
  for (const { id, last } of await findUnderWay(streams.deps.db, sessionId))
    if (!followed.has(id)) begin(id, last)
  return () => {
    leave()
    for (const one of followed.values()) one.leave()
  }
}
