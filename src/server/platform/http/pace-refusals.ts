import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError, toAppError } from './answer-errors.ts'
import { hasBody } from './bodies/body-rule.ts'
import { closeUnread } from './bodies/hang-up.ts'
import { laneOf } from './counted-address.ts'
import type { Turns } from './turns/turns.ts'

/** Cost of a refusal: the work before it, and what had come of a body. */
const REFUSED_MS = 3
const REFUSED_BODY_MS = 20

/**
 * Makes refusals of strangers take turns as well, in a lane of their own. Whoever is refused before a turn (an unknown
 * address, a wrong token) would otherwise come back at once, on as many connections as they like.
 */
export function paceRefusals(http: FastifyInstance, turns: Turns): void {
  http.addHook('onSend', async (request, reply) => {
    if (reply.statusCode >= 400) await waitForRefusal(request, reply, turns)
  })
}

/** Answers an address that cannot be read, e.g. with half a percent code. Fastify runs no hooks for one. */
export function refuseBadAddress(turns: Turns) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await waitForRefusal(request, reply, turns)
    await closeUnread(request, reply)
    sendError(reply, toAppError(error))
  }
}

/** Waits until this refusal may be answered. A connection is cut when too many of its address wait. */
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
