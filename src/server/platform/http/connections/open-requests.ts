import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Networks } from '../../access/access.ts'

/** A request whose answer has not ended, and how its caller is admitted again. */
type OpenRequest = {
  request: FastifyRequest
  raw: FastifyReply['raw']
  enterAgain: (request: FastifyRequest) => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined where no networks are enforced. */
    openRequests?: Set<OpenRequest>
  }
}

/** Time for a request that was admitted before the change to end with a whole answer. */
const GRACE_MS = 1_000

/** Concurrent checks after a change. Each one reads the database, which other requests need meanwhile. */
export const MAX_CONCURRENT_CHECKS = 4

/** Codes of callers who are outside of the networks of their company. */
const outside = ['outside_networks', 'administration_closed']

/** After a change of networks, cuts open requests and streams of callers who are outside now. */
export function closeOutsideRequests(http: FastifyInstance, networks: Pick<Networks, 'onChanged'>): void {
  const open = new Set<OpenRequest>()
  http.decorate('openRequests', open)
  const waiting = new Set<OpenRequest>()
  let checks = 0
  const checkWaiting = async () => {
    checks += 1
    for (const one of waiting) {
      waiting.delete(one)
      if (open.has(one)) await closeIfOutside(one)
    }
    checks -= 1
  }
  // A request that waits already is checked once, however often the networks change.
  const close = (isMeant: (one: OpenRequest) => boolean) => {
    for (const one of open) if (isMeant(one)) waiting.add(one)
    while (checks < Math.min(MAX_CONCURRENT_CHECKS, waiting.size)) void checkWaiting()
  }
  networks.onChanged(() => {
    close(({ raw }) => raw.headersSent)
    setTimeout(() => close(() => true), GRACE_MS).unref()
  })
}

/** Remembers a request until its answer ends. */
export function noteOpenRequest(one: OpenRequest): void {
  const { openRequests } = one.request.server
  if (!openRequests || one.raw.destroyed) return
  openRequests.add(one)
  one.raw.once('close', () => openRequests.delete(one))
}

async function closeIfOutside({ request, raw, enterAgain }: OpenRequest): Promise<void> {
  try {
    await enterAgain(request)
  } catch (error) {
    // When the check itself fails, the request continues.
    if (error instanceof AppError && outside.includes(error.code)) raw.destroy()
  }
}
