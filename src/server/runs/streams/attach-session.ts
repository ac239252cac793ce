import type { RunEvent } from '#shared/runs/runs/events.ts'
import { aliasOf } from '#shared/runs/runs/names.ts'
import { epochOf, type Frame, findNewestId, formatWire, loadMissed } from '../events/events.ts'
import { loadMessage } from '../runs/runs.ts'
import { sendSnapshot } from './attach-task.ts'
import { sendDelayed } from './begin.ts'
import type { Streams } from './create-streams.ts'
import { follow } from './follow.ts'
import { followStandalone } from './follow-standalone.ts'
import { onClosed, type Reader } from './readers.ts'

/**
 * Streams all events of a session under both families of names and stays open. A reconnecting reader sends its last id
 * and gets the events it missed, or a `task_stream_init` when they cannot be determined.
 */
export async function attachSession(
  streams: Streams,
  sessionId: string,
  reader: Reader,
  after: number | null,
): Promise<void> {
  const { events } = streams
  const send = (frame: Frame) => {
    reader.write(frame.text + alsoKnownAs(frame))
    if (frame.event.event === 'agent_processing_complete')
      void sendMessage(streams, frame.event.message_id, reader)
  }
  // Events of this process arrive live; the stored copies are skipped.
  const ownEpochs = new Set<number>()
  let held: Frame[] | null = []
  onClosed(
    reader.closed,
    events.channels.join(sessionId, (frame) => {
      ownEpochs.add(epochOf(frame.id))
      if (held) held.push(frame)
      else send(frame)
    }),
  )
  await events.sentFrames.flush().catch(() => undefined)
  const missed = after === null ? [] : await loadMissed(streams.deps.db, sessionId, after)
  const newest = after === null || missed === null ? await findNewestId(streams.deps.db, sessionId) : after
  sendEstablished(streams, sessionId, reader, newest)
  onClosed(
    reader.closed,
    events.notes.join(sessionId, (text) => reader.write(text)),
  )
  // Their ids belong to other runs, so these events carry none.
  const leaveStandalone = await followStandalone(streams, sessionId, ({ event, data }) =>
    reader.write(formatWire(event.event, null, data)),
  )
  onClosed(reader.closed, leaveStandalone)
  for (const frame of missed ?? []) send(frame)
  const isLost = missed === null
  const upTo = isLost
    ? Math.max(newest, await sendSnapshot(streams, sessionId, reader))
    : (missed.at(-1)?.id ?? newest)
  const waiting = held
  held = null
  for (const frame of waiting) if (frame.id > upTo) send(frame)
  const leave = follow(
    streams,
    { sessionId, runId: null, after: upTo },
    {
      event: (frame) => {
        if (!ownEpochs.has(epochOf(frame.id))) send(frame)
      },
      delayed: (run) => sendDelayed(streams, reader, run),
    },
  )
  onClosed(reader.closed, leave)
}

/** Sends the first event. Its `last_event_id` is the position of a reader that has received nothing yet. */
function sendEstablished({ deps }: Streams, session_id: string, reader: Reader, newest: number): void {
  const established = { session_id, timestamp: deps.clock.now().toISOString(), last_event_id: String(newest) }
  reader.write(formatWire('connection_established', null, JSON.stringify(established)))
}

async function sendMessage(streams: Streams, messageId: string, reader: Reader): Promise<void> {
  const message = await loadMessage(streams.deps.db, messageId).catch(() => null)
  if (!message) return
  const { id: message_id, role, content } = message
  reader.write(formatWire('agent_message', null, JSON.stringify({ message_id, role, content })))
}

/** Translates a frame to the second family of names, with its session and message events; without ids. */
function alsoKnownAs({ event, data }: Frame): string {
  const alias = aliasOf[event.event]
  const notes = notesOf(event).map(([name, fields]) => formatWire(name, null, JSON.stringify(fields)))
  return (alias ? formatWire(alias, null, data) : '') + notes.join('')
}

type Note = [name: string, fields: object]

function notesOf(event: RunEvent): Note[] {
  switch (event.event) {
    case 'agent_processing_started':
      return [agentStatus('processing'), messageStatus(event.message_id, 'streaming')]
    case 'agent_processing_complete':
      return [messageStatus(event.message_id, 'completed'), agentStatus('completed')]
    case 'agent_processing_error':
      return [messageStatus(event.message_id, 'error'), agentStatus('error')]
    case 'input_required':
    case 'agent_task_paused':
      return [agentStatus('paused')]
    case 'agent_task_resumed':
    case 'input_received':
      return [agentStatus('processing')]
    default:
      return []
  }
}

const agentStatus = (agent_status: string): Note => ['agent_status', { agent_status }]
const messageStatus = (message_id: string, status: string): Note => ['message_status', { message_id, status }]
