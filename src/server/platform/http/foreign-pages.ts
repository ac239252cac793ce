import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { INTERFACES_PATH } from '#shared/platform/http.ts'
import type { Config } from '../config/config.ts'
import { isLoopbackName, nameOf, unbracketed } from '../config/host-names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts requests from pages of other services, without using their cookies. */
    fromElsewhere?: boolean
  }
}

type Here = { config: Pick<Config, 'ATRIUM_ALLOWED_HOSTS' | 'HOST'>; publicUrl: () => string }

/**
 * Refuses requests that pages of other sites make a browser send. DNS rebinding is detected by the host, a cross-origin call
 * by its origin. Programs send no origin.
 */
export function refuseForeignPages(http: FastifyInstance, { config, publicUrl }: Here): void {
  const allowed = new Set(config.ATRIUM_ALLOWED_HOSTS)
  const isNamed = (name: string) => allowed.has(name) || name === nameOf(publicUrl())
  // A numeric address needs no lookup, so DNS rebinding cannot redirect it.
  const isOwnHost = (name: string) =>
    isNamed(name) || isIP(unbracketed(name)) !== 0 || isLoopbackName(name) || name === config.HOST
  http.addHook('onRequest', async (request) => {
    const host = hostNameOf(request)
    // Only HTTP/1.0 allows requests without a host, and browsers never send those.
    if (request.host !== '' && (host === null || !isOwnHost(host))) throw foreignHost(request.host)
    // Routes that other services' pages post to do their own checks.
    if (request.routeOptions.config.fromElsewhere) return
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin === undefined) {
      if (site === 'cross-site' && !isSafe(request.method)) throw foreignOrigin('another site')
      return
    }
    if (origin === 'null' && isPublicFile(request)) return
    const from = nameOf(origin)
    const isOwn = from !== null && (from === host || isNamed(from) || (isLoopbackName(from) && isLocal(host)))
    if (!isOwn) throw foreignOrigin(origin)
  })
}

/**
 * Returns whether the headers say that a request was made on this machine: a loopback host and no proxy. A proxy that adds
 * no header is not detected; `isLocalProgram` detects it.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  return isLocal(hostNameOf(request)) && !Object.keys(request.headers).some((name) => forwarding.test(name))
}

/** Headers that proxies, tunnels and CDNs add. */
const forwarding =
  /^(?:forwarded|via|x-forwarded.*|x-real-ip|(?:x|true|fastly|fly|x-cluster)-client-ip|x-original-.*|x-envoy-.*|x-proxy.*|cf-.*|cdn-loop)$/

const isLocal = (host: string | null) => host !== null && isLoopbackName(host)
const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
const hostNameOf = (request: FastifyRequest) => nameOf(`http://${request.host}`)

/**
 * Files that a sandboxed frame loads: the public files of the interface, and tool interfaces, which need a ticket.
 */
const isPublicFile = ({ method, url }: FastifyRequest) =>
  isSafe(method) && (url.startsWith('/assets/') || url.startsWith(INTERFACES_PATH))

function foreignHost(host: string): AppError {
  const shown = host.slice(0, 100)
  const detail = `This server does not answer for ${shown}. If it should, add it to ATRIUM_ALLOWED_HOSTS or ATRIUM_PUBLIC_URL.`
  return new AppError('forbidden', detail)
}

function foreignOrigin(origin: string): AppError {
  const shown = origin.slice(0, 100)
  const detail = `A page of ${shown} may not call this server. If that is an address of this server, add it to ATRIUM_ALLOWED_HOSTS or ATRIUM_PUBLIC_URL.`
  return new AppError('forbidden', detail)
}
