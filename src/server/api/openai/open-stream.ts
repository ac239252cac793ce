import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#shared/platform/errors.ts'
import { type EventStream, openEventStream } from '../../platform/http/streaming/event-stream.ts'
import { sendLater, toWireError, wireStatus } from './wire-error.ts'

/** So long a stream may wait for its first words with its head unsent: until then a failure has a status. */
const HEAD_MS = 10_000
/** Keeps proxies from giving a quiet stream up; clients pass comments over. */
const COMMENT_MS = 15_000

export type WireStream = {
  /** The stream, opened when it is needed first. */
  open: () => EventStream
  /** Ends it with an error: as a status, or as the last event where the head is out. */
  fail: (error: AppError) => void
  over: () => void
}

export function openWireStream(request: FastifyRequest, reply: FastifyReply): WireStream {
  let stream: EventStream | null = null
  const open = () => {
    stream ??= openEventStream(request, reply)
    return stream
  }
  const late = setTimeout(open, HEAD_MS).unref()
  const comments = setInterval(() => stream?.write(': \n\n'), COMMENT_MS).unref()
  return {
    open,
    fail: (error) => {
      clearTimeout(late)
      if (!stream) return sendLater(reply, wireStatus(error), toWireError(error))
      stream.write(`data: ${JSON.stringify(toWireError(error))}\n\n`)
      stream.close()
    },
    over: () => {
      clearTimeout(late)
      clearInterval(comments)
    },
  }
}

/** Aborted once the caller is gone. */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}
