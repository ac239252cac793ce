import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '../support/chat.ts'
import { longChats } from '../support/long-chats.ts'

/** Within this time a connection of the database has told what it did. */
const TOLD_MS = 12_000

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

/** How many statements and transactions this database has ended. */
async function countStatements(): Promise<number> {
  await sleep(TOLD_MS)
  const { rows } = await sql<{ count: number }>`
    select xact_commit as count from pg_stat_database where datname = current_database()`.execute(
    chat.app.deps.db,
  )
  return rows[0]?.count ?? 0
}

it('reads a long history in a few statements, not one for each message', { timeout: 120_000 }, async () => {
  const { db } = chat.app.deps
  const [sessionId = ''] = await longChats(chat.app, chat.user, { chats: 1, messages: 6_000, bare: true })
  await sql`update sessions set model_name = 'compatible/scripted' where id = ${sessionId}`.execute(db)
  const idle = await countStatements()
  const from = await countStatements()
  const stream = await chat.ask(sessionId, 'Hi')
  await stream.ended
  const asked = (await countStatements()) - from - (from - idle)
  console.log(`${asked} statements for a reply to a history of 6,000 messages`)
  // Far more than a thousand of the messages fit the window of the model.
  expect(asked).toBeLessThan(600)
})
