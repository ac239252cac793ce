import type { Message } from '#shared/runs/runs/message.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { type Beginning, encodeInit, formatInit, formatWire } from '../events/events.ts'
import type { Delayed, Streams } from './create-streams.ts'
import type { Reader } from './readers.ts'

/** The run at the start of a stream; `id` is empty when the session never had a run. */
export type Origin = { id: string; sessionId: string; userMessage: Message | null; attempt: number }
/** A snapshot and the id of the last event it includes. */
type Whole = { view: RunView | null; last: number | null }

/** Encodes the first event of a stream for one or more readers. */
export function encodeBeginning(
  { id: run_id, sessionId: session_id, userMessage: user_message, attempt }: Origin,
  { view, last }: Whole,
): Beginning {
  const last_event_id = last === null ? null : String(last)
  const init = { event: 'task_stream_init' as const, run_id, step_key: null, attempt, session_id }
  return encodeInit({ ...init, view, user_message, last_event_id })
}

export function sendBeginning(reader: Reader, beginning: Beginning): void {
  reader.writePieces(formatInit(beginning))
}

/** Marks the view as streaming again, whatever state it last rested in. */
export function streaming(view: RunView | null): RunView | null {
  return view && { ...view, status: 'streaming' }
}

/** Reports that no process is executing the run. The next event supersedes this. */
export function sendDelayed({ deps }: Streams, reader: Reader, { id: run_id, attempt }: Delayed): void {
  const timestamp = deps.clock.now().toISOString()
  const data = { run_id, step_key: null, attempt, reason: 'no_worker', timestamp }
  reader.write(formatWire('agent_delayed', null, JSON.stringify(data)))
}
