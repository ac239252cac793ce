import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../../../../tests/support/api-server.ts'
import { aUser } from '../../../../tests/support/builders.ts'
import { type Chat, startChat } from '../../../../tests/support/chat.ts'
import { executeTool, makeTool, supplierTool } from '../../../../tests/support/supplier-tool.ts'

let api: ApiServer
let chat: Chat
beforeAll(async () => {
  api = await startApiServer()
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: api.url } } })
})
afterAll(async () => {
  await chat.close()
  await api.close()
})

const score = (more: object = {}) => supplierTool(api, more)
const make = (tool: object = score()) => makeTool(chat, tool)
const execute = (id: string, inputs: object) => executeTool(chat, id, inputs)

describe('trying a call', () => {
  it('XT-11 shows the request it would send, dots in place of secrets, and sends nothing when it is dry', async () => {
    api.answer({ body: { score: 71, said: 'a-long-secret', alerts: [] } })
    const auth = { kind: 'api_key', place: 'header', name: 'X-Api-Key' }
    const { id } = await make(score({ auth, secrets: { api_key: 'a-long-secret' } }))
    const dry = await chat.call('POST', '/tools/try', { tool_id: id, inputs: { siren: '1' }, dry_run: true })
    expect(dry.body).toEqual({
      ...{ answer: null, problem: null },
      request: {
        ...{ method: 'GET', url: `${api.url}/v2/suppliers/1/score`, body: null },
        headers: { accept: expect.any(String), 'x-api-key': '•••• api_key' },
      },
    })
    expect(api.asked).toEqual([])
    const { body } = await chat.call('POST', '/tools/try', { tool_id: id, inputs: { siren: '1' } })
    expect(body).toMatchObject({ problem: null, answer: { status: 200, seen: { score: 71, alerts: [] } } })
    // A service that says back what it was sent tells nobody.
    expect(api.take().headers['x-api-key']).toBe('a-long-secret')
    expect(body.answer.raw).toContain('"said":"••••"')
    const wrong = await chat.call('POST', '/tools/try', { tool_id: id, inputs: {} })
    expect(wrong.body).toMatchObject({ detail: 'siren is required.', errors: [{ path: 'siren' }] })
    const stranger = await aUser(chat.app)
    expect((await chat.call('POST', '/tools/try', { tool_id: id }, stranger.headers)).status).toBe(403)
  })

  it('XT-04 cuts an answer, picks of it by path, and holds it to its schema', async () => {
    api.answer({ body: { list: [{ a: 1, b: 2 }, { a: 3 }], other: 'x'.repeat(500) } })
    const { call } = score()
    const see = async (answer: object) => {
      const shape = { keep: [], most_characters: 100_000, schema: null, ...answer }
      const wish = { call: { ...call, answer: shape }, inputs: { siren: '1' } }
      const { body } = await chat.call('POST', '/tools/try', wish)
      return body.problem ?? body.answer.seen
    }
    expect(await see({ keep: ['$.list[*].a'] })).toEqual({ list: [{ a: 1 }, { a: 3 }] })
    expect(await see({ keep: ['$.list[1]'] })).toEqual({ list: [{ a: 3 }] })
    expect(await see({ keep: ['$.none'] })).toMatch(/answered, and nothing of it stands under \$\.none\.$/)
    expect(await see({ most_characters: 100 })).toMatchObject({ characters_left_out: expect.any(Number) })
    const item = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    const schema = { type: 'object', properties: { list: { type: 'array', items: item } } }
    expect(await see({ schema })).toEqual({ list: [{ a: 1 }, { a: 3 }] })
    const texts = { ...schema, properties: { list: { type: 'array', items: { type: 'string' } } } }
    expect(await see({ schema: texts })).toMatch(/list\.0 is not as its schema has it\.$/)
  })

  it.each<[string, object, RegExp]>([
    [
      'a web page',
      { body: '<p>Hi', headers: { 'content-type': 'text/html' } },
      /did not answer with JSON, but with a web page\.$/,
    ],
    [
      'a refused secret',
      { status: 401, body: {} },
      /refused the secret of this tool \(401\)\. Its owner replaces it\.$/,
    ],
    ['a failure', { status: 500, body: 'Out of order' }, /answered 500: Out of order$/],
    [
      'a way on to a private address',
      { status: 302, headers: { location: 'http://10.0.0.1/' } },
      /^10\.0\.0\.1 is not an address of the public internet\.$/,
    ],
  ])('says in one sentence that it got %s', async (_, answer, problem) => {
    api.answer(answer)
    const { call } = score()
    const wish = { call, auth: { kind: 'bearer' }, secrets: { token: 'abcdefgh' }, inputs: { siren: '1' } }
    expect((await chat.call('POST', '/tools/try', wish)).body.problem).toMatch(problem)
  })

  it('XT-05 refuses private addresses no administrator allows, answers that are too large, and slow ones', async () => {
    const { call } = score()
    const tryAt = async (more: object) =>
      (await chat.call('POST', '/tools/try', { call: { ...call, inputs: [], ...more } })).body.problem
    expect(await tryAt({ address: 'http://127.0.0.1:1/' })).toBe(
      '127.0.0.1 is not an address of the public internet.',
    )
    expect(await tryAt({ address: api.url.replace('127.0.0.1', 'localhost') })).toBe(
      'localhost is not an address of the public internet.',
    )
    api.answer({ body: 'x'.repeat(6 * 1024 * 1024) })
    expect(await tryAt({ address: api.url })).toMatch(/MB/)
    api.answer({ status: 302, headers: { location: `${api.url}/again` } })
    expect(await tryAt({ address: api.url })).toBe('127.0.0.1 redirects too often.')
    api.answer(() => ({ headers: { 'content-length': '10' } }))
    expect(await tryAt({ address: api.url, seconds: 1 })).toBe('127.0.0.1 did not answer within 1 seconds.')
  })
})

