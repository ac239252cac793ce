import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../../../tests/support/api-server.ts'
import { readOn } from '../../../tests/support/asking.ts'
import { aCompany, aUser } from '../../../tests/support/builders.ts'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { calls, says } from '../../../tests/support/model-server.ts'

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

const score = (more: object = {}) => ({
  ...{ ui_name: 'Supplier score', description: 'Financial health of a company.' },
  call: {
    method: 'GET',
    address: `${api.url}/v2/suppliers/{siren}/score`,
    inputs: [
      {
        name: 'siren',
        place: 'path',
        description: 'Nine digits',
        required: true,
        schema: { type: 'string' },
      },
      {
        name: 'period',
        place: 'query',
        description: '',
        required: false,
        schema: { enum: ['year', 'quarter'] },
      },
    ],
    answer: { keep: ['$.score', '$.alerts[*].label'], most_characters: 1_000, schema: null },
  },
  ...more,
})

async function make(tool: object = score()) {
  const { status, body } = await chat.call('POST', '/tools/', tool)
  expect(body, JSON.stringify(body)).toMatchObject({ kind: 'api' })
  expect(status).toBe(201)
  return body as { id: string; version: number }
}

async function execute(id: string, inputs: object) {
  const started = await chat.call('POST', `/tools/${id}/execute`, { inputs })
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${started.body.tool_execution_id}`)
    if (body.finished_at) return body
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a tool of one’s own', () => {
  it('TO-18 SV-47 SV-48 SV-49 R-21 is made, really calls its API with what it is given, is changed and deleted', async () => {
    api.answer({ body: { score: 71, secret: 'x', alerts: [{ label: 'Late', code: 4 }] } })
    const { id } = await make()
    const listed = await chat.call('GET', '/tools')
    expect(listed.body.find((tool: { id: string }) => tool.id === id)).toMatchObject({
      ...{ kind: 'api', ui_name: 'Supplier score', policy: 'auto', own: true, version: 1, repeatable: true },
      input_schema: {
        properties: { siren: { type: 'string', description: 'Nine digits' } },
        required: ['siren'],
      },
    })
    expect(await execute(id, { siren: '552 100/554', period: 'quarter' })).toMatchObject({
      ...{ status: 'complete', error: null },
      result: { score: 71, alerts: [{ label: 'Late' }] },
    })
    expect(api.take()).toMatchObject({
      method: 'GET',
      path: '/v2/suppliers/552%20100%2F554/score?period=quarter',
    })
    const wrong = await chat.call('POST', `/tools/${id}/execute`, { inputs: { period: 'day' } })
    expect(wrong.status).toBe(422)
    expect(api.asked).toEqual([])

    const changed = await chat.call('PUT', `/tools/${id}`, { ui_name: 'Score', description: 'Anew.' })
    expect(changed.body).toMatchObject({ id, ui_name: 'Score', description: 'Anew.', version: 2 })
    // What says the same is no new version.
    expect((await chat.call('PATCH', `/tools/${id}`, { ui_name: 'Score' })).body.version).toBe(2)

    expect((await chat.call('DELETE', `/tools/${id}`)).body).toEqual({ message: 'The tool was deleted.' })
    expect((await chat.call('GET', `/tools/${id}`)).status).toBe(404)
    const left = await chat.app.deps.db.selectFrom('own_tool_sets').select('id').execute()
    expect(left).toEqual([])
  })

  it('XT-10 one that changes data asks by default, and a person may decide otherwise', async () => {
    const { call, ...words } = score()
    const { id } = await make({ ...words, call: { ...call, method: 'POST' } })
    const read = async () => (await chat.call('GET', `/tools/${id}`)).body
    expect(await read()).toMatchObject({ policy: 'ask', repeatable: false })
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })
    expect((await read()).policy).toBe('auto')
    // The change is the owner's own: what they allowed stays allowed to themselves.
    await chat.call('PUT', `/tools/${id}`, { description: 'Something else.' })
    expect(await read()).toMatchObject({ policy: 'auto', version: 2 })
    const assistant = await chat.call('POST', '/assistants', { name: 'Buyer', tools: [id] })
    const assistant_id = assistant.body.id
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'never', assistant_id })
    const other = await chat.call('GET', `/tools/${id}/policy?assistant_id=${assistant_id}`)
    // A person's own word goes before the assistant's.
    expect(other.body).toMatchObject({ policy: 'auto', source: 'user' })
  })

  it('a run that waits goes on with the version it began with', async () => {
    api.answer({ body: { ok: true } })
    const { call, ...words } = score()
    const { id } = await make({
      ...words,
      call: { ...call, method: 'POST', address: `${api.url}/old/{siren}` },
    })
    chat.model.reply([calls(id, { siren: '1' })], [says('Done.')])
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Go')
    await stream.until('input_required')
    const changes = { call: { ...call, method: 'POST', address: `${api.url}/new/{siren}` } }
    expect((await chat.call('PUT', `/tools/${id}`, changes)).body.version).toBe(2)
    const [waiting] = (await chat.call('GET', '/input-requests')).body.items
    const { tool_execution_id } = waiting.request.tool
    await chat.call('POST', `/tool-executions/${tool_execution_id}/provide-input`, { input: 'yes' })
    await readOn(chat, sessionId)
    expect(api.take().path).toBe('/old/1')
  })
})

describe('secrets of a tool', () => {
  it('are sealed, sent, and never answered', async () => {
    const key = 'a-key-nobody-sees-again'
    api.answer({ body: { score: 1 } })
    const auth = { kind: 'api_key', place: 'header', name: 'X-Api-Key' }
    const { id } = await make(score({ auth, secrets: { api_key: key } }))
    await execute(id, { siren: '1' })
    expect(api.take().headers['x-api-key']).toBe(key)
    const answers = await Promise.all(
      [`/tools/${id}/definition`, `/tools/${id}`, '/tools'].map((path) => chat.call('GET', path)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(JSON.stringify(answers)).not.toContain(key)
    expect(answers[0]?.body).toMatchObject({ auth, secrets: [{ name: 'api_key' }] })
    const stored = await chat.app.deps.db.selectFrom('own_tool_secrets').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(key)
  })
})

describe('sharing a tool', () => {
  it('XT-13 lets those of the company use it, and keeps it from all others', async () => {
    const companyId = await aCompany(chat.app)
    const admin = await aUser(chat.app, { role: 'company_admin', companyId })
    const colleague = await aUser(chat.app, { role: 'member', companyId })
    const stranger = await aUser(chat.app, { role: 'member', companyId: await aCompany(chat.app) })
    const as = ({ headers }: { headers: Record<string, string> }) => headers
    const made = await chat.call('POST', '/tools', score({ companies: [companyId] }), as(admin))
    expect(made.status).toBe(201)
    const path = `/tools/${made.body.id}`
    expect((await chat.call('GET', path, undefined, as(colleague))).body).toMatchObject({ own: false })
    expect((await chat.call('GET', path, undefined, as(stranger))).body).toMatchObject({ code: 'forbidden' })
    expect((await chat.call('PUT', path, { ui_name: 'Mine' }, as(colleague))).status).toBe(403)
    expect((await chat.call('GET', `${path}/definition`, undefined, as(colleague))).status).toBe(403)
    const refused = await chat.call('POST', '/tools', score({ companies: [companyId] }), as(colleague))
    expect(refused.body.detail).toBe('Only an administrator of a company can share a tool with it.')
    await chat.call('PUT', path, { companies: [] }, as(admin))
    expect((await chat.call('GET', path, undefined, as(colleague))).status).toBe(403)
  })
})

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

describe('tools as a file', () => {
  it('XT-17 leave without secrets, and are made anew by who brings them in', async () => {
    const auth = { kind: 'bearer' }
    const { id } = await make(score({ auth, secrets: { token: 'never-in-a-file' }, policy: 'ask' }))
    const file = (await chat.call('POST', '/tools/export', { tool_ids: [id] })).body
    expect(JSON.stringify(file)).not.toContain('never-in-a-file')
    const other = await aUser(chat.app)
    const made = await chat.call('POST', '/tools/import', file, other.headers)
    expect(made.body).toMatchObject([{ ui_name: 'Supplier score', own: true, policy: 'ask', version: 1 }])
    const path = `/tools/${made.body[0].id}`
    expect((await chat.call('GET', `${path}/definition`, undefined, other.headers)).body).toMatchObject({
      ...{ auth, secrets: [], call: file.sets[0].tools[0].call },
    })
    const { body } = await chat.call(
      'POST',
      '/tools/try',
      { tool_id: made.body[0].id, inputs: { siren: '1' } },
      other.headers,
    )
    expect(body.problem).toBe('This tool has no secret “token”. Its owner enters it.')
    const wrong = { ...file, sets: [{ ...file.sets[0], name: 'x', tools: [] }] }
    expect((await chat.call('POST', '/tools/import', wrong, other.headers)).status).toBe(422)
  })
})

describe('versions of a tool', () => {
  it('says what each changed, and returns to an earlier one as a new one', async () => {
    const { id } = await make()
    const { call } = score()
    await chat.call('PUT', `/tools/${id}`, { description: 'Anew.' })
    await chat.call('PUT', `/tools/${id}`, { call: { ...call, seconds: 30 } })
    const read = async () => (await chat.call('GET', `/tools/${id}/versions?limit=2`)).body
    expect(await read()).toMatchObject({
      has_more: true,
      items: [
        { version: 3, changed: ['seconds'] },
        { version: 2, changed: ['description'] },
      ],
    })
    const older = (await chat.call('GET', `/tools/${id}/versions?before=2`)).body
    expect(older).toMatchObject({ has_more: false, items: [{ version: 1, changed: [] }] })
    const back = await chat.call('POST', `/tools/${id}/return`, { version: 1 })
    expect(back.body).toMatchObject({ version: 4, description: 'Financial health of a company.' })
    expect((await chat.call('POST', `/tools/${id}/return`, { version: 9 })).status).toBe(404)
  })
})
