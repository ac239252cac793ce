import type { FastifyInstance } from 'fastify'

/**
 * Logs once if an unconfigured proxy sends requests. Its `X-Forwarded-For` is ignored, so everyone behind it counts as one
 * caller.
 */
export function warnOfUnnamedProxy(http: FastifyInstance): void {
  let isSaid = false
  http.addHook('onRequest', async ({ headers, ips = [], socket, log }) => {
    // A configured proxy puts its own address before the ones it forwards.
    if (isSaid || headers['x-forwarded-for'] === undefined || ips.length > 1) return
    isSaid = true
    log.warn(
      `Requests come through a proxy at ${socket.remoteAddress} that is not listed in ATRIUM_TRUST_PROXY. Everyone behind it shares its address and its limits. If the proxy is yours, add it.`,
    )
  })
}
