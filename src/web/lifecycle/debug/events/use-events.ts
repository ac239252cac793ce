import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { type Entry, noteEntry, readEntry } from './event-entry.ts'
import { EventLog } from './event-log.ts'
import { followEvents } from './follow-events.ts'
import { openEvents, targetOf } from './open-events.ts'
import type { DebugSettings } from './settings.ts'

/** State of the last interruption: retrying, recovered or final. */
export type Trouble =
  | { kind: 'lost'; at: Date }
  | { kind: 'back'; at: Date; seconds: number }
  | { kind: 'closed'; at: Date; status: number | null }

export type Connection = {
  status: 'disconnected' | 'connecting' | 'connected'
  /** Connected session; unchanged while another id is typed. */
  sessionId: string | null
  since: Date | null
  trouble: Trouble | null
}

const nothing: Connection = { status: 'disconnected', sessionId: null, since: null, trouble: null }

/** One event stream for both tabs and its log. `onEvent` is called once per complete event. */
export function useEvents(onEvent: (entry: Entry, sessionId: string | null) => void) {
  const { t } = useTranslation('admin')
  const [log] = useState(() => new EventLog())
  const entries = useSyncExternalStore(log.subscribe, log.read)
  const [connection, setConnection] = useState<Connection>(nothing)
  const stop = useRef<(() => void) | null>(null)
  const lastKey = useRef(0)
  const heard = useRef(onEvent)
  heard.current = onEvent
  useEffect(() => () => stop.current?.(), [])

  return useMemo(() => {
    const note = (text: string) => log.add(noteEntry(text, ++lastKey.current))
    const connect = (settings: DebugSettings) => {
      const sessionId = targetOf(settings)
      stop.current?.()
      setConnection({ ...nothing, status: 'connecting', sessionId })
      stop.current = followEvents((signal, lastId) => openEvents(settings, signal, lastId), {
        event: (wire, pieces) => {
          const entry = readEntry(wire, pieces, ++lastKey.current)
          log.add(entry)
          heard.current(entry, sessionId)
        },
        opened: () => setConnection((before) => opened(before)),
        lost: () => {
          setConnection((before) => lost(before))
          note(t('debug.connection_lost'))
        },
        closed: (error) => {
          const status = isApiError(error) ? error.status : null
          setConnection({ ...nothing, trouble: { kind: 'closed', at: new Date(), status } })
        },
      })
    }
    const disconnect = () => {
      stop.current?.()
      stop.current = null
      setConnection(nothing)
    }
    return { connection, entries, connect, disconnect, note, clear: () => log.clear() }
  }, [connection, entries, log, t])
}

export type DebugEvents = ReturnType<typeof useEvents>

function opened(before: Connection): Connection {
  const { trouble } = before
  const at = new Date()
  const back: Trouble | null =
    trouble?.kind === 'lost'
      ? { kind: 'back', at: trouble.at, seconds: Math.round((at.getTime() - trouble.at.getTime()) / 1000) }
      : trouble
  return { ...before, status: 'connected', since: at, trouble: back }
}

function lost(before: Connection): Connection {
  // The first of several failures marks the time of the interruption.
  const trouble: Trouble = before.trouble?.kind === 'lost' ? before.trouble : { kind: 'lost', at: new Date() }
  return { ...before, status: 'connecting', trouble }
}
