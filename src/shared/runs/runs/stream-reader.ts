import { RunEvent } from './events.ts'
import { createJoiner, parseJson } from './join.ts'
import { chatName, isAlias } from './names.ts'
import { isChunkName, type WireEvent } from './split.ts'

export type ReadEvent = {
  event: RunEvent
  /** Id to resume after, sent as `Last-Event-ID`; null when it has not changed. */
  id: string | null
}

type Options = {
  /** Clock in milliseconds; replaceable in tests. */
  now?: () => number
  /** Also reads the second family of names, for servers that send only that family. */
  aliases?: boolean
}

/**
 * Creates a reader for one stream: reassembles chunks, fills in missing fields, and skips invalid JSON,
 * unknown events and repeated ids. `read` returns null when there is nothing to apply.
 */
export function createStreamReader({ now = Date.now, aliases = false }: Options = {}) {
  const join = createJoiner(now)
  let lastId = 0

  function read(wire: WireEvent): ReadEvent | null {
    const whole = isChunkName(wire.event) ? join(wire) : wire
    if (!whole || (isAlias(whole.event) && !aliases)) return null
    const place = placeOf(whole.id)
    if (place !== null && place <= lastId) return null
    const event = parseEvent(chatName(whole.event), parseJson(whole.data))
    if (!event) return null
    if (event.event === 'task_stream_init') lastId = Number(event.last_event_id ?? 0)
    else if (place !== null) lastId = place
    return { event, id: event.event === 'task_stream_init' ? event.last_event_id : whole.id }
  }

  return { read }
}

/** Returns the position of an event in its stream; null without a numeric id. */
function placeOf(id: string | null): number | null {
  const place = Number(id || Number.NaN)
  return Number.isFinite(place) ? place : null
}

function parseEvent(name: string, data: unknown): RunEvent | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null
  const fields = { run_id: null, step_key: null, attempt: 1, ...data }
  // Validated by hand, because this event arrives hundreds of times per second.
  if (name === 'response_chunk') {
    if (!('content' in fields) || typeof fields.content !== 'string') return null
    return { event: name, ...fields, content: fields.content }
  }
  const parsed = RunEvent.safeParse({ ...complete(name, fields), event: name })
  return parsed.success ? parsed.data : null
}

type Fields = Record<string, unknown>

/** Fills in fields that other servers name differently or omit. */
function complete(name: string, fields: Fields): Fields {
  const timestamp = fields.timestamp ?? ''
  if (name === 'agent_processing_complete') {
    return { stopped: false, ...fields, timestamp, message_id: findMessageId(fields) }
  }
  if (name === 'agent_processing_error') {
    const error = firstText(fields.error, fields.content) ?? 'Unknown error'
    const optional = { code: null, traceback: null, step: null }
    return { ...optional, ...fields, error, timestamp, message_id: findMessageId(fields) }
  }
  if (name === 'tool_update' || name === 'tool_partial_update' || name === 'tool_input_required') {
    return completeTool(fields)
  }
  if (name === 'response_stream_start' || name === 'response_stream_end') return { message_id: '', ...fields }
  if (name === 'agent_thinking') return { ...fields, timestamp }
  return fields
}

function completeTool(fields: Fields): Fields {
  const data = asFields(fields.data)
  const tool_execution_id = fields.tool_execution_id ?? data.execution_id
  const tool_id = fields.tool_id ?? data.tool_id ?? ''
  const tool_name = fields.tool_name ?? data.tool_name ?? tool_id
  const content = fields.content ?? data.content
  return { type: 'tool_update', ...fields, data, tool_execution_id, tool_id, tool_name, content }
}

/** Returns the final message id from the response, the message or the result; ignores `None`. */
function findMessageId(fields: Fields): string {
  const response = asFields(fields.response)
  const candidates = [
    fields.response_message_id,
    response.message_id,
    response.id,
    fields.message_id,
    asFields(fields.result).message_id,
  ]
  return firstText(...candidates.filter((id) => id !== 'None')) ?? ''
}

function firstText(...candidates: unknown[]): string | null {
  return candidates.find((value): value is string => typeof value === 'string' && value !== '') ?? null
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
