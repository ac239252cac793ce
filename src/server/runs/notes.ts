import { sql } from 'kysely'
import * as z from 'zod'
import type { RunEvent } from '#shared/runs/events.ts'
import type { Engine } from './engine.ts'
import { formatWire } from './frames.ts'
import { noteChannel } from './session-events.ts'

const channel = 'atrium_notes'
/** PostgreSQL takes notifications of less than 8,000 bytes. */
const NOTIFY_MAX = 7_500

const Note = z.object({ session: z.string(), from: z.string(), event: z.string(), data: z.unknown() })

/** Sends an event that belongs to no run to everybody who reads a session's events. */
export async function sendNote(engine: Engine, session: string, event: string, data: unknown): Promise<void> {
  const { db, instance } = engine.deps
  tell(engine, session, event, data)
  const payload = JSON.stringify({ session, from: instance.id, event, data })
  if (Buffer.byteLength(payload) > NOTIFY_MAX) return
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}

/** Passes on what other processes send. */
export async function hearNotes(engine: Engine): Promise<void> {
  const { instance } = engine.deps
  await instance.listen(channel, (payload) => {
    const { data: note } = Note.safeParse(JSON.parse(payload))
    if (note && note.from !== instance.id) tell(engine, note.session, note.event, note.data)
  })
}

function tell(engine: Engine, session: string, name: string, fields: unknown): void {
  const event = name.replace(/[\r\n]+/g, ' ')
  const data = JSON.stringify(fields ?? {})
  const frame = { id: 0, event: { event } as unknown as RunEvent, data, text: formatWire(event, null, data) }
  engine.channels.tell(noteChannel(session), frame)
}
