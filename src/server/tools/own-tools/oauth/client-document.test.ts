import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { startGuardedMcpServer } from '#tests/guarded-mcp-server.ts'
import { startPickyOAuthServer } from '#tests/picky-oauth-server.ts'
import { clientDocument } from './client-document.ts'

const PUBLIC = 'https://atrium.example.com'
const ID = `${PUBLIC}/api/v1/tool-accounts/client.json`
const RETURN = `${PUBLIC}/api/v1/tool-accounts/return`

let oauth: Awaited<ReturnType<typeof startPickyOAuthServer>>
let mcp: Awaited<ReturnType<typeof startGuardedMcpServer>>
let chat: Chat
beforeAll(async () => {
  const refusal = { status: 401, body: { error: 'invalid_client' } }
  oauth = await startPickyOAuthServer({ takes: 'form', offers: null, refusal, readsDocument: ID })
  mcp = await startGuardedMcpServer(oauth)
  const config = {
    ...{ ATRIUM_PUBLIC_URL: PUBLIC, ATRIUM_MCP_SERVERS: 'everybody' },
    ATRIUM_TOOLS_PRIVATE: `${oauth.url},${mcp.url}`,
  }
  chat = await startChat({ app: { config } })
})
afterAll(async () => {
  await chat.close()
  mcp.close()
  oauth.close()
})

it('signs in with the address of its document where a service reads one [XT-06]', async () => {
  const wish = { name: 'Guarded', address: { kind: 'http', url: mcp.url } }
  const { body: server } = await chat.call('POST', '/mcp-servers', wish)
  const headers = { ...chat.user.headers, host: 'atrium.example.com' }
  const begun = await chat.app.http.inject({
    ...{ method: 'POST', url: `/api/v1/tool-sets/${server.id}/account`, payload: {}, headers },
  })
  expect(begun.statusCode, begun.body).toBe(200)
  const asked = new URL(begun.json().url)
  expect(asked.searchParams.get('client_id')).toBe(ID)
  expect(asked.searchParams.get('redirect_uri')).toBe(RETURN)

  const document = await chat.app.http.inject({ url: new URL(ID).pathname, headers: { host: headers.host } })
  expect(document.json()).toMatchObject({
    ...{ client_id: ID, client_name: 'Atrium', redirect_uris: [RETURN], token_endpoint_auth_method: 'none' },
  })

  const left = await fetch(asked, { redirect: 'manual' })
  const back = new URL(left.headers.get('location') ?? '')
  const cookie = begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const ended = await chat.app.http.inject({
    ...{ url: `${back.pathname}${back.search}`, headers: { host: headers.host, cookie } },
  })
  expect(ended.headers.location).toBe(`/tools/servers/${server.id}?account=connected`)
  expect(oauth.asked).toEqual(['authorization_code taken'])
})

it.each([
  ['http://atrium.example.com', false],
  ['https://atrium.lan', false],
  ['https://localhost:3000', false],
  ['https://10.0.0.4', false],
  ['https://[fd00::1]', false],
  ['https://atrium', false],
  ['https://atrium.example.com/sub', true],
])('has a document that services can read only on the internet: %s', (address, has) => {
  expect(clientDocument(address) !== null).toBe(has)
})
