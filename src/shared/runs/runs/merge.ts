import type { RunEvent } from './events.ts'

/**
 * Returns one event equal to `earlier` followed by `later`, or null when they cannot be merged.
 * Only adjacent deltas of the same step and attempt can be merged.
 */
export function mergeEvents(earlier: RunEvent, later: RunEvent): RunEvent | null {
  if (earlier.event !== later.event) return null
  if (earlier.step_key !== later.step_key || earlier.attempt !== later.attempt) return null
  if (earlier.run_id !== later.run_id) return null
  if (earlier.event === 'response_chunk' && later.event === 'response_chunk') {
    return { ...earlier, content: earlier.content + later.content }
  }
  if (earlier.event === 'agent_thinking' && later.event === 'agent_thinking') {
    const until = later.until ?? later.timestamp
    return { ...earlier, content: earlier.content + later.content, until }
  }
  if (earlier.event === 'tool_partial_update' && later.event === 'tool_partial_update') {
    if (earlier.tool_execution_id !== later.tool_execution_id) return null
    if (earlier.content === undefined || later.content === undefined) return null
    if (earlier.url !== undefined || later.url !== undefined) return null
    return { ...earlier, content: earlier.content + later.content }
  }
  return null
}

/** Appends an event to a list; merges a delta into the previous one where possible. */
export function appendEvent(events: RunEvent[], event: RunEvent): void {
  const last = events.at(-1)
  const both = last ? mergeEvents(last, event) : null
  if (both) events[events.length - 1] = both
  else events.push(event)
}
