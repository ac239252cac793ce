import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatWire } from '../events/events.ts'
import { type EventStream, openEventStream } from '../http/event-stream.ts'
import type { Server } from '../http/serve.ts'

/** Keeps proxies and browsers from giving a quiet stream up. */
const PING_MS = 15_000
/** How long a token that was revoked may still be read with. */
const RECHECK_MS = 60_000
/** When a reader of a server that stops comes back. */
const RETRY_MS = 1_000

/** One open event stream of ours. */
export type Reader = {
  /** Text of whole events; all of one turn of the event loop go out in one write. */
  write: (text: string) => void
  /** Ends the stream after what was written. */
  close: (options?: { retryMs?: number }) => void
  readonly closed: AbortSignal
}

/** The open streams of a process: pings them, checks again who reads, ends them when the server stops. */
export type Readers = {
  open: (request: FastifyRequest, reply: FastifyReply) => Reader
  closeAll: () => void
}

type Open = { reader: Reader; request: FastifyRequest; checkedAt: number }

export function createReaders(
  authenticate: Server['authenticate'],
  { pingMs = PING_MS, recheckMs = RECHECK_MS } = {},
): Readers {
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
      void recheck(open, authenticate)
    }
  }
  const sleep = () => {
    if (timer) clearInterval(timer)
    timer = null
  }
  return {
    open: (request, reply) => {
      const stream = openEventStream(request, reply)
      const reader: Reader = {
        write: (text) => write(stream, text),
        close: (options) => {
          write.flush()
          stream.close(options)
        },
        closed: stream.closed,
      }
      const open = { reader, request, checkedAt: performance.now() }
      all.add(open)
      timer ??= setInterval(tick, pingMs).unref()
      onClosed(stream.closed, () => {
        all.delete(open)
        if (all.size === 0) sleep()
      })
      return reader
    },
    closeAll: () => {
      for (const { reader } of [...all]) reader.close({ retryMs: RETRY_MS })
    },
  }
}

async function recheck({ reader, request }: Open, authenticate: Server['authenticate']): Promise<void> {
  // When nobody can tell, the reader stays: the next check decides.
  const caller = await authenticate(request, 'stream').catch(() => 'unknown' as const)
  if (caller !== null) return
  reader.write(formatWire('unauthorized', null, JSON.stringify({ detail: 'Could not validate credentials' })))
  reader.close()
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
    for (const [stream, text] of due) stream.write(text)
  }
  const write = (stream: EventStream, text: string) => {
    if (waiting.size === 0) setImmediate(flush)
    waiting.set(stream, (waiting.get(stream) ?? '') + text)
  }
  return Object.assign(write, { flush })
}
