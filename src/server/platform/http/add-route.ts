import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify'
import type { BodyRule } from './bodies/body-rule.ts'
import { noteOpenRequest } from './connections/open-requests.ts'
import { laneOf, probesLaneOf } from './counted-address.ts'
import type { Turn, Turns } from './turns/turns.ts'

export type Entry = {
  method: HTTPMethods | HTTPMethods[]
  url: string
  /** Null if the route reads no body. */
  body: BodyRule | null
  config?: FastifyContextConfig
  /** Takes turns in the lane of probes, so that no other requests can fail a health probe. */
  isUrgent?: boolean
  /** Admits the caller before the body is read. Returns the key to count the request by; the default is the address. */
  enter?: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined> | undefined
  /** Admits the caller again before the work starts, if it starts late. Their rights may have ended meanwhile. */
  enterAgain?: (request: FastifyRequest) => Promise<void>
  /** Returns the answer, or writes to `reply` itself. Runs within a turn and may end it early. */
  handle: (request: FastifyRequest, reply: FastifyReply, turn: Turn) => Promise<unknown>
}

/** Time after admission from which a caller is admitted again: a body may arrive, or a turn come, a minute later. */
const LATE_MS = 50

/**
 * Adds a route with the common request flow: admit the caller, read the body by its rule (`bodies/read-bodies.ts`), wait for
 * a turn, admit a late caller again, do the work. `serve` uses it for contract routes; routes with other protocols call it directly.
 */
export function addRoute(server: { http: FastifyInstance; turns: Turns }, entry: Entry): void {
  const { method, url, body, config, isUrgent = false, enter, enterAgain, handle } = entry
  const enteredAt = new WeakMap<FastifyRequest, number>()
  server.http.route({
    ...{ method, url, config: { ...config, body } },
    onRequest: async (request, reply) => {
      request.countedAs = (await enter?.(request, reply)) ?? laneOf(request)
      enteredAt.set(request, performance.now())
      if (enterAgain) noteOpenRequest({ request, raw: reply.raw, enterAgain })
    },
    handler: async (request, reply) => {
      // The body has arrived by now, so a slow upload occupies no turn.
      const turn = await server.turns.take(isUrgent ? probesLaneOf(request) : request.countedAs, reply)
      request.hadTurn = true
      try {
        const isLate = performance.now() - (enteredAt.get(request) ?? 0) > LATE_MS
        if (isLate) await enterAgain?.(request)
        const answer = await handle(request, reply, turn)
        return answer === undefined || answer === reply ? reply : reply.send(answer)
      } finally {
        if (isUrgent) turn.end(PROBE_MS)
        else turn.worked()
      }
    },
  })
}

/** Maximum cost of a probe, in milliseconds. It mostly waits for the database. */
const PROBE_MS = 1
