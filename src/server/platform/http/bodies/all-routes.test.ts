import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { databaseUrl } from '#tests/database-url.ts'
import { createApp } from '../../../app.ts'
import type { Feature } from '../../../feature.ts'

/** The parsers of one Fastify encapsulation context, which has no public list of them. */
type Parsers = { customParsers: Map<string, { fn: unknown }> }
type Seen = { app: TestApp; routes: RouteOptions[]; contexts: FastifyInstance[] }

/** Starts the product and records everything registered from the start. */
async function startSeen(options: Parameters<typeof startApp>[0] = {}): Promise<Seen> {
  const routes: RouteOptions[] = []
  const contexts: FastifyInstance[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    contexts.push(fastify)
    fastify.addHook('onRoute', (route) => void routes.push(route))
    fastify.addHook('onRegister', (context) => void contexts.push(context))
  }
  subscribe('fastify.initialization', watch)
  try {
    return { app: await startApp(options), routes, contexts }
  } finally {
    unsubscribe('fastify.initialization', watch)
  }
}

let seen: Seen
beforeAll(async () => {
  // Enables the routes that depend on a setting.
  seen = await startSeen({ config: { ATRIUM_METRICS: 'loopback' } })
})
afterAll(() => seen.app.close())

const name = ({ method, url }: RouteOptions) => `${[method].flat().join(',')} ${url}`
const isRead = ({ method }: RouteOptions) => [method].flat().every((one) => one === 'GET' || one === 'HEAD')

/** Pages and their files. They read no body, and take their turns themselves. */
const plain = /^(GET|HEAD|HEAD,GET) \/\*?$/

function parsersOf(context: FastifyInstance): Parsers {
  const symbol = findSymbol(context, 'fastify.contentTypeParser')
  return (context as unknown as Record<symbol, Parsers>)[symbol]!
}

function findSymbol(start: object, wanted: string): symbol {
  for (let at: object | null = start; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertySymbols(at).find(({ description }) => description === wanted)
    if (found) return found
  }
  throw new Error(`Fastify has no ${wanted} any more.`)
}

describe('every route', () => {
  it('reads its body through the common flow', () => {
    expect(seen.routes.length).toBeGreaterThan(300)
    const bypassing = seen.routes.filter(
      (route) => route.config?.body === undefined && !plain.test(name(route)),
    )
    expect(bypassing.map(name)).toEqual([])
  })

  it('reads no body if it only reads data', () => {
    const reading = seen.routes.filter(isRead).filter(({ config }) => config?.body)
    expect(reading.map(name).filter((one) => !one.endsWith(' /mcp'))).toEqual([])
  })

  it('reads at most 64 kB from unknown callers, except the form of a sign-on service and signed events', async () => {
    const { paths } = (await seen.app.http.inject({ url: '/api/v1/openapi.json' })).json()
    const isPublic = ({ method, url }: RouteOptions) => {
      const path = url.replace(/:(\w+)/g, '{$1}')
      const operation = paths[path]?.[String([method].flat()[0]).toLowerCase()]
      return url.startsWith('/oauth/') || (operation && operation['x-access'] === undefined)
    }
    const read = seen.routes.filter(isPublic).filter(({ config }) => config?.body)
    expect(read.length).toBeGreaterThan(12)
    const large = read.filter(({ config }) => (config?.body?.maxBytes ?? 0) > 64 * 1024)
    expect(large.map(name).sort()).toEqual([
      'POST /api/v1/channels/:slackChannelId/slack/actions',
      'POST /api/v1/channels/:slackChannelId/slack/events',
      'POST /api/v1/channels/:teamsChannelId/teams/messages',
      'POST /api/v1/login/:provider/callback',
    ])
    for (const { config } of large) expect(config?.body?.maxBytes).toBeLessThanOrEqual(256 * 1024)
  })

  it('uses the one body parser in every context and for every type', () => {
    expect(seen.contexts.length).toBeGreaterThan(5)
    const root = parsersOf(seen.contexts[0]!).customParsers
    for (const context of seen.contexts) {
      const { customParsers } = parsersOf(context)
      // One parser for all types, and one that reads nothing and marks forms with files.
      expect([...customParsers.keys()].sort()).toEqual(['', 'multipart/form-data'])
      for (const [type, { fn }] of customParsers) expect(fn).toBe(root.get(type)?.fn)
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
        expect(context.hasContentTypeParser(type)).toBe(false)
    }
  })
})

describe('server start', () => {
  const failing = async (feature: Feature) => createApp(seen.app.deps, { features: [feature] }).ready()

  it('fails if a route bypasses the common flow', async () => {
    const bare: Feature = ({ http }) => void http.post('/bare', async () => 'ok')
    await expect(failing(bare)).rejects.toThrow(/\/bare has no rule for its body/)
    const all: Feature = ({ http }) => void http.all('/bare', async () => 'ok')
    await expect(failing(all)).rejects.toThrow(/\/bare has no rule for its body/)
  })

  it('fails if there is another body parser', async () => {
    const parsing: Feature = ({ http }) =>
      void http.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (_, body, done) =>
        done(null, JSON.parse(String(body))),
      )
    await expect(failing(parsing)).rejects.toThrow(/Bodies are read in one place/)
  })
})

describe('worker process', () => {
  it('reads no body either', async () => {
    const { address } = seen.app
    const config = { ATRIUM_ROLE: 'worker', ATRIUM_METRICS: 'loopback', DATABASE_URL: databaseUrl(address) }
    const worker = await startSeen({ config, address })
    const writing = worker.routes.filter((route) => !isRead(route))
    expect(writing.map(name)).toEqual([])
    for (const context of worker.contexts)
      expect([...parsersOf(context).customParsers.keys()].sort()).toEqual(['', 'multipart/form-data'])
    const answer = await worker.app.http.inject({
      ...{ method: 'POST', url: '/api/v1/token', payload: '{"half' },
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.statusCode).toBe(404)
    await worker.app.close()
  })
})
