import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify'
import type { BodyRule } from './bodies/body-rule.ts'
import { laneOf } from './counted-address.ts'
import type { Turn, Turns } from './turns/turns.ts'

export type Entry = {
  method: HTTPMethods | HTTPMethods[]
  url: string
  /** Null: no body is read. */
  body: BodyRule | null
  config?: FastifyContextConfig
  /** Answered without waiting for a turn: a probe must not be failed by what strangers send. */
  isUrgent?: boolean
  /** Lets the caller in, before a byte of the body is read; answers who is counted, by default the address. */
  enter?: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined> | undefined
  /** Answers with its value, or writes to `reply` itself. It has a turn, and may end it early. */
  handle: (request: FastifyRequest, reply: FastifyReply, turn: Turn) => Promise<unknown>
}

/**
 * Adds a route that takes the common way: who calls, then the body within its rule (`bodies/read-bodies.ts`), then a turn,
 * then the work. `serve` adds the routes of contracts through it; what speaks a protocol of its own comes here directly.
 */
export function addRoute(server: { http: FastifyInstance; turns: Turns }, entry: Entry): void {
  const { method, url, body, config, isUrgent = false, enter, handle } = entry
  server.http.route({
    ...{ method, url, config: { ...config, body } },
    onRequest: async (request, reply) => {
      request.countedAs = (await enter?.(request, reply)) ?? laneOf(request)
    },
    handler: async (request, reply) => {
      // A body that comes slowly keeps nobody waiting: it is here already.
      const turn = isUrgent ? noTurn : await server.turns.take(request.countedAs, reply)
      request.hadTurn = true
      try {
        const answer = await handle(request, reply, turn)
        return answer === undefined || answer === reply ? reply : reply.send(answer)
      } finally {
        turn.worked()
      }
    },
  })
}

const noTurn: Turn = { worked: () => undefined, end: () => undefined }
