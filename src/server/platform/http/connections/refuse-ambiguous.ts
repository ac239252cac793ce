import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { withoutPort } from '../counted-address.ts'

/** Headers that count once. Node reads the first one, a proxy in front might have checked the last. */
const single = new Set([
  ...['host', 'authorization', 'content-type', 'content-length', 'transfer-encoding', 'content-encoding'],
  ...['origin', 'x-api-key'],
])
/** A name or address with a port. The name itself is checked in `foreign-pages.ts`. */
const hostPattern = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(:\d{1,5})?$/i

/**
 * Refuses a request that a proxy and this server could understand differently, with 400: repeated headers, a host that is none, body
 * encodings that are not undone, and forwarded values of a trusted proxy that cannot be used.
 */
export function refuseAmbiguous(http: FastifyInstance): void {
  http.addHook('onRequest', async (request) => {
    const problem = problemOf(request)
    if (problem) throw new AppError('malformed', problem)
  })
}

function problemOf(request: FastifyRequest): string | null {
  const { raw, headers, host, protocol, ip } = request
  const repeated = repeatedHeader(raw.rawHeaders)
  if (repeated) return `The request has the header ${repeated} more than once.`
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return 'The only transfer encoding is "chunked".'
  if (headers.host === undefined ? raw.httpVersion === '1.1' : !isHost(headers.host))
    return 'The request names no valid host.'
  // A trusted proxy sends these headers. Without one, Fastify ignores them.
  if (host !== '' && !isHost(host)) return 'The header X-Forwarded-Host has no valid host.'
  if (protocol !== 'http' && protocol !== 'https') return 'The header X-Forwarded-Proto is not http or https.'
  if (ip && isIP(withoutPort(ip)) === 0) return 'The header X-Forwarded-For has something that is no address.'
  return null
}

function repeatedHeader(raw: string[]): string | null {
  const seen = new Set<string>()
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!single.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}

function isHost(text: string): boolean {
  const port = hostPattern.exec(text)?.[2]
  return hostPattern.test(text) && Number(port?.slice(1) ?? 0) <= 65_535
}
