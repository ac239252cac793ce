import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required: boolean; schema: Json }
type Operation = {
  operationId: string
  summary: string
  security: unknown[]
  'x-access'?: 'user' | 'admin' | 'super_admin'
  parameters: Parameter[]
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
}
type Described = { method: NonNullable<InjectOptions['method']>; path: string; operation: Operation }

let app: TestApp
let description: Json
let all: Described[]
let owner: TestUser
let stranger: TestUser
/** An id owned by the owner for each path parameter. */
let owned: Record<string, string>

beforeAll(async () => {
  app = await startApp()
  description = (await app.http.inject({ url: '/api/v1/openapi.json' })).json()
  const paths = description.paths as Record<string, Record<string, Operation>>
  all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Described['method'],
      path,
      operation,
    })),
  )
  owner = await aUser(app)
  stranger = await aUser(app)
  const { id: sessionId, messageIds } = await aSession(app, owner, { turns: 2 })
  owned = {
    sessionId,
    messageId: messageIds[1] ?? '',
    branchId: messageIds[3] ?? '',
    userId: owner.id,
    provider: 'google',
    lng: 'en',
    ns: 'common',
  }
})
afterAll(() => app.close())

const isGuarded = ({ operation }: Described) => operation['x-access'] !== undefined
const name = ({ method, path }: Described) => `${method} ${path.replace('/api/v1', '')}`

const isWire = ({ path }: Described) => path.startsWith('/v1/')
const codeOf = ({ body }: { body: Json | null }) => (body?.error as Json | undefined)?.code ?? body?.code

