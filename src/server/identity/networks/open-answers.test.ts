import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aNetwork } from '#tests/company-network.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { tokensPerSecond: 5 } })
})
afterAll(() => chat.close())

const words = Array.from({ length: 200 }, (_, at) => `word${at} `)

it.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Go' }] }],
  ['/v1/messages', { messages: [{ role: 'user', content: 'Go' }], max_tokens: 2_000 }],
] as const)('an answer that streams over %s ends when its caller is outside', async (path, body) => {
  const companyId = await aCompany(chat.app)
  const member = { company_id: companyId, user_id: chat.user.id, role: 'member' as const }
  await chat.app.deps.db.insertInto('company_members').values(member).execute()
  const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
  chat.model.reply([says(...words)])
  const answer = await fetch(chat.url.replace('/api/v1', path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: 'compatible/scripted', stream: true, ...body }),
  })
  expect(answer.status).toBe(200)
  const reader = answer.body!.getReader()
  await reader.read()
  const changed = performance.now()
  await aNetwork(chat.app, companyId, { restricts: 'sign_in', network: '192.0.2.0/24' })
  const readOn = async () => {
    while (!(await reader.read()).done);
  }
  await expect(readOn()).rejects.toThrow()
  expect(performance.now() - changed).toBeLessThan(2_000)
  await chat.app.deps.db.deleteFrom('companies').where('id', '=', companyId).execute()
  chat.app.deps.networks.forget()
})
