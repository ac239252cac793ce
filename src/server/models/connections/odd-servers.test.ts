import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

const KEY = 'key-of-the-resource-1234'
let app: TestApp
let admin: TestUser
let server: Server
let origin: string
type Seen = { method: string; url: string; key: unknown; bearer: unknown; body: Record<string, unknown> }
let seen: Seen[] = []

/** Answers like servers that users connect: Azure, a gateway without a model list, a server with its API below `/v1`, a web site. */
function answer({ method, url, key }: Seen): [number, string] {
  const { pathname, searchParams } = new URL(url, 'http://x')
  const isChat = method === 'POST' && pathname.endsWith('/chat/completions')
  if (pathname.startsWith('/azure')) {
    if (!searchParams.has('api-version')) return [404, '{"error":{"message":"Resource not found"}}']
    if (key !== KEY) return [401, '{"error":{"message":"Access denied"}}']
    return isChat ? [200, said('azure')] : [404, '{"error":{"code":"404","message":"Resource not found"}}']
  }
  if (pathname.startsWith('/nolist'))
    return isChat ? [200, said('no list')] : [404, '{"error":{"message":"Not Found"}}']
  if (pathname.startsWith('/empty'))
    return isChat ? [200, said('empty')] : [200, '{"object":"list","data":[]}']
  if (pathname.startsWith('/forbidden')) return isChat ? [200, said('forbidden')] : [405, '']
  if (pathname.endsWith('/v1/messages')) return [200, message]
  if (pathname === '/claude/v1/models')
    return [200, '{"data":[{"id":"claude-x","max_input_tokens":200000,"max_tokens":12000}],"has_more":false}']
  if (pathname === '/v1/models') return [200, '{"object":"list","data":[{"id":"large"}]}']
  if (pathname === '/e/v1/embeddings') return [200, '{"data":[{"index":0,"embedding":[1,2]}]}']
  if (pathname === '/v1/chat/completions') return [200, said('v1')]
  if (pathname.startsWith('/site')) return [200, '<!doctype html><html>Sign in</html>']
  if (pathname === '/moved/models') return [308, '/v1/models']
  if (pathname === '/away/models') return [302, 'http://localhost:9/v1/models']
  if (pathname.startsWith('/any')) return isChat ? [200, said('any')] : [200, '{"status":"ok"}']
  if (pathname.startsWith('/studio/v1/models')) return [200, '{"data":[{"id":"local"}]}']
  if (pathname.startsWith('/studio')) return [200, '{"error":"Unexpected endpoint or method."}']
  return [404, `{"error":"path \\"${pathname}\\" not found"}`]
}

const said = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop', index: 0 }] })}\n\ndata: [DONE]\n\n`

