import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aCompany } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type ImageServer, startImageServer } from '#tests/image-server.ts'
import { calls, says } from '#tests/model-server.ts'

let chat: Chat
let provider: ImageServer
beforeAll(async () => {
  provider = await startImageServer()
  const config = { OPENAI_API_KEY: 'sk-images', OPENAI_BASE_URL: `${provider.url}/v1` }
  chat = await startChat({ app: { config } })
  const { db } = chat.app.deps
  const company_id = await aCompany(chat.app, 'Orsane')
  await db
    .insertInto('company_members')
    .values({ user_id: chat.user.id, company_id, role: 'member' })
    .execute()
  await db
    .insertInto('company_masking')
    .values({ company_id, mode: 'off', kinds: ['person'], connections: '{"openai":true}' })
    .execute()
})
afterAll(async () => {
  await chat.close()
  await provider.close()
})

it('shows with the reply what was replaced in the prompt of a picture [GV-02]', async () => {
  chat.model.reply([calls('image_generation', { prompt: 'A portrait of Marie Dupont' })], [says('Done.')])
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Draw her.')
  await stream.ended
  expect(provider.requests).toHaveLength(1)
  expect(provider.requests[0]?.body).toContain('[PERSON_1]')
  expect(provider.requests[0]?.body).not.toContain('Dupont')
  const { rows } = await sql<{ placeholders: string[] }>`
    select placeholders from masked_replies where session_id = ${sessionId}`.execute(chat.app.deps.db)
  expect(rows).toEqual([{ placeholders: ['[PERSON_1]'] }])
})
