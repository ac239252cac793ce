import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Telemetry } from './telemetry-port.ts'

/** Notes every request under its route as it is declared: an address holds ids and what people look for. */
export function observeRequests(http: FastifyInstance, telemetry: Telemetry): void {
  if (!telemetry.isOn) return
  http.addHook('onRequest', (request, reply, done) => {
    const [method, route] = [request.method, routeOf(request)]
    const begun = telemetry.begin({ kind: 'request', name: `${method} ${route}`, labels: { method, route } })
    // Also for who hangs up before an answer.
    reply.raw.once('close', () => begun.end(`${Math.floor(reply.raw.statusCode / 100)}xx`))
    begun.within(done)
  })
}

/** Where no route is meant, the address is what somebody typed. */
function routeOf({ routeOptions, is404 }: FastifyRequest): string {
  return is404 ? 'none' : (routeOptions.url ?? 'none')
}
