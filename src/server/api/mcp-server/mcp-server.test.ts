import { createHash, randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { says, waits } from '#tests/model-server.ts'
import type { Scope } from '../../../shared/platform/http.ts'

let chat: Chat
let origin: string
let documentId: string
const RENT = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const all: Scope[] = ['chat', 'assistants', 'documents.read']
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  origin = chat.url.replace('/api/v1', '')
  const reader = await aReader(chat.app, chat.url, chat.user)
  const { body } = await reader.upload({ name: 'lease.txt', content: RENT })
  documentId = (await reader.processed(body.id)).id
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

type Mode = 'legacy' | 'auto'

async function connect(transport: StreamableHTTPClientTransport, mode: Mode = 'auto'): Promise<Client> {
  const client = new Client({ name: 'Test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

const mcp = () => new URL(`${origin}/mcp`)
async function withKey(scopes: Scope[] = all, mode: Mode = 'auto', user: TestUser = chat.user) {
  const { secret } = await anApiKey(chat.app, user, { scopes })
  const requestInit = { headers: { authorization: `Bearer ${secret}` } }
  return connect(new StreamableHTTPClientTransport(mcp(), { requestInit }), mode)
}

type Told = { isError?: boolean; structuredContent?: Record<string, never>; content: { text: string }[] }
const call = async (client: Client, name: string, args: Record<string, unknown>, options = {}) =>
  (await client.callTool({ name, arguments: args }, options)) as unknown as Told

async function anAssistant(name: string) {
  const { body } = await chat.call('POST', '/assistants', {
    ...{ name, system_prompt: 'Be short.', status: 'published', agent_type: 'single_turn' },
    model_name: 'compatible/scripted',
  })
  return body.id as string
}

/** A program that signs in by OAuth; `url` is the address it opened in the browser. */
function aProgram() {
  const kept: Record<string, unknown> = {}
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:5999/callback',
    clientMetadata: { client_name: 'Desk helper', redirect_uris: ['http://127.0.0.1:5999/callback'] },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    saveDiscoveryState: (found) => void Object.assign(kept, { found }),
    discoveryState: () => kept.found as never,
    codeVerifier: () => String(kept.verifier),
  }
  return { provider, kept: kept as { url: URL; tokens: { access_token: string; refresh_token: string } } }
}

/** Gives consent as the page does. */
async function agree(asked: URL, user: TestUser = chat.user) {
  const request = Object.fromEntries(asked.searchParams)
  const seen = await chat.call('POST', '/users/me/programs/requests', request, user.headers)
  const { status, body } = await chat.call('POST', '/users/me/programs', request, user.headers)
  return { status, body, seen, back: status === 201 ? new URL(body.redirect_to) : null }
}

async function signIn(mode: Mode = 'auto', user: TestUser = chat.user) {
  const { provider, kept } = aProgram()
  const first = new StreamableHTTPClientTransport(mcp(), { authProvider: provider })
  await expect(connect(first, mode)).rejects.toThrow(UnauthorizedError)
  const agreed = await agree(kept.url, user)
  await first.finishAuth(agreed.back!.searchParams)
  const client = await connect(new StreamableHTTPClientTransport(mcp(), { authProvider: provider }), mode)
  return { client, kept, provider, agreed }
}

describe.each<Mode>(['auto', 'legacy'])('the MCP server over %s', (mode) => {
  it("offers the tools of a key's scopes, and searches and reads with its user's rights [PG-05]", async () => {
    const client = await withKey(all, mode)
    const names = (await client.listTools()).tools.map(({ name }) => name).sort()
    expect(names).toEqual(['ask_assistant', 'fetch', 'list_assistants', 'search'])
    const found = await call(client, 'search', { query: 'rent of the warehouse' })
    const [first] = (found.structuredContent as never as { results: Record<string, string>[] }).results
    expect(first).toMatchObject({ id: documentId, title: 'lease.txt' })
    expect(first?.text).toContain('4 200 euros')
    expect(first?.url).toContain(`/documents/${documentId}?chunk=`)
    const read = await call(client, 'fetch', { id: documentId })
    expect(read.structuredContent).toMatchObject({ title: 'lease.txt', next_offset: null })
    expect(JSON.stringify(read)).toContain('4 200 euros')
    const { resources } = await client.listResources()
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `atrium://documents/${documentId}`, name: 'lease.txt' }),
    )
    const { contents } = await client.readResource({ uri: `atrium://documents/${documentId}` })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('4 200 euros') })
    const readsAlone = await withKey(['documents.read'], mode)
    expect((await readsAlone.listTools()).tools.map(({ name }) => name).sort()).toEqual(['fetch', 'search'])
    const asked = await readsAlone
      .callTool({ name: 'ask_assistant', arguments: { assistant: 'x', question: 'y' } })
      .catch((error) => ({ isError: true, error }))
    expect(asked.isError).toBe(true)
  })

  it('asks an assistant: progress while it answers, the full answer, booked to the key [PG-05]', async () => {
    const id = await anAssistant(`Lease reader ${mode}`)
    const client = await withKey(all, mode)
    const listed = await call(client, 'list_assistants', {})
    expect(JSON.stringify(listed.structuredContent)).toContain(id)
    const { open: letGo, opened } = aGate()
    chat.model.reply([says('One '), waits(opened), says('two.')])
    const heard: string[] = []
    const answer = await call(
      client,
      'ask_assistant',
      { assistant: `Lease reader ${mode}`, question: 'Count' },
      {
        onprogress: ({ message }: { message?: string }) => {
          heard.push(message ?? '')
          letGo()
        },
      },
    )
    expect(heard[0]).toBe('One ')
    expect(answer.structuredContent).toMatchObject({ answer: 'One two.', assistant: `Lease reader ${mode}` })
    const booked = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .select('key_id')
      .where('user_id', '=', chat.user.id)
      .where('key_id', 'is not', null)
      .execute()
    expect(booked.length).toBeGreaterThan(0)
    const { messages } = await client.getPrompt({
      name: 'ask_assistant',
      arguments: { assistant: 'Lease reader', question: 'How much?' },
    })
    expect(JSON.stringify(messages)).toContain('lease-reader')
  })

  it('stops a cancelled question [PG-05]', async () => {
    const id = await anAssistant(`Slow ${mode}`)
    const client = await withKey(all, mode)
    const { open: letGo, opened } = aGate()
    chat.model.reply([says('Begun '), waits(opened), says('end.')])
    const left = new AbortController()
    const asking = call(
      client,
      'ask_assistant',
      { assistant: id, question: 'Slowly' },
      { signal: left.signal, onprogress: () => left.abort() },
    )
    await expect(asking).rejects.toThrow()
    const states = async () =>
      (
        await chat.app.deps.db
          .selectFrom('runs')
          .innerJoin('sessions', 'sessions.id', 'runs.session_id')
          .select('runs.state')
          .where('sessions.title', '=', `assistant/${id}`)
          .execute()
      ).map(({ state }) => state)
    await expect.poll(states, { timeout: 15_000 }).toEqual(['stopped'])
    letGo()
  })

  it('supports OAuth: discovery, registration, consent, refresh and disconnection [PG-05]', async () => {
    const { client, kept, agreed } = await signIn(mode)
    expect(agreed.seen.body).toMatchObject({ name: 'Desk helper', host: '127.0.0.1:5999', is_local: true })
    expect(agreed.back?.searchParams.get('iss')).toBe(chat.app.deps.publicUrl())
    expect(JSON.stringify(await call(client, 'search', { query: 'warehouse' }))).toContain('lease.txt')
    const { body } = await chat.call('GET', '/users/me/programs')
    expect(body.items[0]).toMatchObject({
      name: 'Desk helper',
      scopes: ['documents.read', 'assistants', 'chat'],
    })
    const before = kept.tokens.refresh_token
    await chat.app.deps.db
      .updateTable('program_tokens')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('kind', '=', 'access')
      .execute()
    expect(JSON.stringify(await call(client, 'search', { query: 'warehouse' }))).toContain('lease.txt')
    expect(kept.tokens.refresh_token).not.toBe(before)
    const url = `${chat.url}/users/me/programs/${body.items[0].id}`
    const stranger = await aUser(chat.app)
    expect((await fetch(url, { method: 'DELETE', headers: stranger.headers })).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE', headers: chat.user.headers })).status).toBe(204)
    expect((await post({ token: kept.tokens.access_token })).status).toBe(401)
    expect((await chat.call('GET', '/users/me/programs')).body.items[0]?.id).not.toBe(body.items[0].id)
  })
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
async function post({
  token,
  body = ping,
  headers = {},
}: {
  token?: string
  body?: unknown
  headers?: object
}) {
  const answer = await fetch(mcp(), {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const form = async (path: string, fields: Record<string, string>) => {
  const answer = await fetch(`${origin}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

async function register(redirect_uris: string[] = ['http://127.0.0.1:5999/callback'], client_name = 'Evil') {
  const answer = await fetch(`${origin}/oauth/register`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ client_name, redirect_uris }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

/** Builds an authorization request of a registered program, with the matching verifier. */
async function aRequest(more: Record<string, string> = {}) {
  const { body } = await register()
  const verifier = randomBytes(32).toString('base64url')
  const request = {
    ...{ response_type: 'code', client_id: body.client_id!, redirect_uri: 'http://127.0.0.1:5999/callback' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...{ code_challenge_method: 'S256', resource: `${chat.app.deps.publicUrl()}/mcp`, ...more },
  }
  const { redirect_uri, client_id } = request
  const exchange = (code: string, other: Record<string, string> = {}) =>
    form('token', {
      ...{ grant_type: 'authorization_code', code, redirect_uri, client_id, code_verifier: verifier },
      ...other,
    })
  const agreed = async () => (await agree(new URL(`http://x/?${new URLSearchParams(request)}`))).back
  return { request, exchange, agreed, code: async () => (await agreed())?.searchParams.get('code') ?? '' }
}

describe('access to the MCP server', () => {
  it('refuses anonymous callers with a pointer to the sign-in, and foreign tokens [PG-05]', async () => {
    const refused = await post({})
    expect(refused.status).toBe(401)
    const place = `${chat.app.deps.publicUrl()}/.well-known/oauth-protected-resource/mcp`
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${place}"`)
    const wrong = await post({ token: 'atp_nothing' })
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await post({ token: chat.user.token })).status).toBe(403)
    const resource = await (await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).json()
    expect(resource).toMatchObject({ resource: `${chat.app.deps.publicUrl()}/mcp` })
  })

  it('refuses its own tokens on every other route of the installation [PG-05]', async () => {
    const { kept } = await signIn()
    const headers = { authorization: `Bearer ${kept.tokens.access_token}` }
    for (const path of ['/api/v1/documents', '/api/v1/users/me', '/v1/models', '/v1/files'])
      expect((await fetch(origin + path, { headers })).status, path).toBe(401)
    expect((await post({ token: kept.tokens.refresh_token })).status).toBe(401)
  })

  it('hides documents of other users from search, reading and resources [PG-05]', async () => {
    const stranger = await withKey(all, 'auto', await aUser(chat.app))
    const found = await call(stranger, 'search', { query: 'rent of the warehouse' })
    expect(found.structuredContent).toEqual({ results: [] })
    for (const id of [documentId, 'x', "' or 1=1", '../../etc/passwd']) {
      const read = await call(stranger, 'fetch', { id })
      expect([read.isError, JSON.stringify(read).includes('4 200')], id).toEqual([true, false])
    }
    await expect(stranger.readResource({ uri: `atrium://documents/${documentId}` })).rejects.toThrow()
    expect((await stranger.listResources()).resources).toEqual([])
    const theirs = await anAssistant('Private one')
    const asked = await call(stranger, 'ask_assistant', { assistant: theirs, question: 'Hi' })
    expect(asked.isError).toBe(true)
  })

  it('refuses a repeated code and revokes the tokens issued for it [PG-05]', async () => {
    const { exchange, code } = await aRequest()
    const got = await code()
    const first = await exchange(got)
    expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } })
    expect((await post({ token: first.body.access_token! })).status).toBe(200)
    expect(await exchange(got)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await post({ token: first.body.access_token! })).status).toBe(401)
  })

  it.each<[string, Record<string, string>, string]>([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another address', { redirect_uri: 'http://127.0.0.1:5999/other' }, 'invalid_grant'],
    ['another audience', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['an unknown program', { client_id: 'mcp_v1.x' }, 'invalid_client'],
    ['another way', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
  ])('refuses a stolen code with %s [PG-05]', async (_, wrong, error) => {
    const { exchange, code } = await aRequest()
    expect(await exchange(await code(), wrong)).toMatchObject({ status: 400, body: { error } })
  })

  it('refuses a code of another program and a late one [PG-05]', async () => {
    const [one, other] = [await aRequest(), await aRequest()]
    const got = await one.code()
    expect(await other.exchange(got)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await chat.app.deps.db
      .updateTable('program_codes')
      .set({ expires_at: new Date(0) })
      .execute()
    expect(await one.exchange(got)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('refuses a repeated refresh token and disconnects the program [PG-05]', async () => {
    const { request, exchange, code } = await aRequest()
    const first = await exchange(await code())
    const refresh = (refresh_token: string) =>
      form('token', { grant_type: 'refresh_token', refresh_token, client_id: request.client_id })
    const second = await refresh(first.body.refresh_token!)
    expect(second.status).toBe(200)
    expect((await post({ token: second.body.access_token! })).status).toBe(200)
    expect(await refresh(first.body.refresh_token!)).toMatchObject({ body: { error: 'invalid_grant' } })
    expect((await post({ token: second.body.access_token! })).status).toBe(401)
    expect(await refresh(second.body.refresh_token!)).toMatchObject({ status: 400 })
  })

  it('ends immediately when the program revokes its tokens [PG-05]', async () => {
    const { request, exchange, code } = await aRequest()
    const { body } = await exchange(await code())
    const theirs = { client_id: (await register()).body.client_id!, token: body.refresh_token! }
    expect((await form('revoke', theirs)).status).toBe(200)
    expect((await post({ token: body.access_token! })).status).toBe(200)
    await form('revoke', { ...theirs, client_id: request.client_id })
    expect((await post({ token: body.access_token! })).status).toBe(401)
  })

  it.each([
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:5999/other' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['another audience', { resource: 'https://elsewhere.example/mcp' }],
    ['nothing it could be given', { scope: 'admin everything' }],
    ['an id nobody made', { client_id: 'mcp_v1.AAAA' }],
    ['a token at once', { response_type: 'token' }],
  ])('refuses a program that requests %s [PG-05]', async (_, wrong) => {
    const { request } = await aRequest(wrong)
    const { status, seen } = await agree(new URL(`http://x/?${new URLSearchParams(request)}`))
    expect([status, seen.status]).toEqual([422, 422])
  })

  it("refuses unsafe redirect addresses but allows any port on the user's machine [PG-05]", async () => {
    for (const uri of [
      ...['javascript:alert(1)', 'javascript://x/%0aalert(1)', 'data:text/html,x', 'http://evil.example/'],
      ...['https://a@evil.example/', 'https://x.example/#y', 'file:///etc/passwd', 'no address'],
    ])
      expect((await register([uri])).body.error, uri).toBe('invalid_redirect_uri')
    expect((await register(['cursor://anysphere.cursor-mcp/oauth/callback'])).status).toBe(201)
    expect((await register([], 'x')).body.error).toBe('invalid_client_metadata')
    const { agreed } = await aRequest({ redirect_uri: 'http://127.0.0.1:6123/callback' })
    expect((await agreed())?.host).toBe('127.0.0.1:6123')
  })

  it('refuses floods, batches and cross-site requests [PG-05]', async () => {
    const { secret } = await anApiKey(chat.app, await aUser(chat.app), { scopes: all })
    const batch = await post({ token: secret, body: [ping, ping] })
    expect(batch.status).toBe(400)
    const foreign = await post({ token: secret, headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    const most = chat.app.deps.config.ATRIUM_LIMIT_KEY_REQUESTS_A_MINUTE
    const statuses = new Map<number, number>()
    for (let sent = 0; sent <= most; sent += 50) {
      const some = await Promise.all(Array.from({ length: 50 }, () => post({ token: secret })))
      for (const { status } of some) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(statuses.get(429)).toBeGreaterThan(0)
  })
})
