import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shopDescription } from '#tests/api-description.ts'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { type Chat, startChat } from '#tests/chat.ts'

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

const textOf = (more: object = {}) => JSON.stringify(shopDescription(api.url, more))
const read = (body: object) => chat.call('POST', '/tools/openapi/read', body)
const all = ['GET /orders/{id}', 'PATCH /orders/{id}', 'POST /search', 'POST /files']
const bring = (keys: string[], more: object = {}) =>
  chat.call('POST', '/tools/openapi', {
    ...{ text: textOf(), server: `${api.url}/v1`, operations: keys.map((key) => ({ key })) },
    ...{ auth: { kind: 'api_key', place: 'header', name: 'X-Api-Key' }, secrets: { api_key: 'k-123456' } },
    ...more,
  })
const ownTools = async () => {
  const { body } = await chat.call('GET', '/tools')
  return body.filter((tool: { own: boolean }) => tool.own) as {
    id: string
    ui_name: string
    policy: string
    version: number
    input_schema: { properties: Record<string, object>; required?: string[] }
  }[]
}

/** Executes the tool of this name and returns the received request. */
async function send(name: string, inputs: object) {
  const tool = (await ownTools()).find(({ ui_name }) => ui_name === name)
  const started = await chat.call('POST', `/tools/${tool?.id}/execute`, { inputs })
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${started.body.tool_execution_id}`)
    if (body.finished_at) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return api.take()
}

describe('API description', () => {
  it('lists its operations, servers and auth schemes, from a text or an address, as JSON or YAML [XT-02]', async () => {
    const { body } = await read({ text: textOf() })
    expect(body).toMatchObject({
      ...{ title: 'Shop', version: '2', format: 'OpenAPI 3.1', servers: [`${api.url}/v1`] },
      auths: [{ name: 'key', auth: { kind: 'api_key', place: 'header', name: 'X-Api-Key' }, operations: 7 }],
    })
    const unusable = Object.fromEntries(
      body.operations.map(({ key, unusable }: { key: string; unusable: string | null }) => [key, unusable]),
    )
    expect(unusable).toEqual({
      ...Object.fromEntries([...all, 'DELETE /orders/{id}'].map((key) => [key, null])),
      'PUT /raw': 'it takes a body of the type application/octet-stream',
      'GET /elsewhere':
        'it refers to https://example.com/parameters.json#/x, but only this description is read',
    })
    api.answer({
      headers: { 'content-type': 'application/yaml' },
      body: 'openapi: 3.0.3\ninfo: {title: Small, version: "1"}\nservers: [{url: /api}]\npaths:\n  /a:\n    get: {summary: A}\n',
    })
    const small = await read({ address: `${api.url}/openapi.yaml` })
    expect(small.body).toMatchObject({ title: 'Small', format: 'OpenAPI 3.0', servers: [`${api.url}/api`] })
    expect(api.take().path).toBe('/openapi.yaml')
  })

  it.each([
    ['{"swagger":"2.0"}', 'This is a Swagger 2.0 description. Convert it to OpenAPI 3 first.'],
    ['{"openapi":"4.0.0"}', 'OpenAPI 4.0.0 is not supported: it must be 3.0 or 3.1.'],
    ['<!doctype html><p>Not found', 'This is a web page, not an OpenAPI description.'],
    ['{"a":', 'This is neither valid JSON nor valid YAML.'],
    ['a: [', 'This is neither valid JSON nor valid YAML.'],
    ['just words', 'This is not an OpenAPI description: it does not state its version.'],
    ['{"openapi":"3.0.0","paths":{}}', 'This description has no operations.'],
  ])('refuses %s in one sentence', async (text, detail) => {
    expect(await read({ text })).toMatchObject({ status: 422, body: { detail } })
  })

  it('is refused in one sentence at 10 MB, or at an address in a private network', async () => {
    const { status, body } = await read({ text: 'x'.repeat(10_000_000) })
    expect(status).toBe(413)
    expect(body.detail).toBe('The description is longer than 8 MB.')
    expect((await read({ address: 'http://10.0.0.1/openapi.json' })).body.detail).toBe(
      '10.0.0.1 is in a private network. The administrator of this server can allow it in the setting ATRIUM_TOOLS_PRIVATE.',
    )
  })

  it('may have multiplying aliases and circular schemas', async () => {
    const levels = Array.from({ length: 30 }, (_, n) => `  a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)
    const bomb = `openapi: 3.0.0\nx:\n  a0: &a0 [1]\n${levels.join('\n')}\npaths: {/a: {get: {parameters: [{name: q, in: query, schema: {type: object, properties: {x: {default: 1}}}}]}}}`
    expect((await read({ text: bomb })).body.operations).toMatchObject([{ key: 'GET /a', unusable: null }])
    const round = {
      Order: { $ref: '#/components/schemas/Other' },
      Other: { $ref: '#/components/schemas/Order' },
    }
    const { body } = await read({
      text: textOf({ components: { ...shopDescription('').components, schemas: round } }),
    })
    expect(body.operations.find(({ key }: { key: string }) => key.startsWith('PATCH')).unusable).toBe(
      'its references form a circle',
    )
  })
})

