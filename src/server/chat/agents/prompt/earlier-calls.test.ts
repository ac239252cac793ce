import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askUntilWaiting, readOn } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, type ModelRequest, says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterEach(() => chat.model.forget())
afterAll(() => chat.close())

const multiply = { a: 21, b: 2, operation: 'multiply' }
const divide = { a: 1, b: 0, operation: 'divide' }

/** Asks and returns the last request to the model. */
async function ask(sessionId: string, content: string): Promise<ModelRequest> {
  await (await chat.ask(sessionId, content)).ended
  return chat.model.requests.at(-1) as ModelRequest
}
async function askFrom(zone: string, sessionId: string, content: string): Promise<ModelRequest> {
  const headers = { ...chat.user.headers, 'x-time-zone': zone }
  const url = `${chat.url}/sessions/${sessionId}/messages`
  await (await openStream(url, { method: 'POST', headers, body: { content } })).ended
  return chat.model.requests.at(-1) as ModelRequest
}
const withoutSystem = ({ messages }: ModelRequest) => messages.filter(({ role }) => role !== 'system')

describe('the tool calls of earlier replies', () => {
  it('are sent with their results in the next turn, before the text of the reply', async () => {
    const id = await chat.aSession()
    chat.model.reply(
      [calls('calculator', multiply)],
      [calls('calculator', divide)],
      [says('It is 42.')],
      [says('Yes.')],
    )
    await ask(id, 'What is 21 times 2?')
    const request = await ask(id, 'What exactly did the tool return?')
    const [question, called, first, second, reply, asked] = withoutSystem(request)
    expect(question).toMatchObject({ role: 'user', content: 'What is 21 times 2?' })
    const made = called?.tool_calls as { id: string; function: { name: string; arguments: string } }[]
    expect(made.map(({ function: f }) => [f.name, JSON.parse(f.arguments)])).toEqual([
      ['calculator', multiply],
      ['calculator', divide],
    ])
    expect([first, second]).toMatchObject([
      { role: 'tool', tool_call_id: made[0]?.id, content: '{"result":42,"exact":"42"}' },
      { role: 'tool', tool_call_id: made[1]?.id, content: 'Error: Division by zero is not possible.' },
    ])
    expect(reply).toMatchObject({ role: 'assistant', content: 'It is 42.' })
    expect(asked).toMatchObject({ role: 'user', content: 'What exactly did the tool return?' })
  })

  it('are the same in every later turn, so that prompt caches stay valid', async () => {
    const id = await chat.aSession()
    chat.model.reply([calls('calculator', multiply)], [says('It is 42.')])
    await ask(id, 'What is 21 times 2?')
    chat.model.reply([says('Two.')], [says('Three.')])
    const second = withoutSystem(await ask(id, 'Again'))
    const third = withoutSystem(await ask(id, 'And again'))
    expect(third.slice(0, second.length)).toEqual(second)
  })

  it('include what the person answered in a form', async () => {
    const question = { prompt: 'Which day?', fields: [{ name: 'day', label: 'Day', type: 'text' }] }
    chat.model.reply([calls('ask_person', question)], [says('Friday, then.')], [says('Friday.')])
    const id = await askUntilWaiting(chat)
    const { body } = await chat.call('GET', `/sessions/${id}`)
    const { checkpoint_name } = body.pending_input
    const answer = { checkpoint_name, input: 'on Friday', input_type: 'text' }
    const answered = await chat.call('POST', `/sessions/${id}/provide-input`, answer)
    expect(answered.status, JSON.stringify(answered.body)).toBe(200)
    await readOn(chat, id)
    const request = await ask(id, 'Which day did I say?')
    const told = withoutSystem(request)
    expect(told.find(({ tool_calls }) => tool_calls)?.tool_calls).toMatchObject([
      { function: { name: 'ask_person', arguments: expect.stringContaining('Which day?') } },
    ])
    expect(told.find(({ role }) => role === 'tool')?.content).toContain('on Friday')
  })

  it('become text when the chat has no tools', async () => {
    const id = await chat.aSession()
    chat.model.reply([calls('calculator', multiply)], [says('It is 42.')], [says('42.')])
    await ask(id, 'What is 21 times 2?')
    const { body } = await chat.call('GET', `/sessions/${id}/tools`)
    for (const tool_id of body.tool_ids)
      await chat.call('PUT', `/sessions/${id}/tools`, { tool_id, is_offered: false })
    const request = await ask(id, 'What did the tool return?')
    expect(request.tools ?? []).toEqual([])
    expect(withoutSystem(request).filter(({ role }) => role === 'tool')).toEqual([])
    expect(JSON.stringify(request.messages)).toContain('Result of calculator')
  })

  it('are cut to their share of a small window', async () => {
    const id = await chat.aSession()
    chat.model.reply([calls('calculator', multiply)], [says('It is 42.')], [says('Yes.')])
    await ask(id, 'What is 21 times 2?')
    const { db } = chat.app.deps
    const result = JSON.stringify({ result: 'x'.repeat(50_000) })
    await db.updateTable('tool_executions').set({ result }).where('session_id', '=', id).execute()
    // A result of this size is stored with the execution, and the message refers to it.
    await sql`update messages set blocks = (
      select jsonb_agg(case when block ->> 'type' = 'tool'
        then block || '{"result": null, "result_ref": {"id": "x", "bytes": 50000, "preview": "{"}}' else block end)
      from jsonb_array_elements(blocks) as block)
      where session_id = ${id} and role = 'assistant'`.execute(db)
    const told = withoutSystem(await ask(id, 'Again')).find(({ role }) => role === 'tool')
    // 4 % of 32,000 tokens at three characters each.
    expect(String(told?.content).length).toBeLessThan(4_000)
    expect(told?.content).toMatch(/^\{"result":"x+\n\[Cut here: \d+ more characters\.\]$/)
  })
})

describe('the time', () => {
  it('is sent in the zone of the person’s browser, after their newest message', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('It is late.')], [says('Still.')])
    const request = await askFrom('Asia/Tokyo', id, 'What time is it?')
    const now = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Asia/Tokyo' })
    const today = now.format(new Date())
    expect(request.messages[0]?.content).toContain(`Today is ${today} in the person's time zone, Asia/Tokyo.`)
    expect(request.messages.at(-1)?.content).toMatch(
      /^What time is it\?\n\n\(Sent on .+ at \d\d:\d\d, Asia\/Tokyo\.\)$/,
    )
    const second = await askFrom('Asia/Tokyo', id, 'And now?')
    expect(withoutSystem(second)[0]).toMatchObject({ content: 'What time is it?' })
  })

  it('is in UTC without a zone, and for a zone that does not exist', async () => {
    const id = await chat.aSession()
    const request = await askFrom('Moon/Crater', id, 'Hi')
    expect(request.messages[0]?.content).toMatch(/Today is \d{4}-\d\d-\d\d \(UTC\)\./)
  })
})
