import { parseJson } from '#shared/runs/runs/join.ts'
import { isChunkName, type WireEvent } from '#shared/runs/runs/split.ts'

/** One line of the event list. `data` is the raw text; `fields` is the parsed JSON, if valid. */
export type Entry = {
  key: number
  at: Date
  type: string
  id: string | null
  data: string
  fields: Record<string, unknown>
  /** Number of chunks the event was reassembled from. */
  pieces: number | null
  /** Number of events merged into this line. */
  count: number
}

export type EventTone = 'blue' | 'green' | 'orange' | 'cyan' | 'magenta' | 'danger' | 'quiet' | 'plain'

/** Colours of all known events. The name is always shown as well. */
export const knownEvents: Record<string, EventTone> = {
  connection_established: 'green',
  ping: 'quiet',
  test_event: 'magenta',
  task_stream_init: 'blue',
  agent_status: 'magenta',
  agent_thinking: 'plain',
  agent_message: 'blue',
  message_status: 'magenta',
  agent_processing_started: 'blue',
  agent_processing_complete: 'green',
  agent_processing_error: 'danger',
  agent_step_started: 'blue',
  agent_step_progress: 'cyan',
  agent_step_completed: 'green',
  agent_progress: 'cyan',
  model_fallback: 'orange',
  model_waiting: 'orange',
  response_stream_start: 'blue',
  response_chunk: 'plain',
  response_sources: 'blue',
  response_checked: 'blue',
  response_stream_end: 'blue',
  agent_response_stream_start: 'blue',
  agent_response_chunk: 'plain',
  agent_response_stream_end: 'blue',
  agent_response_error: 'danger',
  checkpoint_created: 'orange',
  checkpoint_navigation: 'orange',
  input_required: 'magenta',
  input_received: 'magenta',
  tool_update: 'cyan',
  tool_input_required: 'magenta',
  tool_partial_update: 'cyan',
  agent_delayed: 'orange',
  agent_pause_requested: 'magenta',
  agent_task_paused: 'magenta',
  agent_task_resumed: 'green',
  unauthorized: 'danger',
  error: 'danger',
}

/** Returns the colour of an event; unknown events are plain. */
export function toneOf(type: string): EventTone {
  return isChunkName(type) ? 'orange' : (knownEvents[type] ?? 'plain')
}

/** Parses an event. Logs invalid JSON to the console and shows it unchanged. */
export function readEntry(wire: WireEvent, pieces: number | null, key: number): Entry {
  const parsed = parseJson(wire.data)
  if (parsed === undefined) console.error(`Error parsing ${wire.event} event`, wire.data)
  const fields = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {}
  return {
    ...{ key, at: new Date(), type: wire.event, id: wire.id, data: wire.data, pieces, count: 1 },
    fields: fields as Record<string, unknown>,
  }
}

/** Returns a line written by this page, such as a lost connection. */
export function noteEntry(text: string, key: number): Entry {
  return { key, at: new Date(), type: 'error', id: null, data: text, fields: {}, pieces: null, count: 1 }
}

/** Returns the overall progress of an event: percent with two decimals, and the step name. */
export function readProgress({ type, fields }: Entry): { percent: number; step: string } | null {
  if (type !== 'agent_progress' || typeof fields.progress !== 'number') return null
  return { percent: fields.progress, step: typeof fields.step_name === 'string' ? fields.step_name : '' }
}

const textEvents = new Set(['response_chunk', 'agent_response_chunk', 'agent_thinking'])

/** Merges consecutive text deltas of one family into one line and omits pings. */
export function foldEntries(entries: readonly Entry[]): Entry[] {
  const folded: Entry[] = []
  let open = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type === 'ping') continue
    const at = open.get(entry.type)
    if (at !== undefined) folded[at] = joinTexts(folded[at]!, entry)
    else {
      if (!textEvents.has(entry.type)) open = new Map()
      else open.set(entry.type, folded.length)
      folded.push(entry)
    }
  }
  return folded
}

function joinTexts(before: Entry, entry: Entry): Entry {
  const content = String(before.fields.content ?? '') + String(entry.fields.content ?? '')
  const count = before.count + 1
  return { ...before, id: entry.id, count, fields: { content }, data: JSON.stringify({ content }) }
}
