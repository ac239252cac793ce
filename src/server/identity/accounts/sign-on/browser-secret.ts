import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE } from '#shared/platform/http.ts'
import { newSecret } from '../tokens/access-token-store.ts'

const cookieName = 'atrium_sign_on'
const lifeSeconds = 15 * 60

/** Returns the secret that ties a sign-on to one browser, or null. */
export function browserSecret(request: FastifyRequest): string | null {
  const kept = fastifyCookie.parse(request.headers.cookie ?? '')[cookieName]
  return kept && /^[\w-]{43}$/.test(kept) ? kept : null
}

/** Sets the browser secret. An existing one stays, because another tab may be signing on. */
export function keepBrowserSecret(request: FastifyRequest, reply: FastifyReply, secure: boolean): string {
  const secret = browserSecret(request) ?? newSecret()
  const cookie = fastifyCookie.serialize(cookieName, secret, {
    path: API_BASE,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: lifeSeconds,
  })
  reply.header('set-cookie', cookie)
  return secret
}