async function ask({ method, path }: Described, { slash = '', token = '', given = owned } = {}) {
  const url = path.replace(/\{(\w+)\}/g, (_, key: string) => given[key] ?? randomUUID())
  const answer = await app.http.inject({
    method,
    url: `${url}${slash}`,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return { status: answer.statusCode, body: isJson ? answer.json() : null, headers: answer.headers }
}

describe('every route', () => {
  it('is described in OpenAPI', async () => {
    const served = new Set<string>()
    const probe = await startApp({ address: app.address, jobs: false })
    for (const [method, path] of listRoutes(probe)) served.add(`${method} ${path}`)
    await probe.close()
    expect(all.length).toBeGreaterThan(40)
    // The router lists all names that routes give the same place of a path.
    const withoutNames = (route: string) => route.replace(/\{[^/]+\}/g, '{}')
    expect([...served].map(withoutNames).sort()).toEqual(all.map(name).map(withoutNames).sort())
  })

  it('is described with references that all resolve', () => {
    const references: string[] = []
    visit(description, (node) => void (typeof node.$ref === 'string' && references.push(node.$ref)))
    expect(references.length).toBeGreaterThan(all.length - 1)
    expect([...new Set(references)].filter((reference) => !resolves(reference))).toEqual([])
    expect(description).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://atrium.test' }] })
    const ids = all.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z]\w+$/i.test(id))).toEqual([])
    for (const { path, operation } of all) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key)
      expect(inPath.map((parameter) => parameter.name).sort(), path).toEqual(names.sort())
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(operation.summary.length, path).toBeGreaterThan(5)
    }
  })

  it('answers the same with and without a trailing slash, never with a redirect [G-13]', async () => {
    // Browser navigations between two pages.
    const visits =
      /\/(login\/\{provider\}(\/callback)?|(tool-accounts|connector-sign-ins|personal-accounts)\/return|(announcement|notification)-mails\/unsubscribe)$/
    for (const route of all) {
      if (visits.test(route.path)) continue
      const [plain, slashed] = [await ask(route), await ask(route, { slash: '/' })]
      expect([slashed.status, codeOf(slashed)], name(route)).toEqual([plain.status, codeOf(plain)])
      expect(plain.status < 300 || plain.status >= 400, name(route)).toBe(true)
    }
  })

  it('answers unknown callers with 401 before anything else', async () => {
    const guarded = all.filter(isGuarded)
    expect(guarded.length).toBeGreaterThan(25)
    for (const route of guarded) {
      for (const token of ['', 'x', `${owner.token}x`]) {
        const answer = await ask(route, { token })
        const code = isWire(route) ? 'invalid_api_key' : 'unauthenticated'
        expect([answer.status, codeOf(answer)], name(route)).toEqual([401, code])
      }
    }
  })

  it('is public only if it has to be', () => {
    expect(
      all
        .filter((route) => !isGuarded(route))
        .map(name)
        .sort(),
    ).toEqual([
      'GET /announcement-mails/unsubscribe',
      'GET /brand',
      'GET /brand-logos/{logoId}',
      'GET /brand-manifests/{brandVersion}/{lng}',
      'GET /connector-sign-ins/return',
      'GET /health',
      'GET /login/saml/metadata',
      'GET /login/{provider}',
      'GET /login/{provider}/callback',
      'GET /login/{provider}/metadata',
      'GET /notification-mails/unsubscribe',
      'GET /openapi.json',
      'GET /personal-accounts/return',
      'GET /playback/{ticket}',
      'GET /receipts/{token}',
      'GET /receipts/{token}/file',
      'GET /service-connections/connect/google',
      'GET /service-connections/connect/google/callback',
      'GET /shared/{token}',
      'GET /shared/{token}/files/{place}',
      'GET /shared/{token}/messages',
      'GET /shared/{token}/pictures/{pictureId}',
      'GET /sign-in-options',
      'GET /tool-accounts/client.json',
      'GET /tool-accounts/return',
      'GET /tool-interfaces/{ticket}',
      'GET /tool-interfaces/{ticket}/module',
      'GET /translations/{lng}/{ns}',
      'POST /announcement-mails/unsubscribe',
      'POST /channels/{slackChannelId}/slack/actions',
      'POST /channels/{slackChannelId}/slack/events',
      'POST /channels/{teamsChannelId}/teams/messages',
      'POST /connectors/{connectorId}/notifications',
      'POST /embed/visits',
      'POST /invitations/read',
      'POST /login/{provider}/callback',
      'POST /mail-answers',
      'POST /mail-answers/read',
      'POST /notification-mails/unsubscribe',
      'POST /payments/stripe',
      'POST /token',
      'POST /token/exchange',
      'POST /token/passkey',
      'POST /token/passkey/options',
      'POST /token/second-factor',
      'POST /token/second-factor/app',
      'POST /token/second-factor/app/confirm',
      'POST /triggers/{triggerId}/deliveries',
      'POST /users',
      'POST /users/request-password-reset',
      'POST /users/resend-verification-email',
      'POST /users/reset-password',
      'POST /users/verify-email',
    ])
  })

  it('protects private data before it validates the request', async () => {
    const touching = all.filter((route) => isGuarded(route) && route.path.includes('{'))
    expect(touching.length).toBeGreaterThan(15)
    for (const route of touching) {
      const { status } = await ask(route, { token: stranger.token })
      expect([403, 404], name(route)).toContain(status)
      const unknown = await ask(route, { token: stranger.token, given: {} })
      expect([403, 404], `${name(route)} with an unknown id`).toContain(unknown.status)
      const nonsense = Object.fromEntries(route.operation.parameters.map((one) => [one.name, "x' or 1=1"]))
      const odd = await ask(route, { token: stranger.token, given: encoded(nonsense) })
      expect([403, 404], `${name(route)} with nonsense`).toContain(odd.status)
    }
  })

  it('for administrators refuses everyone else', async () => {
    const member = await aUser(app, { role: 'member' })
    const companyAdmin = await aUser(app, { role: 'company_admin' })
    for (const route of all) {
      const access = route.operation['x-access']
      if (access !== 'admin' && access !== 'super_admin') continue
      for (const { token } of [stranger, member, ...(access === 'super_admin' ? [companyAdmin] : [])]) {
        const { status, body } = await ask(route, { token })
        expect([status, body?.code], name(route)).toEqual([403, 'forbidden'])
      }
    }
  })

  it('sends strict headers with every answer', async () => {
    for (const route of all) {
      const { headers } = await ask(route)
      expect(headers['x-content-type-options'], name(route)).toBe('nosniff')
      expect(headers['referrer-policy'], name(route)).toBe('no-referrer')
      expect(headers['content-security-policy'], name(route)).toMatch(/default-src '(?:self|none)'/)
    }
  })
})

/** Returns Fastify's own list of routes, which is always complete. */
function listRoutes(probe: TestApp): [string, string][] {
  const found: [string, string][] = []
  const lines = probe.http.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')
  const stack: string[] = []
  for (const line of lines) {
    const match = /^((?:│ {3}| {4})*)(?:├── |└── )(\S*)(?: \(([A-Z, ]+)\))?/.exec(line)
    if (!match) continue
    const depth = (match[1] ?? '').length / 4
    stack.length = depth
    stack.push(match[2] ?? '')
    const path = stack
      .join('')
      .replace(/:(\w+)/g, '{$1}')
      .replace(/\/?\*/, '/{id}')
    if (!/^\/(api\/)?v1\//.test(path)) continue
    for (const method of (match[3] ?? '').split(', ')) {
      if (method && method !== 'HEAD' && method !== 'OPTIONS')
        found.push([method, path.replace('/api/v1', '')])
    }
  }
  return found
}

function visit(node: unknown, look: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) look(node as Json)
  for (const value of Object.values(node)) visit(value, look)
}

function resolves(reference: string): boolean {
  if (!reference.startsWith('#/')) return false
  let node: unknown = description
  for (const part of reference.slice(2).split('/')) {
    node = (node as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return node !== undefined
}

const encoded = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, encodeURIComponent(value)]))
