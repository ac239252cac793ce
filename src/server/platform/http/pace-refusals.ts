import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError, toAppError } from './answer-errors.ts'
import { hasBody } from './bodies/body-rule.ts'
import { closeUnread } from './bodies/hang-up.ts'
import { laneOf } from './counted-address.ts'
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
