import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { answerJson, aTool, type Received, resultFor, startWebMcpServer } from '#tests/web-mcp-server.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type McpCall, type McpServer } from './mcp.ts'

const outbound = createOutbound()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => outbound.close())

const VERSION = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'
type Modern = {
  tools?: unknown[]
  /** Returns the result of a call, or null to let the test answer. */
  call?: (one: Received, response: ServerResponse) => object | null
  capabilities?: object
  onListen?: (one: Received, response: ServerResponse) => void
}

const fail = (response: ServerResponse, { id }: Received, status: number, error: object) => {
  answerJson(response, { jsonrpc: '2.0', id, error }, status)
  return true
}

/** Starts a server that speaks only the revision of 2026-07-28 and checks that requests follow its rules. */
function modern({ tools = [aTool('work')], call, capabilities = { tools: {} }, onListen }: Modern) {
  return (one: Received, response: ServerResponse): boolean => {
    const { method, params, headers } = one
    const meta = params?._meta ?? {}
    const version = meta[`${prefix}protocolVersion`]
    if (version !== VERSION) {
      const data = { supported: [VERSION], requested: version ?? '' }
      return fail(response, one, 400, { code: -32_022, message: 'Unsupported protocol version', data })
    }
    const name = ['tools/call', 'prompts/get'].includes(method) ? params.name : undefined
    const isRight =
      headers['mcp-protocol-version'] === version &&
      headers['mcp-method'] === method &&
      headers['mcp-name'] === name &&
      typeof meta[`${prefix}clientCapabilities`] === 'object' &&
      headers['mcp-session-id'] === undefined
    if (!isRight) return fail(response, one, 400, { code: -32_020, message: 'Header mismatch' })
    const complete = {
      resultType: 'complete',
      _meta: { [`${prefix}serverInfo`]: { name: 'm', version: '1' } },
    }
    const say = (result: object) => answerJson(response, resultFor(one, { ...complete, ...result }))
    const listing = { ttlMs: 0, cacheScope: 'private' }
    if (method === 'server/discover') say({ ...listing, supportedVersions: [VERSION], capabilities })
    else if (method === 'tools/list') say({ ...listing, tools })
    else if (method === 'subscriptions/listen') onListen?.(one, response)
    else if (method !== 'tools/call')
      return fail(response, one, 404, { code: -32_601, message: 'No such method' })
    else {
      const result = call ? call(one, response) : { content: [{ type: 'text', text: 'Done.' }] }
      if (result) say(result)
    }
    return true
  }
}

async function start(script: Parameters<typeof startWebMcpServer>[0]) {
  const server = await startWebMcpServer(script)
  const mcp = createMcp(outbound, [server.url])
  closing.push(mcp.close, server.close)
  const at: McpServer = {
    ...{ id: 'one', name: 'Modern' },
    address: { kind: 'http', url: server.url, headers: {}, account: null },
  }
  const begin = (more: Partial<McpCall> = {}) => mcp.call(at, { tool: 'work', input: {}, ...more })
  const sent = (method: string) => server.received.filter((one) => one.method === method)
  return { server, mcp, at, begin, sent }
}

