import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Telemetry } from './telemetry-port.ts'

/** Records each request under its route pattern, because URLs contain ids and search terms. */
export function observeRequests(http: FastifyInstance, telemetry: Telemetry): void {
  if (!telemetry.isOn) return
  http.addHook('onRequest', (request, reply, done) => {
    const [method, route] = [request.method, routeOf(request)]
    const begun = telemetry.begin({ kind: 'request', name: `${method} ${route}`, labels: { method, route } })
    // Also covers clients that disconnect before the answer.
    reply.raw.once('close', () => begun.end(`${Math.floor(reply.raw.statusCode / 100)}xx`))
    begun.within(done)
  })
}

/** Without a matching route, the URL is arbitrary user input. */
function routeOf({ routeOptions, is404 }: FastifyRequest): string {
  return is404 ? 'none' : (routeOptions.url ?? 'none')
}
