import type { FastifyReply, FastifyRequest } from 'fastify'
import { redactUrl } from '../../log.ts'
import type { Encode } from '../chunk.ts'
import { createSendQueue, type Pieces } from './send-queue.ts'

export type EventStream = {
  /** Writes events as text, each ended by an empty line. `encode` may share its result between readers of the same text. */
  write(text: string, encode?: Encode): void
  /** Writes events that are serialized as they are read. */
  writePieces(text: Pieces): void
  /** Ends the stream. With `retryMs`, the reader reconnects after that time. */
  close(options?: { retryMs?: number }): void
  /** Aborted once either side has ended the stream. */
  readonly closed: AbortSignal
}

/** Answers a request with a stream of server-sent events. The caller listens to `closed` to release the source of its events. */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
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
    write: (text, encode) => {
      if (!over.signal.aborted) queue.write(text, encode)
    },
    writePieces: (text) => {
      if (!over.signal.aborted) queue.writePieces(text)
    },
    close: ({ retryMs } = {}) => {
      if (over.signal.aborted) return
      if (retryMs !== undefined) queue.write(`retry: ${retryMs}\n\n`)
      finish('ended')
      queue.end()
    },
    closed: over.signal,
  }
  const finish = (how: 'ended' | 'cut' | 'left') => {
    if (over.signal.aborted) return
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
  return stream
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
