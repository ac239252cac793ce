import type { FastifyInstance } from 'fastify'

/**
 * Says once in the log that somebody stands in front whose word about callers is not taken: everybody behind such a
 * proxy counts as one caller.
 */
export function warnOfUnnamedProxy(http: FastifyInstance): void {
  let isSaid = false
  http.addHook('onRequest', async ({ headers, ips = [], socket, log }) => {
    // Of a proxy that is named, the addresses it tells stand behind its own.
    if (isSaid || headers['x-forwarded-for'] === undefined || ips.length > 1) return
    isSaid = true
    log.warn(
      `Requests come through a proxy at ${socket.remoteAddress} that is not named in ATRIUM_TRUST_PROXY: everybody behind it shares its address and its limits. If it is yours, name it.`,
    )
  })
}
