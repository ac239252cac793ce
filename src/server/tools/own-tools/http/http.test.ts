import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { executeTool, makeTool, supplierTool } from '#tests/supplier-tool.ts'

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

describe('test call', () => {
  it('shows its request with masked secrets, and sends nothing in a dry run [XT-11]', async () => {
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
    // The answer of a service that echoes its input reveals no secret.
    expect(api.take().headers['x-api-key']).toBe('a-long-secret')
    expect(body.answer.raw).toContain('"said":"••••"')
    const wrong = await chat.call('POST', '/tools/try', { tool_id: id, inputs: {} })
    expect(wrong.body).toMatchObject({ detail: 'siren is required.', errors: [{ path: 'siren' }] })
    const stranger = await aUser(chat.app)
    expect((await chat.call('POST', '/tools/try', { tool_id: id }, stranger.headers)).status).toBe(403)
  })

  it('truncates an answer, selects parts by path, and validates them against its schema [XT-04]', async () => {
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
    expect(await see({ keep: ['$.none'] })).toMatch(/answered, but nothing was found under \$\.none\.$/)
    expect(await see({ most_characters: 100 })).toMatchObject({ characters_left_out: expect.any(Number) })
    const item = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    const schema = { type: 'object', properties: { list: { type: 'array', items: item } } }
    expect(await see({ schema })).toEqual({ list: [{ a: 1 }, { a: 3 }] })
    const texts = { ...schema, properties: { list: { type: 'array', items: { type: 'string' } } } }
    expect(await see({ schema: texts })).toMatch(/list\.0 does not match its schema\.$/)
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
      /refused the secret of this tool \(401\)\. Its owner must replace it\.$/,
    ],
    ['a failure', { status: 500, body: 'Out of order' }, /answered 500: Out of order$/],
    [
      'a way on to a private address',
      { status: 302, headers: { location: 'http://10.0.0.1/' } },
      /^10\.0\.0\.1 is in a private network\. .* ATRIUM_TOOLS_PRIVATE\.$/,
    ],
  ])('says in one sentence that it got %s', async (_, answer, problem) => {
    api.answer(answer)
    const { call } = score()
    const wish = { call, auth: { kind: 'bearer' }, secrets: { token: 'abcdefgh' }, inputs: { siren: '1' } }
    expect((await chat.call('POST', '/tools/try', wish)).body.problem).toMatch(problem)
  })

  it('refuses private addresses that are not allowed, answers that are too large, and slow ones [XT-05]', async () => {
    const { call } = score()
    const tryAt = async (more: object) =>
      (await chat.call('POST', '/tools/try', { call: { ...call, inputs: [], ...more } })).body.problem
    expect(await tryAt({ address: 'http://127.0.0.1:1/' })).toBe(
      '127.0.0.1 is in a private network. The administrator of this server can allow it in the setting ATRIUM_TOOLS_PRIVATE.',
    )
    expect(await tryAt({ address: api.url.replace('127.0.0.1', 'localhost') })).toBe(
      'localhost is in a private network. The administrator of this server can allow it in the setting ATRIUM_TOOLS_PRIVATE.',
    )
    api.answer({ body: 'x'.repeat(6 * 1024 * 1024) })
    expect(await tryAt({ address: api.url })).toMatch(/MB/)
    api.answer({ status: 302, headers: { location: `${api.url}/again` } })
    expect(await tryAt({ address: api.url })).toBe('127.0.0.1 redirects too often.')
    api.answer(() => ({ headers: { 'content-length': '10' } }))
    expect(await tryAt({ address: api.url, seconds: 1 })).toBe('127.0.0.1 did not answer within 1 seconds.')
  })
})

