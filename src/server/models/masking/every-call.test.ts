import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { calls, fails, type ModelRequest, says } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import { readValues } from './chat-values.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  const { db } = chat.app.deps
  const company_id = await aCompany(chat.app, 'Orsane')
  await db
    .insertInto('company_members')
    .values({ user_id: chat.user.id, company_id, role: 'member' })
    .execute()
  await db
    .insertInto('company_masking')
    .values({ company_id, mode: 'off', kinds: ['person', 'iban'], connections: '{"compatible":true}' })
    .execute()
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const MESSAGE = 'Write to Marie Dupont. IBAN DE89 3704 0044 0532 0130 00.'
const PRIVATE = /Marie|Dupont|DE89/
const sent = () => chat.model.requests.map((request) => JSON.stringify(request)).join('\n')

async function ask(metadata: object, content = MESSAGE) {
  const sessionId = await chat.aSession({ metadata } as never)
  const stream = await chat.ask(sessionId, content)
  await stream.ended
  return { sessionId, ...(await readRun(chat.app, stream.view()!.run_id)) }
}

describe('masking covers', () => {
  it.each(['single_turn', 'multi_turn', 'plan_and_act', 'orchestrator', 'deep_research'])(
    'every call of the agent %s',
    async (agent_type) => {
      const steps = [{ description: 'Write to [PERSON_1]' }]
      chat.model.always((request: ModelRequest) => [
        says(
          request.response_format
            ? JSON.stringify({ steps, questions: ['Who is [PERSON_1]?'] })
            : 'Dear [PERSON_1].',
        ),
      ])
      const { reply } = await ask({ agent_type })
      expect(chat.model.requests.length).toBeGreaterThan(0)
      expect(sent()).not.toMatch(PRIVATE)
      expect(JSON.stringify(reply.blocks)).not.toContain('[PERSON_1]')
    },
  )

  it('titles and working memory, which come from background jobs', async () => {
    await chat.call('PUT', '/users/me/preferences', { preferences: { working_memory: true } })
    chat.model.always((request: ModelRequest) => [
      says(
        request.response_format
          ? '{"goals":[],"facts":[],"open_questions":[],"remember":[]}'
          : 'To [PERSON_1]',
      ),
    ])
    const { sessionId } = await ask({ agent_type: 'multi_turn' })
    const title = async () => (await chat.call('GET', `/sessions/${sessionId}`)).body.title
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(await title()).not.toContain('[PERSON_1]')
    expect(sent()).not.toMatch(PRIVATE)
  })

  it('calls of programs', async () => {
    const { headers } = await anApiKey(chat.app, chat.user)
    chat.model.always(() => [says('Dear [PERSON', '_1].')])
    const answer = await chat.app.http.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers,
      payload: { model: 'compatible/scripted', messages: [{ role: 'user', content: MESSAGE }] },
    })
    expect(answer.json().choices[0].message.content).toBe('Dear Marie Dupont.')
    expect(sent()).not.toMatch(PRIVATE)
  })
})

describe('placeholders', () => {
  it('stay the same when a call is repeated after a failure, and in the calls after a tool', async () => {
    const moves = [fails(503), calls('calculator', { a: 1, b: 2, operation: 'add' })]
    chat.model.always(() => [moves.shift() ?? says('Dear [PERSON_1].')])
    const { sessionId, reply } = await ask({ agent_type: 'multi_turn' })
    expect(reply.content).toContain('Dear Marie Dupont.')
    const texts = chat.model.requests.map((request) => JSON.stringify(request))
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) expect(text).toContain('Write to [PERSON_1]. IBAN [IBAN_1].')
    expect(await readValues(chat.app.deps, sessionId)).toHaveLength(2)
  })
})

describe('masking covers, outside of chats,', () => {
  it('answers from the library', async () => {
    const { url, app } = chat
    const reader = await aReader(app, url)
    const { company_id } = await app.deps.db
      .selectFrom('company_masking')
      .select('company_id')
      .executeTakeFirstOrThrow()
    await app.deps.db
      .insertInto('company_members')
      .values({ user_id: reader.user.id, company_id, role: 'member' })
      .execute()
    const { body } = await reader.upload({ name: 'note.txt', content: `${MESSAGE} The lease ends in June.` })
    await reader.processed(body.id)
    chat.model.always(() => [says('[PERSON_1] gets a letter.')])
    const answer = await reader.call('POST', '/rag/generate', {
      ...{ query: 'Who gets a letter about the lease?', model: 'compatible/scripted' },
    })
    expect(answer.body.answer).toContain('Marie Dupont gets a letter.')
    expect(sent()).not.toMatch(PRIVATE)
  })
})
