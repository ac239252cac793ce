import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasBody, MULTIPART_TYPE, typeOf } from './body-rule.ts'

/** Bytes of an unread body that are discarded after its answer, and how long that may take. */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024
const MAX_DISCARDED_FILE_BYTES = 64 * 1024 * 1024
const MAX_LINGER_MS = 5_000
const LOOK_EVERY_MS = 20

const lingering = new WeakSet<Socket>()

/**
 * Closes a connection whose request body was not read, in a way that lets the client see the answer. A close while bytes
 * are still coming resets the connection, and a reset discards what the client has not read. So the answer and the end of
 * the connection are sent first, and what still comes is discarded within bounds.
 */
export async function closeUnread(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isUnread(request)) return
  // Node parses what came together with the head after it has handed the head over.
  await nextTurn()
  if (!isUnread(request)) return
  const { raw } = request
  reply.header('connection', 'close')
  if (lingering.has(raw.socket)) return
  lingering.add(raw.socket)
  const maxBytes = typeOf(request) === MULTIPART_TYPE ? MAX_DISCARDED_FILE_BYTES : MAX_DISCARDED_BYTES
  // Node calls this when the answer is written.
  raw.socket.destroySoon = () => linger(raw, maxBytes)
}

/** Ignores requests that were pipelined behind an unread body: their answers could not be sent. */
export function ignorePipelined(http: FastifyInstance): void {
  http.addHook('onRequest', async ({ raw }, reply) => {
    if (lingering.has(raw.socket)) reply.hijack()
  })
}

/** Whether a part of the body is still to come. An injected request does not say. */
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
  }, LOOK_EVERY_MS).unref()
  socket.once('close', () => clearInterval(timer))
}
