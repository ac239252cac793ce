import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { INTERFACES_PATH } from '#shared/platform/http.ts'
import type { Config } from '../config/config.ts'
import { isLoopbackName, nameOf, unbracketed } from '../config/host-names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of other services may send requests here; nothing is done with their cookies. */
    fromElsewhere?: boolean
  }
}

type Here = { config: Pick<Config, 'ATRIUM_ALLOWED_HOSTS' | 'HOST'>; publicUrl: () => string }

/**
 * Refuses what a page of somebody else makes a browser send. A page whose own name was pointed at this server (DNS
 * rebinding) is known by the host it asks for; one that calls across, by its origin. Programs name no origin.
 */
export function refuseForeignPages(http: FastifyInstance, { config, publicUrl }: Here): void {
  const allowed = new Set(config.ATRIUM_ALLOWED_HOSTS)
  const isNamed = (name: string) => allowed.has(name) || name === nameOf(publicUrl())
  // An address in numbers is never looked up, so nobody can point it elsewhere.
  const isOwnHost = (name: string) =>
    isNamed(name) || isIP(unbracketed(name)) !== 0 || isLoopbackName(name) || name === config.HOST
  http.addHook('onRequest', async (request) => {
    const host = hostNameOf(request)
    // Only HTTP/1.0 knows requests without one, and no browser sends those.
    if (request.host !== '' && (host === null || !isOwnHost(host))) throw foreignHost(request.host)
    // A route that a page of another service posts to keeps its own watch.
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
 * Whether the headers of a request say that it was made on this machine: by a loopback name and through no proxy. A proxy that adds
 * no header is not noticed; `isLocalProgram` notices it.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  return isLocal(hostNameOf(request)) && !Object.keys(request.headers).some((name) => forwarding.test(name))
}

/** Headers that proxies, tunnels and content networks add. */
const forwarding =
  /^(?:forwarded|via|x-forwarded.*|x-real-ip|(?:x|true|fastly|fly|x-cluster)-client-ip|x-original-.*|x-envoy-.*|x-proxy.*|cf-.*|cdn-loop)$/

const isLocal = (host: string | null) => host !== null && isLoopbackName(host)
const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
const hostNameOf = (request: FastifyRequest) => nameOf(`http://${request.host}`)

/**
 * What a frame that may do nothing (`sandbox`) loads to run it: files that are the same for everybody, and the interfaces of
 * tools, which are read by ticket.
 */
const isPublicFile = ({ method, url }: FastifyRequest) =>
  isSafe(method) && (url.startsWith('/assets/') || url.startsWith(INTERFACES_PATH))

function foreignHost(host: string): AppError {
  const shown = host.slice(0, 100)
  const detail = `This server does not answer for ${shown}. If it should, name it in ATRIUM_ALLOWED_HOSTS or ATRIUM_PUBLIC_URL.`
  return new AppError('forbidden', detail)
}

function foreignOrigin(origin: string): AppError {
  const shown = origin.slice(0, 100)
  const detail = `A page of ${shown} may not call this server. If it is its own address, name it in ATRIUM_ALLOWED_HOSTS or ATRIUM_PUBLIC_URL.`
  return new AppError('forbidden', detail)
}
