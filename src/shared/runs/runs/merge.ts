import type { RunEvent } from './events.ts'

/**
 * One event that says the same as `earlier` followed by `later`, or null when they must stay two.
 * Only neighbouring deltas of the same step and attempt can be merged.
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

/** Adds an event to a list as short as it can be: a delta joins the one before it. */
export function appendEvent(events: RunEvent[], event: RunEvent): void {
  const last = events.at(-1)
  const both = last ? mergeEvents(last, event) : null
  if (both) events[events.length - 1] = both
  else events.push(event)
}
