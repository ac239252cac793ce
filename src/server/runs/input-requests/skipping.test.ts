import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askUntilWaiting, playAgent, readOn, say } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import type { Question } from '../runs/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const name = 'waiting_for_input_after_step1'

async function waiting(question: Partial<Question>) {
  playAgent([chat.app], async (run) => {
    const { input, input_type } = await run.ask(name, {
      ...{ prompt: 'Which one?', input_types: ['text'], ...question },
    })
    await say(run, 'after', `${input_type}: ${JSON.stringify(input)}`)
  })
  return askUntilWaiting(chat)
}

const provide = (sessionId: string, input_type: string, input: unknown = null) =>
  chat.call('POST', `/sessions/${sessionId}/provide-input`, { checkpoint_name: name, input, input_type })

describe('a question that may be skipped', () => {
  it('accepts a skip once and resumes the run without an answer [CK-18, CK-23]', async () => {
    const id = await waiting({ skippable: true })
    const { body: session } = await chat.call('GET', `/sessions/${id}`)
    expect(session.pending_input).toMatchObject({ prompt: 'Which one?', skippable: true })
    const skipped = await provide(id, 'skipped')
    expect(skipped).toMatchObject({ status: 200, body: { input: null, input_type: 'skipped' } })
    expect(await provide(id, 'skipped')).toEqual(skipped)
    expect(await provide(id, 'text', 'the blue one')).toMatchObject({
      ...{ status: 409, body: { code: 'already_answered' } },
    })
    const view = (await readOn(chat, id)).view()
    expect(view).toMatchObject({ status: 'completed', content: 'skipped: null' })
    expect(view?.blocks.find(({ type }) => type === 'input_required')).toMatchObject({
      ...{ state: 'provided', input: null, input_type: 'skipped' },
    })
    expect((await chat.call('GET', '/input-requests?status=answered')).body.items[0]).toMatchObject({
      request: { state: 'provided', input_type: 'skipped' },
    })
  })

  it('still accepts an ordinary answer [CK-18]', async () => {
    const id = await waiting({ skippable: true })
    expect((await provide(id, 'text', 'blue')).status).toBe(200)
    expect((await readOn(chat, id)).view()?.content).toBe('text: "blue"')
  })
})

it.each<[string, Partial<Question>, string]>([
  ['a question that does not say so', {}, 'input_type: This request cannot be skipped.'],
  ['an interrupted call', { kind: 'interrupted' }, 'input_type: This request cannot be skipped.'],
  ['an approval', { kind: 'approval' }, 'input: Answer yes or no.'],
])('%s cannot be skipped [CK-18, SV-96]', async (_, question, detail) => {
  const id = await waiting(question)
  expect(await provide(id, 'skipped')).toMatchObject({ status: 422, body: { detail } })
  expect((await chat.call('GET', `/sessions/${id}`)).body.pending_input).not.toBeNull()
})
