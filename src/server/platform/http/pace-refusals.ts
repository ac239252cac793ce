import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerBadLine, sendError, TIMEOUT, toAppError } from './answer-errors.ts'
import { hasBody } from './bodies/body-rule.ts'
import { closeUnread } from './bodies/hang-up.ts'
import { countedAddress, laneOf } from './counted-address.ts'
import type { Turns } from './turns/turns.ts'

/** Cost of a refusal: the work before it and the body bytes received. */
const REFUSED_MS = 3
const REFUSED_BODY_MS = 20

/**
 * Makes refusals of unknown callers wait for turns in a separate lane. Callers refused before a turn (unknown address,
 * invalid token) could otherwise retry immediately on any number of connections.
 */
export function paceRefusals(http: FastifyInstance, turns: Turns): void {
  http.addHook('onSend', async (request, reply) => {
    if (reply.statusCode >= 400) await waitForRefusal(request, reply, turns)
  })
}

/** Answers a URL that cannot be decoded, such as one with an incomplete percent code. Fastify runs no hooks for it. */
export function refuseBadAddress(turns: Turns) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await waitForRefusal(request, reply, turns)
    await closeUnread(request, reply)
    sendError(reply, toAppError(error))
  }
}

/**
 * Answers input that is not HTTP, and requests for a tunnel, on the socket. These answers wait for each other too: a client that
 * connects and sends nonsense as fast as it can would occupy the process.
 */
export function paceBadLines({ server }: FastifyInstance, turns: Turns): void {
  const waiting = new WeakSet<Socket>()
  const answer = (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node reports each further packet again.
    if (waiting.has(socket)) return
    waiting.add(socket)
    // A client that is gone, or that sent nothing in time, gets no answer.
    if (error.code === 'ECONNRESET' || error.code === TIMEOUT || !socket.writable)
      return answerBadLine(error, socket)
    socket.pause().on('error', () => socket.destroy())
    const lane = `${countedAddress(socket.remoteAddress ?? '')}/lines`
    turns.refuse(lane, { raw: socket }, REFUSED_MS).then(
      () => answerBadLine(error, socket),
      () => socket.destroy(),
    )
  }
  server.on('clientError', answer)
  server.on('connect', (_, socket) => answer(new Error('This server opens no tunnels.'), socket as Socket))
}

/** Waits for the turn of a refusal. Closes the connection if too many of its address wait. */
async function waitForRefusal(request: FastifyRequest, reply: FastifyReply, turns: Turns): Promise<void> {
  const lane = laneOf(request)
  const isKnown = request.countedAs && request.countedAs !== lane
  if (request.hadTurn || isKnown) return
  try {
    await turns.refuse(lane, reply, hasBody(request) ? REFUSED_BODY_MS : REFUSED_MS)
  } catch {
    request.raw.socket.destroy()
  }
}
