import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { noise, storedBytes } from '#tests/large-results.ts'
import { calls, type Move, says } from '#tests/model-server.ts'
import { type Probe, playTool } from '#tests/probe-tool.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

let unplay = () => {}
afterEach(() => unplay())
const play = (...probe: Probe) => {
  unplay = playTool(chat.app, ...probe)
}

const manyCalls = (count: number): Move[] => Array.from({ length: count }, (_, n) => calls('probe', { n }))

/** Asks a question whose answer first makes these calls of the tool. */
async function ask(sessionId: string, count = 1) {
  chat.model.reply(manyCalls(count), [says('Done.')])
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  return stream.view()!
}

async function readPage(sessionId: string) {
  const answer = await fetch(`${chat.url}/sessions/${sessionId}/active-branch`, {
    headers: chat.user.headers,
  })
  const text = await answer.text()
  return { bytes: Buffer.byteLength(text), messages: JSON.parse(text).active_branch as Message[] }
}

const cardsOf = (blocks: Message['blocks']) => blocks.filter((block) => block.type === 'tool')
const readExecution = async (id: string) => (await chat.call('GET', `/tool-executions/${id}`)).body
const toldModel = () => chat.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool')

describe('large result of a tool', () => {
  it('shows its beginning in the reply, and is read in full by the id of its execution', async () => {
    const sessionId = await chat.aSession()
    const result = { doubled: 4, text: `é${noise(5_000)}` }
    play(async () => result)
    const view = await ask(sessionId)
    const [card] = cardsOf(view.blocks) as [ToolBlock]
    const text = JSON.stringify(result)
    expect(card).toMatchObject({ status: 'complete', result: null })
    expect(card.result_ref).toEqual({
      ...{ id: card.id, bytes: Buffer.byteLength(text), preview: text.slice(0, 200) },
    })
    expect((await readPage(sessionId)).messages.at(-1)?.blocks).toEqual(view.blocks)
    expect(await readExecution(card.id)).toMatchObject({ status: 'complete', result })
    const late = await chat.follow(`/sessions/${sessionId}/task-stream`)
    await late.ended
    expect(late.view()?.blocks).toEqual(view.blocks)
  })

  it('is shown in full in the reply if it is small', async () => {
    const sessionId = await chat.aSession()
    const result = { doubled: 4, text: noise(4_000) }
    play(async () => result)
    const [card] = cardsOf((await ask(sessionId)).blocks) as [ToolBlock]
    expect(card.result).toEqual(result)
    expect(card).not.toHaveProperty('result_ref')
  })

  it('is sent to the model in full, and identically after the server was killed', async () => {
    const sessionId = await chat.aSession()
    // Keys keep their order, despite characters that cannot be stored: a lone surrogate and NUL.
    const result = { zebra: 1, text: `${noise(5_000)}\0\ud800é`, alpha: [1.5, null], doubled: 1 }
    play(async () => result, { output: z.any() as never })
    const view = await ask(sessionId)
    const told = toldModel()
    expect(told?.[0]?.content).toContain(result.text.slice(0, 5_000))
    const { keys } = await readRun(chat.app, view.run_id)
    // Simulates the loss of everything from the second model call on.
    const kept = keys.findIndex((key) => key.startsWith('step:tool:')) + 1
    await goBack(chat, view.run_id, kept)
    chat.model.reply([says('Done.')])
    const { reply } = await resume(chat, view.run_id)
    expect(reply.content).toBe('Done.')
    expect(toldModel()).toEqual(told)
    expect(cardsOf(reply.blocks)).toEqual(cardsOf(view.blocks))
  })

  it('is reused after returning to a checkpoint behind it, neither copied nor computed again', async () => {
    const sessionId = await chat.aSession()
    let made = 0
    play(async ({ n }) => {
      made += 1
      return { doubled: n * 2, text: noise(200_000) }
    })
    const view = await ask(sessionId)
    const told = toldModel()
    const before = await storedBytes(chat.app)
    chat.model.reply([says('Done otherwise.')])
    const fork = await returnTo(sessionId, view.message_id, 'llm_checkpoint_2')
    expect(fork.content).toBe('Done otherwise.')
    expect(toldModel()).toEqual(told)
    expect(cardsOf(fork.blocks)).toEqual(cardsOf(view.blocks))
    expect(made).toBe(1)
    expect((await storedBytes(chat.app)) - before).toBeLessThan(200_000)
    // A fork before the call makes a new call with its own result.
    chat.model.reply(manyCalls(1), [says('Done again.')])
    const again = await returnTo(sessionId, view.message_id, 'llm_checkpoint_1')
    expect(made).toBe(2)
    const ids = [...cardsOf(view.blocks), ...cardsOf(again.blocks)].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect((await readExecution(id)).result.text).toHaveLength(200_000)
  })

  it('is read by its id outside chats, and deleted with its session', async () => {
    const sessionId = await chat.aSession()
    const text = noise(300_000)
    play(async () => ({ doubled: 1, text }))
    const { body } = await chat.call('POST', '/tools/probe/execute', {
      ...{ inputs: { n: 1 }, session_id: sessionId },
    })
    const id = body.tool_execution_id as string
    await expect.poll(async () => (await readExecution(id)).status, { timeout: 20_000 }).toBe('complete')
    expect(await readExecution(id)).toMatchObject({ result: { doubled: 1, text }, error: null })
    const [card] = cardsOf((await ask(sessionId)).blocks) as [ToolBlock]
    expect((await chat.call('DELETE', `/sessions/${sessionId}`)).status).toBeLessThan(300)
    expect((await chat.call('GET', `/tool-executions/${id}`)).status).toBe(404)
    expect((await chat.call('GET', `/tool-executions/${card.id}`)).status).toBe(404)
  })

  it('works the same for a large input: the message holds the beginnings, the execution the whole', async () => {
    const sessionId = await chat.aSession()
    const input = { n: 1, text: noise(100_000), parts: [{ deep: true }] }
    play(async () => ({ doubled: 2 }), { input: z.looseObject({}) as never })
    chat.model.reply([calls('probe', input)], [says('Done.')])
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const [card] = cardsOf(stream.view()!.blocks) as [ToolBlock]
    expect(card).toMatchObject({
      input: { n: 1, text: `${input.text.slice(0, 200)}…` },
      input_ref: { id: card.id, bytes: Buffer.byteLength(JSON.stringify(input)) },
      result: { doubled: 2 },
    })
    expect(await readExecution(card.id)).toMatchObject({ input, result: { doubled: 2 } })
    const { body } = await chat.call('POST', '/tools/probe/execute', { inputs: input })
    const alone = () => readExecution(body.tool_execution_id)
    await expect.poll(async () => (await alone()).status, { timeout: 20_000 }).toBe('complete')
    expect(await alone()).toMatchObject({ input })
  })

  it("counts toward its person's storage", async () => {
    const sessionId = await chat.aSession()
    play(async () => ({ doubled: 1, text: noise(400_000) }))
    await ask(sessionId)
    const { stored_bytes } = await chat.app.deps.db
      .selectFrom('sessions')
      .select('stored_bytes')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect(Number(stored_bytes)).toBeGreaterThan(400_000)
    expect(Number(stored_bytes)).toBeLessThan(450_000)
  })
})

async function returnTo(sessionId: string, message_id: string, checkpoint_name: string) {
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: chat.user.headers, body: { checkpoint_name, message_id } },
  })
  await stream.ended
  return stream.view()!
}
