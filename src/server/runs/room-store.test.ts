import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../tests/support/app.ts'
import { aGate, type Chat, startChat } from '../../../tests/support/chat.ts'
import { says, waits } from '../../../tests/support/model-server.ts'

let chat: Chat
let other: TestApp
const config = { ATRIUM_LIMIT_REPLIES_PER_USER: '3', ATRIUM_LIMIT_REQUESTS_AT_ONCE: '50' }
beforeAll(async () => {
  chat = await startChat({ app: { config } })
  other = await startApp({
    address: chat.app.address,
    config: { ...config, ATRIUM_COMPATIBLE_URL: chat.model.url },
  })
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

it('replies written at once for one person are counted over all processes, also when they start together', async () => {
  const gate = aGate()
  chat.model.always([waits(gate.opened), says('Done.')])
  const urls = [chat.url, `${await other.listen()}/api/v1`]
  const sessions = await Promise.all(Array.from({ length: 10 }, () => chat.aSession()))
  const answers = await Promise.all(
    sessions.map(async (chat_session_id, index) => {
      const answer = await fetch(`${urls[index % 2]}/messages`, {
        method: 'POST',
        headers: { ...chat.user.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ chat_session_id, content: 'Go' }),
      })
      return { status: answer.status, body: (await answer.json()) as { code?: string; detail?: string } }
    }),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(7)
  expect(refused[0]?.body).toMatchObject({
    code: 'rate_limited',
    detail: '3 replies are being written for you already. Wait until one has finished.',
  })
  gate.open()
  await expect
    .poll(
      async () =>
        (await chat.call('POST', '/messages', { chat_session_id: sessions[0], content: 'Again' })).status,
    )
    .not.toBe(429)
})
