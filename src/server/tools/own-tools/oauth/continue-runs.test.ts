import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { keepCookies, wander } from '#tests/wander.ts'

let api: ApiServer
let oauth: OAuthServer
let chat: Chat
let tool: { id: string; account: { set_id: string } }
beforeAll(async () => {
  ;[api, oauth] = await Promise.all([startApiServer(), startOAuthServer()])
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: [api.url, oauth.url].join() } } })
  const client = {
    ...{ client_id: 'atrium', client_secret: 'a-secret-of-atrium' },
    redirect_uris: [`${chat.url}/tool-accounts/return`],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  oauth.know({ clients: [client], registers: false })
  api.answer({ body: { orders: 2 } })
  const made = await chat.call('POST', '/tools', {
    ...{ ui_name: 'My orders', description: 'Orders of the person.' },
    call: { method: 'GET', address: `${api.url}/orders`, inputs: [] },
    auth: {
      ...{ kind: 'oauth2_user', client_id: 'atrium', scopes: ['openid', 'offline_access'] },
      ...{ authorize_url: `${oauth.url}/auth`, token_url: `${oauth.url}/token` },
    },
    secrets: { client_secret: 'a-secret-of-atrium' },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  tool = made.body
})
afterAll(async () => {
  await chat.close()
  await api.close()
  oauth.close()
})

async function connect(): Promise<void> {
  const begun = await fetch(`${chat.url}/tool-sets/${tool.account.set_id}/account`, {
    method: 'POST',
    headers: { ...chat.user.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ tool_id: tool.id }),
  })
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  const { url } = (await begun.json()) as { url: string }
  const { url: back } = await wander(url, new Map([[new URL(chat.url).host, jar]]))
  expect(back.search).toBe('?account=connected')
}
const waiting = async () => (await chat.call('GET', '/input-requests')).body.items

it('resumes every run of the person that waits for the account, and calls each tool once', async () => {
  chat.model.always(({ messages }) =>
    JSON.stringify(messages).includes('orders\\":2') ||
    JSON.stringify(messages.at(-1)).includes('tool_call_id')
      ? [says('Two orders.')]
      : [calls(tool.id, {})],
  )
  const sessions = [await chat.aSession(), await chat.aSession(), await chat.aSession()]
  for (const id of sessions) await chat.ask(id, 'Which orders?')
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(3)
  expect(api.asked).toHaveLength(0)
  await connect()
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(0)
  await expect.poll(() => api.asked.length, { timeout: 20_000 }).toBe(3)
})
