import type { Message } from '#shared/runs/runs/message.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { type Beginning, encodeInit, formatInit, formatWire } from '../events/events.ts'
import type { Delayed, Streams } from './create-streams.ts'
import type { Reader } from './readers.ts'

/** The run that a stream begins with; without an id where none ever was. */
export type Origin = { id: string; sessionId: string; userMessage: Message | null; attempt: number }
/** The whole as it stands, and the id up to which events are part of it. */
type Whole = { view: RunView | null; last: number | null }

/** The first event of a stream, to be sent to one reader or to many. */
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

/** Whatever it rested with before, it is being written again. */
export function streaming(view: RunView | null): RunView | null {
  return view && { ...view, status: 'streaming' }
}

/** That nobody works on a run for now; whatever comes next says the contrary. */
export function sendDelayed({ deps }: Streams, reader: Reader, { id: run_id, attempt }: Delayed): void {
  const timestamp = deps.clock.now().toISOString()
  const data = { run_id, step_key: null, attempt, reason: 'no_worker', timestamp }
  reader.write(formatWire('agent_delayed', null, JSON.stringify(data)))
}
