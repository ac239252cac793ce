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

/** Codes of callers who are outside of the networks of their company. */
const outside = ['outside_networks', 'administration_closed']

/** After a change of networks, cuts open requests and streams of callers who are outside now. */
export function closeOutsideRequests(http: FastifyInstance, networks: Pick<Networks, 'onChanged'>): void {
  const open = new Set<OpenRequest>()
  http.decorate('openRequests', open)
  const close = (isMeant: (one: OpenRequest) => boolean) => {
    for (const one of [...open].filter(isMeant)) void closeIfOutside(one)
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
