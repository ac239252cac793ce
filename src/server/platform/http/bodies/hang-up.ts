import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasBody, MULTIPART_TYPE, typeOf } from './body-rule.ts'

/** Maximum bytes of an unread body to discard after the answer, and the maximum time for it. */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024
const MAX_DISCARDED_FILE_BYTES = 64 * 1024 * 1024
const MAX_LINGER_MS = 5_000
const CHECK_INTERVAL_MS = 20

const lingering = new WeakSet<Socket>()

/**
 * Closes a connection with an unread body so that the client still receives the answer. Closing while bytes arrive resets
 * the connection, and a reset discards unread data at the client. So the answer and the end of the connection are sent
 * first; further input is discarded within limits.
 */
export async function closeUnread(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isUnread(request)) return
  // Node parses body bytes that arrived with the head only after handing over the head.
  await nextTurn()
  if (!isUnread(request)) return
  const { raw } = request
  reply.header('connection', 'close')
  if (lingering.has(raw.socket)) return
  lingering.add(raw.socket)
  const maxBytes = typeOf(request) === MULTIPART_TYPE ? MAX_DISCARDED_FILE_BYTES : MAX_DISCARDED_BYTES
  // Node calls this once the answer is written.
  raw.socket.destroySoon = () => linger(raw, maxBytes)
}

/** Ignores requests pipelined behind an unread body, since they cannot be answered. */
export function ignorePipelined(http: FastifyInstance): void {
  http.addHook('onRequest', async ({ raw }, reply) => {
    if (lingering.has(raw.socket)) reply.hijack()
  })
}

/** Returns whether part of the body is still to arrive. Injected requests do not report it. */
function isUnread(request: FastifyRequest): boolean {
  return hasBody(request) && request.raw.complete === false && !request.raw.destroyed
}

function linger(raw: IncomingMessage, maxBytes: number): void {
  const { socket } = raw
  const from = socket.bytesRead
  let sentAt: number | undefined
  socket.end(() => {
    sentAt = performance.now()
  })
  raw.resume()
  const timer = setInterval(() => {
    const isSent = sentAt !== undefined
    const isOver = raw.complete || (sentAt !== undefined && performance.now() - sentAt > MAX_LINGER_MS)
    if ((isSent && isOver) || socket.bytesRead - from > maxBytes) socket.destroy()
  }, CHECK_INTERVAL_MS).unref()
  socket.once('close', () => clearInterval(timer))
}
