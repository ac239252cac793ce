import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Unanswered requests per connection. Browsers send one at a time. */
const MAX_PIPELINED = 16
/** Listeners per event of a response, above which Node warns of a leak. */
const MAX_LISTENERS = 20
/** Chunks of a body that may have any size. After them a body needs an average of `MIN_CHUNK_BYTES`. */
const FREE_CHUNKS = 1_000
const MIN_CHUNK_BYTES = 16

/**
 * Limits the work that one packet can cause. Node handles everything it has received before other connections get a turn: thousands
 * of pipelined requests, or chunks of one byte each. Works ahead of Fastify, whose part of a request costs most of it.
 */
export function boundConnections({ server }: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>()
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MAX_PIPELINED) return void socket.destroy()
    unanswered.set(socket, count)
    // Streams wait for the end of a response with several listeners each.
    response.setMaxListeners(MAX_LISTENERS)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (request.headers['transfer-encoding'] !== undefined)
      boundChunks(request, (error) => server.emit('clientError', error, socket))
    for (const handle of handlers) handle.call(server, request, response)
  })
}

/** Closes the connection of a body that arrives in too many small chunks. */
function boundChunks(raw: IncomingMessage, refuse: (error: Error) => void): void {
  let chunks = 0
  let bytes = 0
  let isRefused = false
  const push = raw.push.bind(raw)
  raw.push = (chunk, encoding) => {
    if (isRefused) return false
    chunks += 1
    bytes += chunk?.length ?? 0
    if (chunks <= FREE_CHUNKS || bytes >= chunks * MIN_CHUNK_BYTES) return push(chunk, encoding)
    isRefused = true
    refuse(new Error('The chunks of the body are too small.'))
    return false
  }
}
