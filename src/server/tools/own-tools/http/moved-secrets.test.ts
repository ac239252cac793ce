import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { executeTool, makeTool, supplierTool } from '#tests/supplier-tool.ts'

const MISSING = 'The secret “api_key” is missing.'
let api: ApiServer
let elsewhere: ApiServer
let chat: Chat
beforeAll(async () => {
  ;[api, elsewhere] = await Promise.all([startApiServer(), startApiServer()])
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: [api.url, elsewhere.url].join() } } })
})
afterAll(async () => {
  await chat.close()
  await api.close()
  await elsewhere.close()
})

it('a tool sends its secret only to the server it was entered for, in test calls too [XT-03]', async () => {
  const auth = { kind: 'api_key', place: 'header', name: 'X-Api-Key' }
  const { id } = await makeTool(chat, supplierTool(api, { auth, secrets: { api_key: 'a-long-secret' } }))
  const at = (address: string) => ({ ...supplierTool(api).call, inputs: [], address })
  const tried = await chat.call('POST', '/tools/try', {
    tool_id: id,
    call: at(`${elsewhere.url}/v2`),
    inputs: {},
  })
  expect([tried.status, tried.body.detail]).toEqual([422, MISSING])
  const change = (changes: object) => chat.call('PATCH', `/tools/${id}`, changes)
  const refused = await change({ call: at(`${elsewhere.url}/v2`) })
  expect([refused.status, refused.body.detail]).toEqual([422, MISSING])
  expect(elsewhere.asked).toEqual([])

  expect((await change({ call: at(`${api.url}/v3`) })).status).toBe(200)
  const secrets = { api_key: 'another-secret' }
  expect((await change({ call: at(`${elsewhere.url}/v2`), secrets })).status).toBe(200)
  await executeTool(chat, id, {})
  expect(elsewhere.take().headers['x-api-key']).toBe('another-secret')
})

it('a tool sends the secret of its client only to the service it was entered for [XT-03]', async () => {
  const auth = { kind: 'oauth2_client', scopes: [], token_url: `${api.url}/token` }
  const secrets = { client_id: 'atrium', client_secret: 'a-long-secret' }
  const { id } = await makeTool(chat, supplierTool(api, { auth, secrets }))
  const moved = { ...auth, token_url: `${elsewhere.url}/token` }
  const { status, body } = await chat.call('PATCH', `/tools/${id}`, { auth: moved })
  expect([status, body.detail]).toEqual([422, 'The secret “client_id” is missing.'])
})
