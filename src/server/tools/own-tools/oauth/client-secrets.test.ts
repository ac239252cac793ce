import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { startGuardedMcpServer } from '#tests/guarded-mcp-server.ts'
import { startPickyOAuthServer } from '#tests/picky-oauth-server.ts'
import { keepCookies, wander } from '#tests/wander.ts'

type Picky = Parameters<typeof startPickyOAuthServer>[0]
const refused = (status: number, error: string, error_description = 'No.') => ({
  ...{ status, body: { error, error_description } },
})

/** The methods a service accepts and announces, and its answer to other clients. */
const services: [string, Picky, firstTry: boolean][] = [
  [
    'wants the client in the form although it offers basic alone',
    { takes: 'form', offers: ['client_secret_basic'], refusal: refused(401, 'unauthorized_client') },
    false,
  ],
  [
    'wants the client in the form and offers basic first',
    {
      takes: 'form',
      offers: ['client_secret_basic', 'client_secret_post'],
      refusal: refused(401, 'invalid_client'),
    },
    false,
  ],
  [
    'wants the client in the form and says nothing',
    { takes: 'form', offers: null, refusal: refused(401, 'invalid_client') },
    true,
  ],
  [
    'wants the client in the form and calls anything else an invalid request',
    {
      takes: 'form',
      offers: ['client_secret_basic'],
      refusal: refused(400, 'invalid_request', 'Missing client_id'),
    },
    false,
  ],
  [
    'wants basic although it offers the form alone',
    { takes: 'header', offers: ['client_secret_post'], refusal: refused(400, 'invalid_client') },
    false,
  ],
  [
    'wants basic and says nothing',
    { takes: 'header', offers: null, refusal: refused(400, 'invalid_client') },
    false,
  ],
  [
    'answers a client it does not know with 200',
    {
      takes: 'form',
      offers: ['client_secret_basic'],
      refusal: refused(200, 'incorrect_client_credentials'),
    },
    false,
  ],
]

let chat: Chat
let now = new Date()
const closing: (() => void)[] = []
beforeAll(async () => {
  const config = { ATRIUM_MCP_SERVERS: 'everybody' }
  chat = await startChat({ app: { config, clock: { now: () => now } } })
})
afterEach(() => {
  now = new Date()
  for (const close of closing.splice(0)) close()
})
afterAll(() => chat.close())

async function connected(picky: Picky) {
  const oauth = await startPickyOAuthServer(picky)
  const mcp = await startGuardedMcpServer(oauth)
  closing.push(oauth.close, mcp.close)
  chat.app.deps.config.ATRIUM_TOOLS_PRIVATE.push(oauth.url, mcp.url)
  const wish = { name: 'Guarded', address: { kind: 'http', url: mcp.url } }
  const { status, body } = await chat.call('POST', '/mcp-servers', wish)
  expect(status, JSON.stringify(body)).toBe(201)
  return { oauth, id: body.id as string }
}

async function signIn(id: string): Promise<string> {
  const begun = await fetch(`${chat.url}/tool-sets/${id}/account`, {
    ...{ method: 'POST', body: '{}' },
    headers: { ...chat.user.headers, 'content-type': 'application/json' },
  })
  const { url } = (await begun.json()) as { url: string }
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  return (await wander(url, new Map([[new URL(chat.url).host, jar]]))).url.search
}

async function whoami(id: string): Promise<string> {
  const { body } = await chat.call('GET', `/mcp-servers/${id}`)
  const started = await chat.call('POST', `/tools/${body.tools[0].id}/execute`, { inputs: {} })
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${started.body.tool_execution_id}`)
    if (body.finished_at) return body.result ?? body.error
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('sign-in at a service that', () => {
  it.each(services)('%s', async (_, picky, firstTry) => {
    const { oauth, id } = await connected(picky)
    expect(await signIn(id)).toBe('?account=connected')
    expect(await whoami(id)).toBe('It is ada.')
    now = new Date(Date.now() + 2 * 3_600_000)
    expect(await whoami(id)).toBe('It is ada.')
    // The method that worked is used from then on.
    expect(oauth.asked).toEqual([
      ...(firstTry ? [] : ['authorization_code refused']),
      ...['authorization_code taken', 'refresh_token taken'],
    ])
  })

  it('refuses both methods: is asked twice', async () => {
    const { oauth, id } = await connected({
      ...{ takes: 'form', offers: [], refusal: refused(401, 'invalid_client') },
    })
    await chat.call('PATCH', `/mcp-servers/${id}`, { client: { id: 'c-2', secret: 'other' } })
    expect(await signIn(id)).toBe('?account=failed')
    expect(oauth.asked).toEqual(['authorization_code refused', 'authorization_code refused'])
  })
})
