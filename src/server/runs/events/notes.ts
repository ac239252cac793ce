import * as z from 'zod'
import type { Platform } from '../../platform/platform.ts'
import { createChannels } from './channels.ts'
import { formatWire } from './frames.ts'

const channel = 'atrium_notes'
/** PostgreSQL limits notifications to less than 8,000 bytes. */
const NOTIFY_MAX = 7_500

const Note = z.object({ session: z.string(), from: z.string(), event: z.string(), data: z.unknown() })

/** Sends events that belong to no run to all readers of a session. */
export type Notes = {
  send: (session: string, event: string, data: unknown) => Promise<void>
  /** Subscribes to notes in wire format. Returns the function that unsubscribes. */
  join: (session: string, listener: (text: string) => void) => () => void
  /** Subscribes to notes of other processes and forwards them to local listeners. */
  hear: () => Promise<void>
}

export function createNotes({ instance }: Pick<Platform, 'instance'>): Notes {
  const channels = createChannels<string>()
  const tell = (session: string, name: string, fields: unknown) => {
    const event = name.replace(/[\r\n]+/g, ' ')
    channels.tell(session, formatWire(event, null, JSON.stringify(fields ?? {})))
  }
  return {
    send: async (session, event, data) => {
      tell(session, event, data)
      const payload = JSON.stringify({ session, from: instance.id, event, data })
      if (Buffer.byteLength(payload) > NOTIFY_MAX) return
      await instance.notify(channel, payload)
    },
    join: channels.join,
    hear: () =>
      instance.listen(channel, (payload) => {
        const { data: note } = Note.safeParse(JSON.parse(payload))
        if (note && note.from !== instance.id) tell(note.session, note.event, note.data)
      }),
  }
}