const message = [
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'messages' } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('')

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method = '', url = '', headers } = request
    const one = {
      method,
      url,
      key: headers['api-key'],
      bearer: headers.authorization,
      body: text ? JSON.parse(text) : {},
    }
    seen.push(one)
    const [status, body] = answer(one)
    response.writeHead(status, {
      'content-type': body.startsWith('data:') ? 'text/event-stream' : 'application/json',
      ...(status > 300 && status < 400 && { location: body }),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app = await startApp()
  admin = await aUser(app, { role: 'super_admin' })
})
afterEach(async () => {
  seen = []
  await app.deps.db.deleteFrom('model_connections').execute()
  app.deps.models.refresh()
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const send = async (method: 'POST' | 'PATCH', path: string, payload: object) => {
  const url = `/api/v1/model-connections${path}`
  const response = await app.http.inject({ method, url, headers: admin.headers, payload })
  return response.json()
}
const compatible = (path: string, more: object = {}) => ({
  ...{ name: 'Odd', kind: 'compatible', base_url: `${origin}${path}`, api_key: KEY },
  ...more,
})
const test = (path: string, more = {}) => send('POST', '/test', compatible(path, more))
const connect = async (path: string, more = {}) => send('POST', '', compatible(path, more))
const ask = async (modelId: string) => {
  let text = ''
  const call = {
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
    ...{ tools: [], tool_choice: 'auto' as const },
  }
  await app.deps.models.stream(modelId, call, AbortSignal.timeout(5_000), (part) => {
    if (part.type === 'text') text += part.text
  })
  return text
}
const idsOf = ({ models }: { models: { id: string }[] }) => models.map(({ id }) => id)

describe('the address of a compatible server', () => {
  it('keeps its query in every request and names the model by its deployment', async () => {
    const path = '/azure/openai/deployments/gpt4o?api-version=2024-10-21'
    expect(await test(path)).toMatchObject({ ok: true, models: ['gpt4o'], lists_models: false })
    const made = await connect(path)
    expect(idsOf(made)).toEqual(['odd/gpt4o'])
    expect(await ask('odd/gpt4o')).toBe('azure')
    expect(seen.at(-1)).toMatchObject({
      url: '/azure/openai/deployments/gpt4o/chat/completions?api-version=2024-10-21',
      ...{ key: KEY, bearer: undefined },
    })
  })

  it.each([
    ['/v1/chat/completions', 'a copied operation'],
    ['/v1/models', 'a copied list'],
    ['/v1//', 'slashes at its end'],
    ['', 'no /v1'],
    ['/', 'a slash alone'],
    ['/v1#top', 'a fragment'],
    ['/moved', 'an address that moved'],
    ['/api', 'the path of another interface'],
  ])('accepts %j: %s', async (path) => {
    expect(await test(path)).toMatchObject({ ok: true, models: ['large'], lists_models: true })
    expect(idsOf(await connect(path))).toEqual(['odd/large'])
    expect(await ask('odd/large')).toBe('v1')
  })

  it('may omit the /v1 of a server that answers everything with 200', async () => {
    expect(await test('/studio')).toMatchObject({ ok: true, models: ['local'] })
  })

  it.each(['/nothing', '/nothing/v1', '/site', '/away'])(
    'explains in one sentence that no model server answers at %s',
    async (path) => {
      const sentence = `No model server answers at ${origin}${path}; the address of most servers ends in /v1.`
      expect(await test(path)).toMatchObject({ ok: false, detail: sentence })
      expect(await connect(path)).toMatchObject({ status: 'error', status_detail: sentence })
    },
  )
})

describe('a server that lists no models', () => {
  it.each(['/nolist/v1', '/empty/v1', '/forbidden/v1', '/any/v1'])(
    'reports the missing list at %s and answers chats with models named by hand',
    async (path) => {
      expect(await test(path)).toMatchObject({
        ok: false,
        lists_models: false,
        detail: 'The server lists no models.',
      })
      const model_ids = ['my-model', 'other/model:free']
      expect(await test(path, { model_ids })).toMatchObject({
        ok: true,
        models: model_ids,
        lists_models: false,
      })
      const made = await connect(path, { model_ids })
      expect(made).toMatchObject({ status: 'ok', lists_models: false, model_ids })
      expect(idsOf(made)).toEqual(['odd/my-model', 'odd/other/model:free'])
      expect(await ask('odd/other/model:free')).not.toBe('')
      expect(seen.at(-1)?.body).toMatchObject({ model: 'other/model:free' })
    },
  )

  it('accepts another list of model names later', async () => {
    const { id } = await connect('/nolist/v1', { model_ids: ['one'] })
    const changed = await send('PATCH', `/${id}`, { model_ids: ['two', 'two'] })
    expect(idsOf(changed)).toEqual(['odd/two'])
  })

  it('may omit the /v1 of its address', async () => {
    await connect('/nolist', { model_ids: ['one'] })
    expect(await ask('odd/one')).toBe('no list')
  })
})

it('embeds at an address without /v1 before any model list was requested', async () => {
  await connect('/e', { name: 'Vectors' })
  const embed = (await app.deps.models.embedders())('vectors/any')
  expect(await embed(['One'], AbortSignal.timeout(5_000))).toEqual([[1, 2]])
})

describe('a server with the Messages API', () => {
  it('may omit /v1 and receives the output limit of its list as max_tokens', async () => {
    const made = await connect('/claude', { kind: 'anthropic' })
    expect(idsOf(made)).toEqual(['anthropic/claude-x'])
    expect(await ask('anthropic/claude-x')).toBe('messages')
    expect(seen.at(-1)).toMatchObject({ url: '/claude/v1/messages', body: { max_tokens: 12_000 } })
  })

  it('may list no models', async () => {
    const more = { kind: 'anthropic', model_ids: ['kimi'] }
    expect(await test('/anthropic', more)).toMatchObject({ ok: true, models: ['kimi'], lists_models: false })
    await connect('/anthropic', more)
    expect(await ask('anthropic/kimi')).toBe('messages')
  })
})

it('offers models named in the environment', async () => {
  const config = { ATRIUM_COMPATIBLE_URL: `${origin}/nolist/v1`, ATRIUM_COMPATIBLE_MODELS: 'one, two' }
  const other = await startApp({ config })
  const ids = (await other.deps.models.list()).map(({ id }) => id)
  await other.close()
  expect(ids.slice(0, 2)).toEqual(['compatible/one', 'compatible/two'])
})

it('adds models named by hand to those that the server lists', async () => {
  expect(idsOf(await connect('/v1', { model_ids: ['hidden', 'large'] }))).toEqual(['odd/hidden', 'odd/large'])
})
