import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { createSharedEncode } from '../../platform/http/chunk.ts'
import type { Server } from '../../platform/http/serve.ts'
import { type EventStream, openEventStream } from '../../platform/http/streaming/event-stream.ts'
import type { Pieces } from '../../platform/http/streaming/send-queue.ts'
import { formatWire } from '../events/events.ts'

/** Keeps proxies and browsers from giving a quiet stream up. */
const PING_MS = 15_000
/** How long a token that ended may still be read with when nobody said that it did. */
const RECHECK_MS = 60_000
/** When a reader of a server that stops comes back. */
const RETRY_MS = 1_000

/** One open event stream of ours. */
export type Reader = {
  /** Text of whole events; all of one turn of the event loop go out in one write. */
  write: (text: string) => void
  /** Text that may be large: made as it is read, after what was written. */
  writePieces: (text: Pieces) => void
  /** Ends the stream after what was written. */
  close: (options?: { retryMs?: number }) => void
  readonly closed: AbortSignal
  /** How much was written so far, in characters or bytes. */
  readonly written: number
}

/** The open streams of a process: pings them, checks again who reads, ends them when the server stops. */
export type Readers = {
  /** Whether who reads a session may still do so is asked again as the sign-in is: else the stream ends, and coming back is refused. */
  open: (request: FastifyRequest, reply: FastifyReply, sessionId?: string) => Reader
  /** Asks again at once whether a person may still read, or those who read a session. */
  recheck: (whose: { userId: string } | { sessionId: string }) => void
  closeAll: () => void
}

type Open = { reader: Reader; request: FastifyRequest; sessionId: string | undefined; checkedAt: number }
/** Who decides on readers: whose token it is, and what that person may read. */
type Gate = Pick<Server, 'authenticate' | 'admit'>

export function createReaders(gate: Gate, { pingMs = PING_MS, recheckMs = RECHECK_MS } = {}): Readers {
  const all = new Set<Open>()
  const write = createBatcher()
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    const now = performance.now()
    for (const open of all) {
      open.reader.write(formatWire('ping', null, '{}'))
      // The ping nearest to the time.
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
      // Visitors of a person's tokens are counted under the person's id and their own.
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
    // When nobody can tell, the reader stays: the next check decides.
    if (error instanceof AppError) reader.close()
  }
}

/** Calls back once, also when it is over already. */
export function onClosed(closed: AbortSignal, callback: () => void): void {
  if (closed.aborted) callback()
  else closed.addEventListener('abort', callback, { once: true })
}

type Batcher = { (stream: EventStream, text: string): void; flush: () => void }

/** Collects what one turn of the event loop writes, so that a socket is written to once. */
function createBatcher(): Batcher {
  let waiting = new Map<EventStream, string>()
  const flush = () => {
    const due = waiting
    waiting = new Map()
    // Readers of the same reply stand next to each other.
    const encode = createSharedEncode()
    for (const [stream, text] of due) stream.write(text, encode)
  }
  const write = (stream: EventStream, text: string) => {
    if (waiting.size === 0) setImmediate(flush)
    waiting.set(stream, (waiting.get(stream) ?? '') + text)
  }
  return Object.assign(write, { flush })
}
