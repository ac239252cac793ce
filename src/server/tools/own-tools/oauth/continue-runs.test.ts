import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { aSignedInTool, type SignedInTool } from '#tests/signed-in-tool.ts'
import { keepCookies, wander } from '#tests/wander.ts'

let api: ApiServer
let oauth: OAuthServer
let chat: Chat
let tool: SignedInTool
beforeAll(async () => {
  ;[api, oauth] = await Promise.all([startApiServer(), startOAuthServer()])
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: [api.url, oauth.url].join() } } })
  api.answer({ body: { orders: 2 } })
  tool = await aSignedInTool(chat, { api, oauth })
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
