import type { FastifyReply, FastifyRequest } from 'fastify'
import { redactUrl } from '../log.ts'
import { createSendQueue } from './send-queue.ts'

/** One server-sent event; `data` goes out as JSON. */
export type ServerEvent = { event?: string; id?: number | string; data: unknown }

export type EventStream = {
  send(event: ServerEvent): void
  /** Events that are already text, each ended by an empty line: the cheapest way to many readers. */
  write(chunk: string): void
  /** A line the browser ignores; keeps proxies from closing a quiet connection. */
  comment(text: string): void
  /** Ends the stream; with `retryMs` the reader comes back after that time. */
  close(options?: { retryMs?: number }): void
  /** Aborted once the stream is over, whoever ended it. */
  readonly closed: AbortSignal
}

/** The text of an event on the wire. */
export function formatEvent({ event, id, data }: ServerEvent): string {
  const head = event === undefined ? '' : `event: ${event}\n`
  const key = id === undefined ? '' : `id: ${id}\n`
  return `${head}${key}data: ${JSON.stringify(data)}\n\n`
}

/**
 * Turns a request into a stream of server-sent events. `signal` ends it from outside. The caller
 * listens to `closed` to let go of what feeds the stream.
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { signal }: { signal?: AbortSignal } = {},
): EventStream {
  const { raw } = reply
  const { backlog } = request.server.openStreams
  const over = new AbortController()
  const started = performance.now()
  reply.hijack()
  raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string>)
  raw.flushHeaders()
  const cut = () => {
    queue.drop()
    raw.destroy()
    finish('cut')
  }
  const queue = createSendQueue(raw, { backlog, who: request.countedAs, cut })

  const stream: EventStream = {
    send: (event) => stream.write(formatEvent(event)),
    comment: (text) => stream.write(`: ${text.replace(/[\r\n]+/g, ' ')}\n\n`),
    write: (chunk) => {
      if (!over.signal.aborted) queue.write(chunk)
    },
    close: ({ retryMs } = {}) => {
      if (over.signal.aborted) return
      if (retryMs !== undefined) queue.write(`retry: ${retryMs}\n\n`)
      finish('ended')
      queue.end()
    },
    closed: over.signal,
  }
  const stop = () => stream.close()
  const finish = (how: 'ended' | 'cut' | 'left') => {
    if (over.signal.aborted) return
    signal?.removeEventListener('abort', stop)
    over.abort()
    const ms = Math.round(performance.now() - started)
    request.log.info({ method: request.method, url: redactUrl(request.url), ms, how }, 'stream')
  }
  const leave = () => {
    queue.drop()
    finish('left')
  }
  raw.once('close', leave)
  raw.once('error', leave)
  if (raw.destroyed) leave()
  else if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  return stream
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
