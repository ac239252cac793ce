import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { tidyOAuthAnswer } from '../../../platform/outbound/oauth/tidy-oauth-answer.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { assertSignsIn } from './find-service.ts'

const tidy = (answer: unknown) => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return JSON.parse(new TextDecoder().decode(tidyOAuthAnswer(Buffer.from(text))))
}
const bearer = { access_token: 'a', token_type: 'Bearer' }

describe('tidyOAuthAnswer', () => {
  it.each<[string, unknown, object]>([
    ['without their type', { access_token: 'a' }, bearer],
    ['with null for other fields', { ...bearer, refresh_token: null, scope: null, id_token: null }, bearer],
    ['with an empty refresh token', { ...bearer, refresh_token: '' }, bearer],
    ['with their life as a text', { ...bearer, expires_in: '3600' }, { ...bearer, expires_in: 3600 }],
    ['with their life in words', { ...bearer, expires_in: 'never' }, bearer],
    ['with a list of scopes', { ...bearer, scope: ['a', 'b'] }, { ...bearer, scope: 'a b' }],
    ['as a form', 'access_token=a&token_type=Bearer&expires_in=60', { ...bearer, expires_in: 60 }],
  ])('reads tokens %s', (_, answer, tokens) => {
    expect(tidy(answer)).toEqual(tokens)
  })

  it('keeps what is used of a registered client', () => {
    const odd = { client_id_issued_at: '2026-01-01', client_uri: '', contacts: null, redirect_uris: null }
    expect(tidy({ client_id: 7, client_secret: null, token_endpoint_auth_method: 'none', ...odd })).toEqual({
      client_id: '7',
      redirect_uris: [],
      token_endpoint_auth_method: 'none',
    })
  })

  it('leaves errors and other texts unchanged', () => {
    const error = { error: 'invalid_grant', client_id: 'c' }
    expect(tidy(error)).toEqual(error)
    expect(tidy('error=invalid_grant')).toEqual({ error: 'invalid_grant' })
    expect(new TextDecoder().decode(tidyOAuthAnswer(Buffer.from('<html>')))).toBe('<html>')
  })
})

describe('a server that requires a sign-in', () => {
  const outbound = createOutbound()
  let server: Server | null = null
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })
  afterAll(() => outbound.close())

  type Odd = { place?: string; issuer?: string; more?: object }

  /** Checks a server with these places and contents of its two documents. */
  async function check({ place = '/.well-known/oauth-protected-resource/mcp', issuer = '', more = {} }: Odd) {
    server = createServer((request, response) => {
      const json = (body: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (request.url === place)
        return json({ resource: `${url}/mcp`, authorization_servers: [`${url}/login`], jwks_uri: null })
      if (request.url === '/.well-known/oauth-authorization-server/login')
        return json({
          ...{ issuer: `${url}/login${issuer}`, authorization_endpoint: `${url}/a` },
          ...{ token_endpoint: `${url}/t`, ...more },
        })
      const metadata = `Bearer error="invalid_token", resource_metadata="${url}${place}"`
      return response.writeHead(401, { 'www-authenticate': metadata }).end()
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const deps = { outbound, config: { ATRIUM_TOOLS_PRIVATE: [url] } } as unknown as OwnToolDeps
    return assertSignsIn(deps, `${url}/mcp`).then(
      () => 'found',
      (error) => error.detail,
    )
  }

  it.each<[string, Odd]>([
    ['with null for optional fields', { more: { scopes_supported: null, registration_endpoint: null } }],
    ['without response types', {}],
    ['with a slash at the end of its issuer', { issuer: '/' }],
    ['at the place that its refusal names', { place: '/about/resource' }],
  ])('is described %s', async (_, given) => {
    expect(await check(given)).toBe('found')
  })

  it('is refused with the metadata of another issuer', async () => {
    expect(await check({ issuer: '/other' })).toMatch(/does not say where to sign in/)
  })
})
