import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#shared/platform/errors.ts'
import { type EventStream, openEventStream } from '../../platform/http/streaming/event-stream.ts'
import { failLater, openAiForm } from './wire-error.ts'

/** How long the response head is delayed, so that an early failure can still set the status. */
const HEAD_MS = 10_000
/** Interval of comments, which prevent proxies from dropping an idle stream. Clients ignore them. */
const COMMENT_MS = 15_000

export type WireStream = {
  /** Returns the stream and opens it on first use. */
  open: () => EventStream
  /** Ends with an error: as the status, or as the last event when the head is already sent. */
  fail: (error: AppError) => void
  over: () => void
}

export function openWireStream(request: FastifyRequest, reply: FastifyReply, form = openAiForm): WireStream {
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
      if (!stream) return failLater(reply, error, form)
      stream.write(form.events(error))
      stream.close()
    },
    over: () => {
      clearTimeout(late)
      clearInterval(comments)
    },
  }
}

/** Returns a signal that aborts when the caller disconnects. */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}
