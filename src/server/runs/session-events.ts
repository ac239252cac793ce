import type { RunEvent } from '#shared/runs/events.ts'
import { aliasOf } from '#shared/runs/names.ts'
import type { Frame } from './channels.ts'
import type { Engine } from './engine.ts'
import { follow } from './follow.ts'
import { followStandalone } from './follow-standalone.ts'
import { epochOf, formatWire } from './frames.ts'
import { onClosed, type Reader } from './reader.ts'
import { loadMessage } from './reply.ts'

/** Sends everything that happens in a session from now on, under both families of names; stays open. */
export async function attachSession(engine: Engine, sessionId: string, reader: Reader): Promise<void> {
  const timestamp = engine.deps.clock.now().toISOString()
  reader.write(
    formatWire('connection_established', null, JSON.stringify({ session_id: sessionId, timestamp })),
  )
  const send = (frame: Frame) => {
    reader.write(frame.text + alsoKnownAs(frame))
    if (frame.event.event === 'agent_processing_complete')
      void sendMessage(engine, frame.event.message_id, reader)
  }
  // What this process sends is heard here; what it stores is not read a second time.
  const ownEpochs = new Set<number>()
  onClosed(
    reader.closed,
    engine.channels.join(sessionId, (frame) => {
      ownEpochs.add(epochOf(frame.id))
      send(frame)
    }),
  )
  onClosed(
    reader.closed,
    engine.channels.join(noteChannel(sessionId), ({ text }) => reader.write(text)),
  )
  const [leaveStandalone, newest] = await Promise.all([
    // Their ids are of their own runs, so these go without.
    followStandalone(engine, sessionId, ({ event, data }) =>
      reader.write(formatWire(event.event, null, data)),
    ),
    findNewestId(engine, sessionId),
  ])
  onClosed(reader.closed, leaveStandalone)
  const leave = follow(
    engine,
    { sessionId, runId: null, after: newest },
    {
      event: (frame) => {
        if (!ownEpochs.has(epochOf(frame.id))) send(frame)
      },
    },
  )
  onClosed(reader.closed, leave)
}

async function findNewestId({ deps }: Engine, sessionId: string): Promise<number> {
  const newest = await deps.db
    .selectFrom('run_events')
    .select((row) => row.fn.max('last_id').as('id'))
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return newest?.id ?? 0
}

/** Where events go that belong to no run. */
export function noteChannel(sessionId: string): string {
  return `note:${sessionId}`
}

async function sendMessage(engine: Engine, messageId: string, reader: Reader): Promise<void> {
  const message = await loadMessage(engine.deps.db, messageId).catch(() => null)
  if (!message) return
  const { id: message_id, role, content } = message
  reader.write(formatWire('agent_message', null, JSON.stringify({ message_id, role, content })))
}

/** The same thing in the second family of names, and what it means for session and message; without ids. */
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
