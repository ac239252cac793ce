import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, type MockInstance, vi } from 'vitest'
import { type Chat, startChat } from '../support/chat.ts'
import { longChats } from '../support/long-chats.ts'

let chat: Chat
/** Spies on all statements of this process, including transactions. */
let statements: MockInstance
beforeAll(async () => {
  // Installed before the first connection, because each keeps its own query function.
  statements = vi.spyOn(pg.Client.prototype, 'query')
  chat = await startChat()
})
afterAll(async () => {
  await chat.close()
  statements.mockRestore()
})

it('reads a long history in a few statements, not one per message', { timeout: 120_000 }, async () => {
  const { db } = chat.app.deps
  const [sessionId = ''] = await longChats(chat.app, chat.user, { chats: 1, messages: 6_000, bare: true })
  await sql`update sessions set model_name = 'compatible/scripted' where id = ${sessionId}`.execute(db)
  const before = statements.mock.calls.length
  const stream = await chat.ask(sessionId, 'Hi')
  await stream.ended
  const asked = statements.mock.calls.length - before
  console.log(`${asked} statements for a reply to a history of 6,000 messages`)
  expect(asked).toBeGreaterThan(10)
  // The model's window holds far more than a thousand of the messages.
  expect(asked).toBeLessThan(600)
})
