import { fastifyCookie } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Authenticate, Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { visitOf } from './sign-ins/sign-ins.ts'
import { createFindCaller, hashSecret, type Visit } from './tokens/access-token-store.ts'

/** Another kind of bearer token, recognised by its prefix. */
export type OtherBearer = {
  prefix: string
  find: (token: string, request: FastifyRequest) => Promise<Caller | null>
}

/**
 * Resolves the caller of a request. A bearer header takes precedence. Event streams opened by GET cannot carry headers, so
 * they alone also accept the cookies `sse_auth_token` and `token` and then the query parameter `token`. Elsewhere a
 * cookie would allow cross-site requests. The parameter `authToken` is for embed tokens, which are not access tokens.
 */
export function createAuthenticate(
  deps: Pick<Platform, 'db' | 'clock' | 'config' | 'networks'>,
  others: OtherBearer[],
): Authenticate {
  const findByHash = createFindCaller(deps)
  const findCaller = (token: string, visit: Visit) => findByHash(hashSecret(token), visit)
  return async (request, kind) => {
    const bearer = readBearer(request)
    const other = bearer === null ? undefined : others.find(({ prefix }) => bearer.startsWith(prefix))
    if (bearer !== null) return other ? other.find(bearer, request) : findCaller(bearer, visitOf(request))
    if (kind !== 'stream' || request.method !== 'GET') return null
    for (const token of streamTokens(request)) {
      const caller = await findCaller(token, visitOf(request))
      if (caller) return caller
    }
    return null
  }
}

/** Creates a lookup of the caller by token hash; null when the sign-in has ended. Used for sessions derived from a sign-in. */
export function createFindSignIn(deps: Pick<Platform, 'db' | 'clock' | 'config' | 'networks'>) {
  const findCaller = createFindCaller(deps)
  return (tokenHash: Buffer, request: FastifyRequest) => findCaller(tokenHash, visitOf(request))
}

/** Creates a lookup of the caller by a token that came outside of a header; null when it has ended. */
export function createFindByToken(deps: Pick<Platform, 'db' | 'clock' | 'config' | 'networks'>) {
  const findCaller = createFindCaller(deps)
  return (token: string, request: FastifyRequest) => findCaller(hashSecret(token), visitOf(request))
}

function readBearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined) return null
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}

/** Returns the token candidates in order. A stale cookie of an earlier sign-in must not hide a valid token. */
function streamTokens(request: FastifyRequest): string[] {
  const cookies = fastifyCookie.parse(request.headers.cookie ?? '')
  const query = request.query as Record<string, unknown>
  const found = [cookies.sse_auth_token, cookies.token, query.token]
  return [...new Set(found)].filter((token): token is string => typeof token === 'string' && token !== '')
}