describe('server of the revision of 2026-07-28', () => {
  it('is used without a handshake, each request on its own', async () => {
    const { mcp, at, begin, sent } = await start({ answer: modern({}) })
    expect(await mcp.list(at)).toMatchObject({
      ...{ tools: [{ name: 'work' }], left: 0 },
      server: { protocol: VERSION, offers: ['tools'] },
    })
    expect(await begin().next()).toMatchObject({ result: { content: [{ text: 'Done.' }] } })
    expect(sent('initialize')).toEqual([])
    const [call] = sent('tools/call')
    expect(call?.params._meta[`${prefix}clientInfo`]).toMatchObject({ name: 'Atrium' })
  })

  it('asks a person during a call, which is repeated with the answer', async () => {
    const { begin, sent } = await start({
      answer: modern({
        call: ({ params }) => {
          if (params.inputResponses?.site?.action === 'accept')
            return { content: [{ type: 'text', text: `At ${params.inputResponses.site.content.site}.` }] }
          const site = {
            method: 'elicitation/create',
            params: {
              ...{ mode: 'form', message: 'Which site?' },
              requestedSchema: { type: 'object', properties: { site: { type: 'string' } } },
            },
          }
          return { resultType: 'input_required', inputRequests: { site }, requestState: 'state-1' }
        },
      }),
    })
    const exchange = begin()
    expect(await exchange.next()).toMatchObject({ kind: 'asks', asked: { message: 'Which site?' } })
    exchange.answer({ action: 'accept', content: { site: 'Lyon' } })
    expect(await exchange.next()).toMatchObject({ result: { content: [{ text: 'At Lyon.' }] } })
    expect(sent('tools/call').map(({ params }) => params.requestState)).toEqual([undefined, 'state-1'])
  })

  it('receives the inputs it wants as headers', async () => {
    const region = { type: 'string', 'x-mcp-header': 'Region' }
    const header_inputs = { type: 'object', properties: { region } }
    const { begin, sent } = await start({ answer: modern({}) })
    await begin({ input: { region: 'eu-west' }, header_inputs }).next()
    expect(sent('tools/call')[0]?.headers['mcp-param-region']).toBe('eu-west')
  })

  it('reports a changed list', async () => {
    const heard: string[] = []
    const { mcp, at } = await start({
      answer: modern({
        capabilities: { tools: { listChanged: true } },
        onListen: ({ id, params }, response) => {
          const event = (method: string, more = {}) => {
            const _meta = { [`${prefix}subscriptionId`]: id }
            const message = { jsonrpc: '2.0', method, params: { _meta, ...more } }
            response.write(`data: ${JSON.stringify(message)}\n\n`)
          }
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          event('notifications/subscriptions/acknowledged', { notifications: params.notifications })
          setTimeout(() => event('notifications/tools/list_changed'), 100)
        },
      }),
    })
    mcp.onChanged((id) => heard.push(id))
    await mcp.list(at)
    await expect.poll(() => heard).toEqual(['one'])
  })

  it('has its own error sentence shown when it refuses a call', async () => {
    const { begin } = await start({
      answer: modern({
        call: (one, response) => {
          fail(response, one, 400, { code: -32_602, message: 'There is no site of that name.' })
          return null
        },
      }),
    })
    expect(await begin().next()).toMatchObject({
      error: { detail: 'Modern answered: There is no site of that name.' },
    })
  })

  it.each<[how: string, cut: (response: ServerResponse) => void]>([
    ['events', (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end()],
    ['the connection', (response) => response.destroy()],
  ])('ends %s before its answer: a call that reads is made again', async (_, cut) => {
    let calls = 0
    const { begin, sent } = await start({
      answer: modern({
        call: (_, response) => {
          calls += 1
          if (calls > 1) return { content: [{ type: 'text', text: 'Done.' }] }
          cut(response)
          return null
        },
      }),
    })
    expect(await begin({ repeats: true }).next()).toMatchObject({ kind: 'over' })
    expect(sent('tools/call')).toHaveLength(2)
  })
})

describe('server of an earlier revision', () => {
  it.each<[how: string, answer: (one: Received, response: ServerResponse) => void]>([
    ['refuses the probe with 500', (_, response) => response.writeHead(500).end('Oops')],
    ['closes the connection', (_, response) => response.destroy()],
    ['answers with a page', (_, response) => response.end('<html></html>')],
    ['accepts it and says nothing', (_, response) => response.writeHead(202).end()],
    ['answers with 404', (_, response) => response.writeHead(404).end()],
    [
      'names a later revision alone',
      (one, response) =>
        fail(response, one, 400, {
          ...{ code: -32_022, message: 'Unsupported' },
          data: { supported: ['2025-06-18'], requested: VERSION },
        }),
    ],
  ])('%s: it is asked for its handshake', { timeout: 20_000 }, async (_, answer) => {
    const { mcp, at } = await start({
      answer: (one, response) => {
        if (one.method !== 'server/discover') return false
        answer(one, response)
        return true
      },
    })
    expect(await mcp.list(at)).toMatchObject({
      tools: [{ name: 'work' }],
      server: { protocol: '2025-06-18' },
    })
  })
})

/** A program that does not know the handshake. */
const PROGRAM = `
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n')
const done = (id, result) => say({ id, result: { resultType: 'complete', ...result } })
const listing = { ttlMs: 0, cacheScope: 'private' }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'server/discover') done(id, { ...listing, supportedVersions: ['${VERSION}'], capabilities: { tools: {} } })
  else if (method === 'tools/list') done(id, { ...listing, tools: [{ name: 'work', inputSchema: { type: 'object' } }] })
  else if (method === 'tools/call') done(id, { content: [{ type: 'text', text: 'Done.' }] })
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'This program speaks ${VERSION}.' } })
})`

it('is spoken to in the revision of 2026-07-28 if it refuses the handshake', async () => {
  const mcp = createMcp(outbound, [])
  closing.push(mcp.close)
  const at: McpServer = {
    ...{ id: 'program', name: 'Program' },
    address: { kind: 'stdio', command: process.execPath, args: ['-e', PROGRAM], env: {} },
  }
  expect(await mcp.list(at)).toMatchObject({ server: { protocol: VERSION }, tools: [{ name: 'work' }] })
  expect(await mcp.call(at, { tool: 'work', input: {} }).next()).toMatchObject({ kind: 'over' })
})