describe('what is no call', () => {
  const input = { name: 'q', place: 'query', description: '', required: false, schema: {} }
  it.each<[object, string]>([
    [{ address: 'ftp://example.com' }, 'The address must begin with https:// or http:// and name a host.'],
    [
      { address: 'https://u:p@example.com' },
      'The address must hold no password: put it into Authentication.',
    ],
    [
      { address: 'https://{q}.com/' },
      'Inputs in braces may stand in the path of the address only. Add those of the query below.',
    ],
    [
      { address: 'https://example.com/{q}' },
      'The address names {q}, and there is no input of the path for it.',
    ],
    [
      { inputs: [{ ...input, place: 'path' }] },
      'The input q goes into the path, and the address does not name it.',
    ],
    [{ inputs: [{ ...input, place: 'body' }] }, 'A GET call has no body: q cannot go there.'],
    [{ inputs: [input, input] }, 'There are two inputs q.'],
    [
      { inputs: [{ ...input, schema: { type: 'text' } }] },
      'The input q is no JSON schema: there is no type "text".',
    ],
    [
      { inputs: [{ ...input, schema: { properties: 1 } }] },
      'The input q is no JSON schema: properties is no object.',
    ],
    [{ headers: { Host: 'x' } }, 'The header Host is written by Atrium.'],
    [
      { answer: { keep: ['score'], most_characters: 500, schema: null } },
      '“score” is no path. Write one such as $.alerts[*].label.',
    ],
  ])('is refused in one sentence, and nothing is stored: %j', async (more, detail) => {
    const count = async () => (await chat.call('GET', '/tools')).body.length
    const before = await count()
    const call = { method: 'GET', address: 'https://example.com/', inputs: [], ...more }
    const { status, body } = await chat.call('POST', '/tools', score({ call }))
    expect({ status, detail: body.detail }).toEqual({ status: 422, detail })
    expect(await count()).toBe(before)
  })
})

describe('ways to say who calls', () => {
  it.each<
    [
      object,
      Record<string, string>,
      (asked: { path: string; headers: Record<string, unknown> }) => unknown,
      string,
    ]
  >([
    [
      { kind: 'basic' },
      { username: 'ada', password: 'pass word' },
      ({ headers }) => headers.authorization,
      `Basic ${btoa('ada:pass word')}`,
    ],
    [{ kind: 'bearer' }, { token: 'tok-1' }, ({ headers }) => headers.authorization, 'Bearer tok-1'],
    [
      { kind: 'api_key', place: 'query', name: 'key' },
      { api_key: 'a&b' },
      ({ path }) => path.split('?')[1],
      'key=a%26b',
    ],
    [
      { kind: 'api_key', place: 'cookie', name: 'sid' },
      { api_key: 'abc' },
      ({ headers }) => headers.cookie,
      'sid=abc',
    ],
  ])('%j', async (auth, secrets, where, expected) => {
    api.answer({ body: {} })
    const { call } = score()
    await chat.call('POST', '/tools/try', { call, auth, secrets, inputs: { siren: '1' } })
    expect(where(api.take())).toBe(expected)
  })

  it('asks for a token with the client’s own secret, once for many calls, and again when it is refused', async () => {
    let given = 0
    let refuse = false
    api.answer(({ path }) => {
      if (path === '/token') {
        given += 1
        return { body: { access_token: `token-${given}`, expires_in: 3600, token_type: 'Bearer' } }
      }
      return refuse ? { status: 401, body: {} } : { body: { score: 1 } }
    })
    const auth = { kind: 'oauth2_client', token_url: `${api.url}/token`, scopes: ['read', 'write'] }
    const { id } = await make(score({ auth, secrets: { client_id: 'me', client_secret: 's e:c' } }))
    await execute(id, { siren: '1' })
    expect(api.asked.map(({ path, body }) => [path, body])).toEqual([
      ['/token', 'grant_type=client_credentials&scope=read+write'],
      ['/v2/suppliers/1/score', ''],
    ])
    expect(api.asked[0]?.headers.authorization).toBe(`Basic ${btoa('me:s%20e%3Ac')}`)
    await execute(id, { siren: '2' })
    expect(given).toBe(1)
    expect(api.take().headers.authorization).toBe('Bearer token-1')
    refuse = true
    expect((await execute(id, { siren: '3' })).error).toMatch(/refused the secret of this tool/)
    refuse = false
    await execute(id, { siren: '4' })
    expect(api.take().headers.authorization).toBe('Bearer token-2')
  })
})