describe('answer built to stall its reader', () => {
  const hostile: [string, string, string][] = [
    ['lists in lists', '['.repeat(2_000_000), 'The answer is too deeply nested.'],
    ['objects in objects', '{"a":'.repeat(1_000_000), 'The answer is too deeply nested.'],
    ['values without end', `[${'[],'.repeat(1_600_000)}1]`, 'The answer has too many values.'],
    ['small values without end', `[${'0,'.repeat(2_500_000)}1]`, 'The answer has too many values.'],
    [
      'names without end',
      `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":0`).join()}}`,
      'The answer has too many values.',
    ],
  ]
  it.each(hostile)('is refused in one sentence: %s', async (_, body, problem) => {
    const { call } = score()
    const wish = { call: { ...call, address: api.url, inputs: [] }, inputs: {} }
    for (const type of ['application/json', 'text/plain']) {
      api.answer({ body, headers: { 'content-type': type } })
      expect((await chat.call('POST', '/tools/try', wish)).body.problem).toBe(problem)
    }
  })

  it('is filtered in a thread if it has many values', async () => {
    const list = Array.from({ length: 40_000 }, (_, n) => ({ id: n, label: `Label ${n}`, on: true }))
    api.answer({ body: { list, score: 7 } })
    const { call } = score()
    const see = async (keep: string[]) => {
      const shape = { keep, most_characters: 1_000_000, schema: null }
      const wish = { call: { ...call, answer: shape }, inputs: { siren: '1' } }
      const { body } = await chat.call('POST', '/tools/try', wish)
      return body.problem ?? body.answer.seen
    }
    expect(await see(['$.score', '$.list[39999].label'])).toEqual({
      score: 7,
      list: [{ label: 'Label 39999' }],
    })
    // An answer with too many values for a run is returned as the beginning of its text.
    expect(await see([])).toMatchObject({ begins_with: expect.stringMatching(/^\{"list":\[\{"id":0/) })
  })
})

describe('secrets echoed by a service', () => {
  const token = 'S3CRET a/b+c="&\\x'
  it('are masked in any encoding, in answers and in errors', async () => {
    const { call } = score({})
    const written = [
      ...[
        token,
        encodeURIComponent(token),
        encodeURIComponent(token).replace(/%../g, (one) => one.toLowerCase()),
      ],
      ...[
        new URLSearchParams({ t: token }).toString(),
        JSON.stringify(token),
        btoa(token),
        btoa(`x${token}y`),
      ],
      ...[token.replaceAll('&', '&amp;').replaceAll('"', '&quot;'), Buffer.from(token).toString('base64url')],
      `%53%33CRET${encodeURIComponent(token.slice(6))}`,
    ]
    const answer = { keep: [], most_characters: 100_000, schema: null }
    const wish = {
      call: { ...call, answer },
      auth: { kind: 'bearer' },
      secrets: { token },
      inputs: { siren: '1' },
    }
    for (const status of [200, 400]) {
      api.answer({
        status,
        body: { written, [token]: 1 },
        headers: { 'content-type': `application/json;t=${btoa(token)}` },
      })
      const { body } = await chat.call('POST', '/tools/try', wish)
      const shown = JSON.stringify(body)
      expect(shown).not.toMatch(/CRET|UzNDUkVU/i)
      expect(shown.match(/••••/g)?.length).toBeGreaterThan(written.length)
    }
  })
})

describe('origin of a call', () => {
  const path = { name: 'h', place: 'path', description: '', required: true, schema: { type: 'string' } }
  it.each([
    ...[
      'http:/{h}/echo',
      'http:{h}',
      'http:{h}/echo',
      'http:///{h}/echo',
      'HTTP:/{h}/echo',
      '//{h}/echo',
      '{h}',
    ],
    ...[
      'https://{h}.x/',
      'https://a.{h}/',
      'https://a{h}/',
      'https://a:{h}/',
      'https://{h}@a.example/',
      '{h}://a.example/',
    ],
    ...[
      'https:\\\\{h}/x',
      'https:/\\{h}/x',
      'https://a.example\\{h}',
      'https:/\t/{h}/x',
      'ht\ntps://a.example/{h}',
    ],
    ...[
      'https://a.example?x={h}',
      'https://a.example#{h}',
      'https://a.example\t{h}/',
      'https:/a.example/{h}',
    ],
  ])('is written out, or the call is refused: %s', async (address) => {
    api.asked.length = 0
    const call = { method: 'GET', address, inputs: [path] }
    const made = await chat.call('POST', '/tools/', score({ call }))
    expect(made.status).toBe(422)
    expect(made.body.detail).toMatch(/^(The address|Inputs in braces|call)/)
    const values = { h: new URL(api.url).host }
    const tried = await chat.call('POST', '/tools/try', { call, inputs: values })
    expect(tried.status).toBe(422)
    expect(api.asked).toEqual([])
  })

  it.each([
    '/evil.example',
    '//evil.example',
    '\\evil.example',
    '@evil.example',
    '..//evil.example',
    '\t/evil',
    ':80@evil',
  ])('stays as saved, whatever an input contains: %s', async (h) => {
    for (const address of [`${api.url}/{h}`, `${api.url}//{h}`, `${api.url}/a/{h}?x=1`]) {
      api.answer({ body: {} })
      const { body } = await chat.call('POST', '/tools/try', {
        call: { method: 'GET', address, inputs: [path] },
        inputs: { h },
      })
      expect(new URL(body.request.url).origin).toBe(api.url)
    }
    api.asked.length = 0
  })

  it('receives the secrets exclusively, even if it redirects', async () => {
    const other = await startApiServer()
    const headers = { 'X-Api': 'k-123456', 'X-Custom': 'c-123456' }
    api.answer({ status: 307, headers: { location: other.url.replace('127.0.0.1', 'localhost') } })
    const chat2 = { ATRIUM_TOOLS_PRIVATE: [api.url, other.url.replace('127.0.0.1', 'localhost')].join() }
    const both = await startChat({ app: { config: chat2 } })
    const call = { method: 'GET', address: `${api.url}/x`, inputs: [], headers }
    const auth = { kind: 'api_key', place: 'header', name: 'X-Sesame' }
    await both.call('POST', '/tools/try', { call, auth, secrets: { api_key: 'sesame-123' }, inputs: {} })
    expect(other.asked).toHaveLength(1)
    expect(JSON.stringify(other.take().headers)).not.toMatch(/123/)
    await both.close()
    await other.close()
    api.asked.length = 0
  })
})

