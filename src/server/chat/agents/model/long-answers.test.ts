import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says, stopsAtLength, stopsByFilter } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  const config = { ATRIUM_LIMIT_ANSWER_KB: '4', ATRIUM_LIMIT_CALLS_PER_ANSWER: '4' }
  chat = await startChat({ app: { config } })
})
afterAll(() => chat.close())

it('an oversized answer ends with an explanation, keeps its text, and the chat continues', async () => {
  const id = await chat.aSession()
  chat.model.reply([says(...Array.from({ length: 100 }, () => 'abcdefghij'.repeat(10)))])
  const stream = await chat.ask(id, 'Go')
  await stream.ended
  const { run, reply, session } = await readRun(chat.app, stream.view()!.run_id)
  expect(run.state).toBe('failed')
  expect(reply.content).toHaveLength(4096)
  expect(reply.blocks.at(-1)).toMatchObject({
    ...{ type: 'error', error: 'The answer of the model was longer than 4 kB and was cut.' },
  })
  expect(session.status).toBe('FAILED')
  chat.model.always([says('Short.')])
  const again = await chat.ask(id, 'Shorter, please')
  await again.ended
  expect(again.view()).toMatchObject({ status: 'completed', content: 'Short.' })
})

it("an answer cut at the model's output limit is kept and marked", async () => {
  chat.model.reply([says('So far'), stopsAtLength()])
  const stream = await chat.ask(await chat.aSession(), 'Go')
  await stream.ended
  const { run, reply } = await readRun(chat.app, stream.view()!.run_id)
  expect(run.state).toBe('completed')
  const texts = reply.blocks.filter(({ type }) => type === 'text')
  expect(texts).toEqual([expect.objectContaining({ text: 'So far', is_cut: true })])
})

it('an answer that a content filter stopped is kept and marked, also in exports', async () => {
  const id = await chat.aSession()
  chat.model.reply([says('So far'), stopsByFilter()])
  const stream = await chat.ask(id, 'Go')
  await stream.ended
  const { run, reply } = await readRun(chat.app, stream.view()!.run_id)
  expect(run.state).toBe('completed')
  const texts = reply.blocks.filter(({ type }) => type === 'text')
  expect(texts).toEqual([expect.objectContaining({ text: 'So far', is_filtered: true })])
  const exported = async (format: string) => {
    const { body } = await chat.call('POST', `/sessions/${id}/exports`, { format })
    const file = await fetch(`${chat.url}/exports/${body.id}/file`, { headers: chat.user.headers })
    return file.text()
  }
  expect(await exported('md')).toContain('The content filter of the model provider stopped this answer here.')
  expect(JSON.parse(await exported('json')).messages.at(-1)).toMatchObject({ is_filtered: true })
})

it('an answer that a content filter stopped before its first word ends with a sentence', async () => {
  chat.model.reply([stopsByFilter()])
  const stream = await chat.ask(await chat.aSession(), 'Go')
  await stream.ended
  const { reply } = await readRun(chat.app, stream.view()!.run_id)
  expect(reply.blocks.at(-1)).toMatchObject({
    ...{ type: 'error', error: 'The content filter of the model provider stopped the answer.' },
  })
})

it('an answer with too many tool calls executes none of them', async () => {
  const multiply = { a: 2, b: 2, operation: 'multiply' }
  chat.model.reply([says('Now '), ...Array.from({ length: 6 }, () => calls('calculator', multiply))])
  const stream = await chat.ask(await chat.aSession(), 'Go')
  await stream.ended
  const { reply } = await readRun(chat.app, stream.view()!.run_id)
  expect(reply).toMatchObject({ status: 'error', content: 'Now ' })
  expect(reply.blocks.some(({ type }) => type === 'tool')).toBe(false)
  expect(reply.blocks.at(-1)).toMatchObject({ error: expect.stringMatching(/more than 4 calls at once/) })
})
