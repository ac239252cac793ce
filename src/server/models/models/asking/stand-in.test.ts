import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { closeToAll, openToAll } from '#tests/grants.ts'
import {
  cuts,
  fails,
  type ModelRequest,
  type ModelServer,
  says,
  startModelServer,
} from '#tests/model-server.ts'
import { citeAnswer, listen, type PayingStep, payInStep } from '../../../knowledge/rag/rag.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import { createModelPort } from '../../../tools/tools/model-port.ts'

const [asked, instead] = ['compatible/scripted', 'spare/spare']
let chat: Chat
let spare: ModelServer
let admin: TestUser

beforeAll(async () => {
  spare = await startModelServer({ models: ['spare'] })
  const config = { ATRIUM_TITLES: 'model', ATRIUM_BILLING: 'on' }
  chat = await startChat({ user: { workingMemory: true, balance: 100 }, app: { config } })
  admin = await aUser(chat.app, { role: 'super_admin' })
  await send('POST', '/model-connections', { name: 'Spare', kind: 'compatible', base_url: spare.url })
  await send('PATCH', '/model-connections/environment-compatible', {
    models: { [asked]: { fallback: instead } },
  })
})
afterAll(async () => {
  await chat.close()
  await spare.close()
})

async function send(method: 'POST' | 'PATCH', url: string, payload: object) {
  const answer = await chat.app.http.inject({
    ...{ method, url: `/api/v1${url}`, headers: admin.headers, payload },
  })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
}

const isForTitle = ({ messages }: ModelRequest) => String(messages[0]?.content).includes('name conversations')
const isForBelief = ({ response_format }: ModelRequest) =>
  JSON.stringify(response_format ?? '').includes('belief')
const belief = { goals: [], facts: [{ text: 'The oven is broken', from: 'question' }], open_questions: [] }

describe('model calls outside replies', () => {
  it('takes titles and working memory from the fallback and books them on it [AD-17]', async () => {
    const refused = (request: ModelRequest) => isForTitle(request) || isForBelief(request)
    chat.model.always((request) => (refused(request) ? [fails(401, 'no such key')] : [says('In a pan.')]))
    spare.always((request) => [says(isForTitle(request) ? 'Bread without an oven' : JSON.stringify(belief))])
    const id = await chat.aSession({ title: 'Chat 12345678' })
    await (await chat.ask(id, 'How do I bake bread?')).ended
    const titleOf = async () => (await chat.call('GET', `/sessions/${id}`)).body.title
    await expect.poll(titleOf, { timeout: 10_000 }).toBe('Bread without an oven')
    const factsOf = async () => (await chat.call('GET', `/sessions/${id}/belief`)).body.facts
    await expect.poll(factsOf, { timeout: 10_000 }).toMatchObject([{ text: 'The oven is broken' }])
    const booked = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .select(['reason', 'kind', 'model_name'])
      .where('session_id', '=', id)
      .orderBy('reason')
      .execute()
    expect(booked).toEqual([
      { reason: 'belief', kind: 'usage', model_name: instead },
      { reason: 'reply', kind: 'usage', model_name: asked },
      { reason: 'title', kind: 'usage', model_name: instead },
    ])
    expect(await chat.app.deps.db.selectFrom('balance_reservations').select('id').execute()).toEqual([])
  })

  describe('calls of a tool', () => {
    const paid: string[] = []
    const step: PayingStep = {
      reserve: async (model) => void paid.push(`aside ${model}`),
      giveBack: async () => void paid.push('back'),
      bill: ({ model_name, reason }) => void paid.push(`${reason} ${model_name}`),
    }
    const ask = () => {
      paid.length = 0
      const input = { model_name: asked, user_id: chat.user.id, language: 'en' } as RunContext['input']
      const port = createModelPort(chat.app.deps, { input }, AbortSignal.timeout(20_000), () => step as never)
      return port.ask({ system: 'Plan.', turns: [{ role: 'user', text: 'Go' }] })
    }

    it('asks the fallback and reserves an amount for it instead [AD-17]', async () => {
      chat.model.reply([fails(401, 'no such key')])
      spare.reply([says('A plan.')])
      expect(await ask()).toBe('A plan.')
      expect(paid).toEqual([`aside ${asked}`, 'back', `aside ${instead}`, `tool ${instead}`])
    })

    it('asks the fallback for cited answers and returns the model that answered [AD-17]', async () => {
      paid.length = 0
      chat.model.reply([fails(401, 'no such key')])
      spare.reply([says('Leeks [1].')])
      const payer = payInStep(chat.app.deps, chat.user.id, () => step, 'documents')
      const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Which soup?' }] }]
      const call = { messages, tools: [], tool_choice: 'none' as const }
      const cited = citeAnswer({ passages: [crypto.randomUUID()], absent: 'Nowhere.' })
      const ways = { signal: AbortSignal.timeout(20_000), payer }
      const { text, model } = await listen(chat.app.deps, asked, call, cited, ways)
      expect([text, model]).toEqual([expect.stringContaining('Leeks <citation'), instead])
      expect(paid).toEqual(['back', `aside ${instead}`, `documents ${instead}`])
    })

    it('asks no fallback after the first text, or for an error that every model would return', async () => {
      const before = spare.requests.length
      chat.model.reply([says('Half '), cuts()])
      await expect(ask()).rejects.toThrow('The answer was cut off.')
      chat.model.reply([fails(400, 'messages: wrong')])
      await expect(ask()).rejects.toThrow('messages: wrong')
      expect(spare.requests.length).toBe(before)
    })

    it('asks no fallback that the user may not use', async () => {
      await closeToAll(chat.app, 'model', instead)
      chat.model.reply([fails(401, 'of the first')])
      await expect(ask()).rejects.toThrow('of the first')
      await openToAll(chat.app, 'model', instead)
    })
  })
})