describe('invalid call', () => {
  const input = { name: 'q', place: 'query', description: '', required: false, schema: {} }
  it.each<[object, string]>([
    [{ address: 'ftp://example.com' }, 'The address must begin with https:// or http:// and name a host.'],
    [
      { address: 'https://u:p@example.com' },
      'The address must not contain a password: enter it under Authentication.',
    ],
    [
      { address: 'https://{q}.com/' },
      'Inputs in braces are only allowed in the path of the address. Add query inputs below.',
    ],
    [
      { address: 'https://example.com/{q}' },
      'The address contains {q}, but there is no path input of this name.',
    ],
    [
      { inputs: [{ ...input, place: 'path' }] },
      'The input q belongs in the path, but the address does not contain it.',
    ],
    [{ inputs: [{ ...input, place: 'body' }] }, 'A GET call has no body: q cannot go there.'],
    [{ inputs: [input, input] }, 'There are two inputs q.'],
    [
      { inputs: [{ ...input, schema: { type: 'text' } }] },
      'The input q is not a valid JSON schema: there is no type "text".',
    ],
    [
      { inputs: [{ ...input, schema: { properties: 1 } }] },
      'The input q is not a valid JSON schema: properties is not an object.',
    ],
    [{ headers: { Host: 'x' } }, 'The header Host is set by Atrium.'],
    [
      { answer: { keep: ['score'], most_characters: 500, schema: null } },
      '“score” is not a path. Write one such as $.alerts[*].label.',
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

describe('auth schemes', () => {
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

  it("request a token with the client's secret, share it between calls, and renew it after a refusal", async () => {
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

  it('send the client in the form to a service that accepts it no other way', async () => {
    api.answer(({ path, body }) => {
      if (path !== '/token') return { body: { score: 1 } }
      if (!body.includes('client_id=me&client_secret=s-1'))
        return { status: 401, body: { error: 'invalid_client' } }
      return { body: { access_token: 'token-f', token_type: 'Bearer' } }
    })
    const auth = { kind: 'oauth2_client', token_url: `${api.url}/token`, scopes: [] }
    const { id } = await make(score({ auth, secrets: { client_id: 'me', client_secret: 's-1' } }))
    expect(await execute(id, { siren: '1' })).toMatchObject({ status: 'complete' })
    expect(api.asked.map(({ path }) => path)).toEqual(['/token', '/token', '/v2/suppliers/1/score'])
  })
})