describe('import of operations', () => {
  it('creates tools whose requests match the description exactly [XT-01, XT-02]', async () => {
    api.answer({ body: { ok: true } })
    const done = await bring(all)
    expect(done.body).toMatchObject({ added: all, changed: [], removed: [], same: 0 })
    const tools = await ownTools()
    expect(Object.fromEntries(tools.map(({ ui_name, policy }) => [ui_name, policy]))).toEqual({
      ...{ 'One order': 'auto', 'Change an order': 'ask', search: 'ask', upload: 'ask' },
    })
    const change = tools.find(({ ui_name }) => ui_name === 'Change an order')?.input_schema
    expect(change?.required).toEqual(['id', 'state'])
    expect(Object.keys(change?.properties ?? {})).toEqual(['id', 'body_id', 'state', 'parent'])

    const got = await send('One order', {
      ...{ id: 'a/b ?', fields: ['x', 'y z'], near: [1, 2], filter: { since: 'now' }, where: { a: 1 } },
      ...{ X_Trace: undefined, 'X-Trace': 't 1', cart: 'c;d' },
    })
    expect(got).toMatchObject({
      ...{ method: 'GET', body: '' },
      path: '/v1/orders/a%2Fb%20%3F?fields=x&fields=y+z&near=1%2C2&filter%5Bsince%5D=now&where=%7B%22a%22%3A1%7D',
      headers: { 'x-trace': 't 1', cookie: 'cart=c%3Bd', 'x-api-key': 'k-123456' },
    })
    expect(await send('Change an order', { id: '7', body_id: '8', state: 'done' })).toMatchObject({
      ...{ method: 'PATCH', path: '/v1/orders/7', body: '{"id":"8","state":"done"}' },
      headers: { 'content-type': 'application/json' },
    })
    expect(await send('search', { q: 'a & b', tag: ['x', 'y'] })).toMatchObject({
      ...{ method: 'POST', path: '/v1/search', body: 'q=a+%26+b&tag=x&tag=y' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const sent = await send('upload', {
      file: { filename: 'a"b.txt', content: 'é' },
      note: 'n',
      about: { k: 1 },
    })
    const boundary = /boundary=(.+)$/.exec(sent.headers['content-type'] ?? '')?.[1]
    const data = await new Response(sent.body, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }).formData()
    const file = data.get('file') as File
    expect([file.name, await file.text(), data.get('note')]).toEqual(['a"b.txt', 'é', 'n'])
    expect(sent.body).toContain('name="about"\r\ncontent-type: application/json\r\n\r\n{"k":1}')

    expect((await chat.call('GET', `/tool-sets/${done.body.set_id}`)).body).toMatchObject({
      ...{ name: 'Shop', source: { server: `${api.url}/v1` }, secrets: [{ name: 'api_key' }] },
      tools: all.map((key) => ({ key, policy: null })),
    })

    // Repeats the import: changes are shown first and then applied; a person's changes to a tool stay.
    const { set_id } = done.body
    const one = tools.find(({ ui_name }) => ui_name === 'One order')
    await chat.call('PUT', `/tools/${one?.id}`, { ui_name: 'My order' })
    const next = shopDescription(api.url)
    next.paths['/orders/{id}'].get.parameters.length = 1
    const again = { text: JSON.stringify(next), set_id, secrets: {} }
    const keys = ['GET /orders/{id}', 'PATCH /orders/{id}', 'DELETE /orders/{id}']
    const expected = {
      ...{ added: ['DELETE /orders/{id}'], removed: ['POST /search', 'POST /files'], same: 1 },
      changed: [{ key: 'GET /orders/{id}', parts: ['inputs'] }],
    }
    expect((await bring(keys, { ...again, dry_run: true })).body).toEqual({ ...expected, set_id: null })
    expect(await ownTools()).toHaveLength(4)
    expect((await bring(keys, again)).body).toEqual({ ...expected, set_id })
    const after = await ownTools()
    expect(after.map(({ ui_name }) => ui_name).sort()).toEqual([
      'Change an order',
      'Delete an order',
      'My order',
    ])
    expect(after.find(({ id }) => id === one?.id)).toMatchObject({ version: 3 })
    expect((await send('My order', { id: '1', fields: ['a'] })).headers['x-api-key']).toBe('k-123456')
  })

  it('withdraws the permission of a call whose destination changes', async () => {
    const wanted = ['PATCH /orders/{id}']
    const operations = [{ key: wanted[0], policy: 'auto' }]
    const { set_id } = (await bring(wanted, { operations })).body
    const toolOfSet = async () => (await chat.call('GET', `/tool-sets/${set_id}`)).body.tools[0]
    const { tool_id } = await toolOfSet()
    await chat.call('PUT', `/tools/${tool_id}/policy`, { policy: 'auto' })
    await bring(wanted, { set_id, secrets: {} })
    expect(await toolOfSet()).toMatchObject({ policy: 'auto' })
    await bring(wanted, { set_id, secrets: {}, server: `${api.url}/v2` })
    const moved = await bring(wanted, { set_id, secrets: {}, server: 'https://a.example/v1' })
    expect([moved.status, moved.body.detail]).toEqual([422, 'The secret “api_key” is missing.'])
    expect(await toolOfSet()).toMatchObject({ policy: 'ask' })
    expect((await chat.call('GET', `/tools/${tool_id}/policy`)).body).toMatchObject({ policy: 'ask' })
    await chat.call('DELETE', `/tools/${tool_id}`)
  })

  it('stores nothing if a secret is missing or the server is unknown', async () => {
    const before = await ownTools()
    expect((await bring(['DELETE /orders/{id}'], { secrets: {} })).body.detail).toBe(
      'The secret “api_key” is missing.',
    )
    expect((await bring(['DELETE /orders/{id}'], { server: 'shop' })).body.detail).toBe(
      'The address must begin with https:// or http:// and name a host.',
    )
    expect((await bring(['GET /nothing'])).body.detail).toBe('The description has no operation GET /nothing.')
    expect(await ownTools()).toEqual(before)
  })
})
