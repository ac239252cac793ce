import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { says, waits } from '#tests/model-server.ts'
import { assertRoom } from './room-store.ts'

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

it('the limit on concurrent replies per user holds across processes and simultaneous starts', async () => {
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

it('waiting replies do not count, waiting tools do, and visitors have a separate limit', async () => {
  const { db } = chat.app.deps
  const limits = { ATRIUM_LIMIT_REPLIES_PER_USER: 1, ATRIUM_LIMIT_TOOLS_PER_USER: 2 }
  const user = await aUser(chat.app)
  // A live process owns them.
  const owner = other.deps.instance.id
  const begin = async (kind: 'chat' | 'tool', state: 'waiting' | 'running', parent_run_id?: string) => {
    const { id: session_id } = await aSession(chat.app, user)
    const agent = { agent_type: kind === 'tool' ? 'tool' : 'multi_turn', agent_version: 1 }
    const run = { ...agent, user_id: user.id, session_id, kind, state, owner, parent_run_id }
    return (await db.insertInto('runs').values(run).returning('id').executeTakeFirstOrThrow()).id
  }
  /** Returns the message of a refusal, or null when the run is allowed. */
  const refusal = (kind: 'chat' | 'tool', isVisit?: boolean) =>
    db
      .transaction()
      .execute((trx) => assertRoom(trx, limits, user.id, kind, isVisit))
      .then(
        () => null,
        ({ code, detail }) => `${code}: ${detail}`,
      )
  await begin('chat', 'waiting')
  for (const state of ['waiting', 'running'] as const) await begin('tool', state)
  expect(await refusal('chat')).toBeNull()
  expect(await refusal('tool')).toBe(
    'rate_limited: 2 tools are running for you already. Wait until one has finished.',
  )
  const writing = await begin('chat', 'running')
  // A sub-run is not counted separately.
  await begin('chat', 'running', writing)
  expect(await refusal('chat')).toMatch(/^rate_limited: 1 replies/)
  expect(await refusal('chat', true)).toBeNull()
  limits.ATRIUM_LIMIT_REPLIES_PER_USER = 0
  expect(await refusal('chat', true)).toBe(
    'rate_limited: Many are asking at the moment. Try again in a moment.',
  )
})
