import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMessage } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type ModelRequest, says, uses, waits } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { windows: { scripted: 16_000 } }, user: { role: 'super_admin' } })
})
afterAll(() => chat.close())

const contextOf = async (id: string) => (await chat.call('GET', `/sessions/${id}/context-use`)).body
const summarise = (id: string) => chat.call('POST', `/sessions/${id}/summary`)
const isSummary = ({ messages }: ModelRequest) =>
  JSON.stringify(messages[0]).includes('memory of a conversation')

describe('what fills the window', () => {
  it('is measured on the last prompt, and adds up to what the provider counted', async () => {
    const id = await chat.aSession()
    expect(await contextOf(id)).toEqual({ use: null, messages: 0, summarised: 0 })
    chat.model.reply([says('First answer'), uses(1000, 10)], [says('Second answer'), uses(2000, 10)])
    await (await chat.ask(id, 'Question '.repeat(100))).ended
    const first = await contextOf(id)
    await (await chat.ask(id, 'Next '.repeat(400))).ended
    const second = await contextOf(id)
    expect(first).toMatchObject({ messages: 2, summarised: 0 })
    expect(second).toMatchObject({ messages: 4, summarised: 0 })
    for (const [{ use }, total] of [
      [first, 1000],
      [second, 2000],
    ] as const) {
      expect(use).toMatchObject({
        model_name: 'compatible/scripted',
        window: 16_000,
        total,
        is_estimated: false,
      })
      const sum = Object.values(use.parts as Record<string, number>).reduce((all, part) => all + part, 0)
      expect(sum).toBe(total)
      expect(use.parts).toMatchObject({ memory: 0, documents: 0, summaries: 0, work: 0 })
      expect(use.parts.instructions).toBeGreaterThan(0)
      expect(use.parts.tools).toBeGreaterThan(0)
    }
    expect(second.use.parts.history).toBeGreaterThan(2 * first.use.parts.history)
  })
})

describe('a summary that a person asks for', () => {
  it('replaces the messages in the next prompt, stays in the chat, and is counted', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('The price is 14.90.')])
    await (await chat.ask(id, 'What does Kessler charge?')).ended
    chat.model.reply([says('Kessler charges 14.90.')])
    const { status, body } = await summarise(id)
    expect(status).toBe(200)
    expect(body.summary).toBe('Kessler charges 14.90.')
    expect(isSummary(chat.model.requests.at(-1)!)).toBe(true)
    const { active_branch: branch } = (await chat.call('GET', `/sessions/${id}/active-branch`)).body
    expect(branch).toHaveLength(2)
    expect(branch[1]).toMatchObject({ id: body.message_id, content: 'The price is 14.90.' })
    expect(branch[1].metadata).toMatchObject({ compaction: body.summary })
    expect(await contextOf(id)).toMatchObject({ messages: 0, summarised: 2 })
    chat.model.reply([says('Less.'), uses(3000, 10)])
    await (await chat.ask(id, 'And Thermalis?')).ended
    const told = JSON.stringify(chat.model.requests.at(-1)?.messages)
    expect(told).toContain('Kessler charges 14.90.')
    expect(told).not.toContain('What does Kessler charge?')
    const { use } = await contextOf(id)
    expect(use.parts.summaries).toBeGreaterThan(0)
    const booked = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .select('reason')
      .where('session_id', '=', id)
      .where('reason', '=', 'summary')
      .execute()
    expect(booked).toHaveLength(1)
  })

  it('is refused without anything new', async () => {
    const id = await chat.aSession()
    expect((await summarise(id)).status).toBe(409)
    await aMessage(chat.app, id, { content: 'Hello' })
    chat.model.reply([says('Hello was said.')])
    const session = chat.app.deps.db.selectFrom('messages').select('id').where('session_id', '=', id)
    const { id: leaf } = await session.executeTakeFirstOrThrow()
    await chat.app.deps.db.updateTable('sessions').set({ active_leaf: leaf }).where('id', '=', id).execute()
    expect((await summarise(id)).status).toBe(200)
    expect((await summarise(id)).status).toBe(409)
  })

  it('is refused while a reply is written', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('working '), waits(gate.opened), says('done')])
    const stream = await chat.ask(id, 'Hello')
    await stream.until('response_chunk')
    expect(await summarise(id)).toMatchObject({ status: 409, body: { code: 'session_busy' } })
    gate.open()
    await stream.ended
  })

  it('is not stored when the chat continued meanwhile', async () => {
    const id = await chat.aSession()
    await (await chat.ask(id, 'Hello')).ended
    const gate = aGate()
    chat.model.always((asked) =>
      isSummary(asked) ? [says('Hello '), waits(gate.opened), says('was said.')] : [says('Yes.')],
    )
    const before = chat.model.requests.length
    const asked = summarise(id)
    await expect.poll(() => chat.model.requests.length).toBeGreaterThan(before)
    await (await chat.ask(id, 'And now?')).ended
    gate.open()
    expect(await asked).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await contextOf(id)).toMatchObject({ messages: 4, summarised: 0 })
  })

  it('leaves the chat as it is when the model fails', async () => {
    const id = await chat.aSession()
    await (await chat.ask(id, 'Hello')).ended
    chat.model.reply(
      [{ do: 'fail', status: 400, message: 'no' }],
      [{ do: 'fail', status: 400, message: 'no' }],
    )
    chat.model.always([{ do: 'fail', status: 400, message: 'no' }])
    const { status } = await summarise(id)
    chat.model.forget()
    chat.model.always([says('Hello')])
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await contextOf(id)).toMatchObject({ summarised: 0 })
  })
})
