import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { createSharedEncode } from '../../platform/http/chunk.ts'
import type { Server } from '../../platform/http/serve.ts'
import { type EventStream, openEventStream } from '../../platform/http/streaming/event-stream.ts'
import type { Pieces } from '../../platform/http/streaming/send-queue.ts'
import { formatWire } from '../events/events.ts'

/** Interval that prevents proxies and browsers from dropping an idle stream. */
const PING_MS = 15_000
/** Maximum time an ended token stays readable when no notification arrives. */
const RECHECK_MS = 60_000
/** Reconnect delay for readers of a stopping server. */
const RETRY_MS = 1_000

/** One open event stream. */
export type Reader = {
  /** Writes whole events. Everything written in one turn of the event loop goes out together. */
  write: (text: string) => void
  /** Writes large text that is produced as it is read, after earlier writes. */
  writePieces: (text: Pieces) => void
  /** Closes the stream after pending writes. */
  close: (options?: { retryMs?: number }) => void
  readonly closed: AbortSignal
  /** Amount written so far, in characters or bytes. */
  readonly written: number
}

/** The open streams of a process: pings them, rechecks permissions and closes them when the server stops. */
export type Readers = {
  /** Opens a stream. With `sessionId` it also rechecks read access to the session and ends the stream when that is lost. */
  open: (request: FastifyRequest, reply: FastifyReply, sessionId?: string) => Reader
  /** Rechecks immediately whether a user, or the readers of a session, may still read. */
  recheck: (whose: { userId: string } | { sessionId: string }) => void
  closeAll: () => void
}

type Open = { reader: Reader; request: FastifyRequest; sessionId: string | undefined; checkedAt: number }
/** The checks of a reader: authentication and read access. */
type Gate = Pick<Server, 'authenticate' | 'admit'>

export function createReaders(gate: Gate, { pingMs = PING_MS, recheckMs = RECHECK_MS } = {}): Readers {
  const all = new Set<Open>()
  const write = createBatcher()
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    const now = performance.now()
    for (const open of all) {
      open.reader.write(formatWire('ping', null, '{}'))
      // Rechecks at the ping closest to the interval.
      if (now - open.checkedAt < recheckMs - pingMs / 2) continue
      open.checkedAt = now
      void recheck(open, gate)
    }
  }
  const sleep = () => {
    if (timer) clearInterval(timer)
    timer = null
  }
  return {
    open: (request, reply, sessionId) => {
      const stream = openEventStream(request, reply)
      let written = 0
      const reader: Reader = {
        get written() {
          return written
        },
        write: (text) => {
          written += text.length
          write(stream, text)
        },
        writePieces: (text) => {
          written += text.bytes
          write.flush()
          stream.writePieces(text)
        },
        close: (options) => {
          write.flush()
          stream.close(options)
        },
        closed: stream.closed,
      }
      const open = { reader, request, sessionId, checkedAt: performance.now() }
      all.add(open)
      timer ??= setInterval(tick, pingMs).unref()
      onClosed(stream.closed, () => {
        all.delete(open)
        if (all.size === 0) sleep()
      })
      return reader
    },
    recheck: (whose) => {
      // Visitors count under both the token owner's id and their own.
      const isMeant = ({ request: { countedAs }, sessionId }: Open) =>
        'userId' in whose ? countedAs.split('/')[0] === whose.userId : sessionId === whose.sessionId
      for (const open of [...all].filter(isMeant)) void recheck(open, gate)
    },
    closeAll: () => {
      for (const { reader } of [...all]) reader.close({ retryMs: RETRY_MS })
    },
  }
}

async function recheck({ reader, request, sessionId }: Open, { authenticate, admit }: Gate): Promise<void> {
  try {
    const caller = await authenticate(request, 'stream')
    if (caller && sessionId === undefined) return
    if (caller) return await admit(caller, 'read session', { sessionId })
    const detail = 'Could not validate credentials'
    reader.write(formatWire('unauthorized', null, JSON.stringify({ detail })))
    reader.close()
  } catch (error) {
    // When the check itself fails, the reader stays until the next one.
    if (error instanceof AppError) reader.close()
  }
}

/** Calls back once when the signal aborts, or immediately when it already has. */
export function onClosed(closed: AbortSignal, callback: () => void): void {
  if (closed.aborted) callback()
  else closed.addEventListener('abort', callback, { once: true })
}

type Batcher = { (stream: EventStream, text: string): void; flush: () => void }

/** Batches the writes of one turn of the event loop into one per socket. */
function createBatcher(): Batcher {
  let waiting = new Map<EventStream, string>()
  const flush = () => {
    const due = waiting
    waiting = new Map()
    // Readers of the same reply are adjacent.
    const encode = createSharedEncode()
    for (const [stream, text] of due) stream.write(text, encode)
  }
  const write = (stream: EventStream, text: string) => {
    if (waiting.size === 0) setImmediate(flush)
    waiting.set(stream, (waiting.get(stream) ?? '') + text)
  }
  return Object.assign(write, { flush })
}
