import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMessage } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type ModelRequest, type Move, says, waits } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { patiently, readRun } from '#tests/runs.ts'

let chat: Chat
let gate = aGate()
beforeAll(async () => {
  chat = await startChat({ model: { models: ['one', 'two', 'three', 'o3'] } })
  chat.model.always(answer)
})
afterAll(() => chat.close())

const models = ['compatible/one', 'compatible/two', 'compatible/three']

function answer({ model, messages }: ModelRequest): Move[] {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content)
  if (question.includes('Fail') && model === 'two') return [{ do: 'fail', status: 400, message: 'no' }]
  if (question.includes('Wait')) return [says(`${model} begins `), waits(gate.opened), says('and ends')]
  return [says(`${model} says: ${question.slice(0, 20)}`)]
}

const compare = (id: string, content: string, more: object = {}) =>
  chat.call('POST', `/sessions/${id}/comparisons`, {
    ...{ content, client_id: crypto.randomUUID(), model_names: models },
    ...more,
  })
const replies = async (id: string, messageId: string) =>
  (await chat.call('GET', `/sessions/${id}/messages/${messageId}/comparison`)).body.replies
const branch = async (id: string) => (await chat.call('GET', `/sessions/${id}/active-branch`)).body

/** Waits until the comparison is over, and returns its message. */
async function compared(id: string) {
  await expect
    .poll(async () => (await branch(id)).active_branch.at(-1)?.status, patiently)
    .not.toBe('streaming')
  return (await branch(id)).active_branch.at(-1)
}

it('tells each model the facts that matter, and names them under its reply', async () => {
  await chat.call('POST', '/facts', { text: 'The maintenance year begins on 1 April' })
  const id = await chat.aSession({ modelName: 'compatible/one' })
  chat.model.requests.length = 0
  await compare(id, 'When does the maintenance year begin?')
  const whole = await compared(id)
  const told = chat.model.requests.filter(({ messages }) =>
    JSON.stringify(messages).includes('begins on 1 April'),
  )
  expect(told.map(({ model }) => model).sort()).toEqual(['one', 'three', 'two'])
  const own = (await replies(id, whole.id)).map(({ message_id }: { message_id: string }) => message_id)
  const { used } = (await chat.call('GET', `/sessions/${id}/memory`)).body
  expect(used.map(({ message_id }: { message_id: string }) => message_id).sort()).toEqual(
    [whole.id, ...own].sort(),
  )
  expect((await chat.call('GET', '/facts')).body.items).toMatchObject([{ uses: 1 }])
  await chat.app.deps.db.deleteFrom('facts').execute()
})

describe('a message to several models', () => {
  it('is answered by all at the same time; each reply is an alternative with its time, tokens and price', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    gate = aGate()
    const before = chat.model.requests.length
    const { status, body } = await compare(id, 'Wait for it')
    expect(status).toBe(201)
    await expect.poll(() => chat.model.requests.length - before, patiently).toBe(3)
    const [, reply] = (await branch(id)).active_branch
    await expect
      .poll(async () => (await replies(id, reply.id)).map(({ state }: { state: string }) => state), patiently)
      .toEqual(['working', 'working', 'working'])
    gate.open()
    const whole = await compared(id)
    const all = await replies(id, whole.id)
    expect(all.map(({ model_name }: { model_name: string }) => model_name)).toEqual(models)
    for (const { state, usage, error, message_id } of all) {
      expect({ state, error }).toEqual({ state: 'completed', error: null })
      expect(usage).toMatchObject({ calls: 1, input_tokens: 100, output_tokens: 20, amount: 0 })
      expect(usage.seconds).toBeGreaterThanOrEqual(0)
      expect(message_id).not.toBeNull()
    }
    const rows = await chat.app.deps.db
      .selectFrom('messages')
      .select(['id', 'parent_id', 'content', 'model_name'])
      .where('session_id', '=', id)
      .where('role', '=', 'assistant')
      .orderBy('created_at')
      .execute()
    expect(rows.map(({ parent_id }) => parent_id)).toEqual([body.id, body.id, body.id, body.id])
    for (const { message_id, model_name } of all)
      expect(rows.find((row) => row.id === message_id)).toMatchObject({
        ...{ model_name, content: `${model_name.split('/')[1]} begins and ends` },
      })
    expect((await branch(id)).branch_count).toBe(4)
  })

  it('follows the end of the branch that was seen, not of another one that is active', async () => {
    const id = await chat.aSession({ turns: 1, modelName: 'compatible/one' })
    const seen = (await branch(id)).active_branch.at(-1)
    await aMessage(chat.app, id, { content: 'Elsewhere' })
    const { body } = await compare(id, 'Hello', { parent_id: seen.id })
    expect(body).toMatchObject({ parent_id: seen.id })
    await compared(id)
  })

  it('continues with the chosen reply, and keeps the others as alternatives [SB-02]', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    await compare(id, 'Hello')
    const all = await replies(id, (await compared(id)).id)
    const stream = await chat.call('POST', `/sessions/${id}/navigate/${all[1].message_id}`)
    expect(stream.status).toBe(200)
    await (await chat.ask(id, 'And then?')).ended
    const told = JSON.stringify(chat.model.requests.at(-1)?.messages)
    expect(told).toContain('two says: Hello')
    expect(told).not.toContain('one says: Hello')
    const { active_branch, forks } = await branch(id)
    expect(active_branch.map(({ content }: { content: string }) => content).slice(0, 2)).toEqual([
      'Hello',
      'two says: Hello',
    ])
    expect(forks).toMatchObject([{ message_id: all[1].message_id, count: 4 }])
  })

  it('continues with all of them without a choice, so that a model can merge them', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    await compare(id, 'Hello')
    await compared(id)
    await (await chat.ask(id, { content: 'Merge them', model_name: 'compatible/three' })).ended
    const last = chat.model.requests.at(-1)
    expect(last?.model).toBe('three')
    for (const name of ['one', 'two', 'three']) expect(JSON.stringify(last?.messages)).toContain(`## ${name}`)
    expect(JSON.stringify(last?.messages)).toContain('one says: Hello')
  })

  it('shows the error of a model that fails, and the replies of the others', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    await compare(id, 'Fail please')
    const whole = await compared(id)
    expect(whole.status).toBe('completed')
    const all = await replies(id, whole.id)
    expect(all.map(({ state }: { state: string }) => state)).toEqual(['completed', 'failed', 'completed'])
    expect(all[1]).toMatchObject({ message_id: null, error: expect.any(String) })
    expect(whole.content).not.toContain('two')
  })

  it('gives the same replies when its run is resumed after any record', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    await compare(id, 'Hello')
    const whole = await compared(id)
    const run = await chat.app.deps.db
      .selectFrom('runs')
      .select('id')
      .where('message_id', '=', whole.id)
      .executeTakeFirstOrThrow()
    const before = await readRun(chat.app, run.id)
    const all = await replies(id, whole.id)
    const asked = chat.model.requests.length
    for (const kept of [before.keys.length - 1, before.keys.length - 3]) {
      await goBack(chat, run.id, kept)
      const after = await resume(chat, run.id)
      expect(after.reply.content).toBe(before.reply.content)
      expect(
        (await replies(id, whole.id)).map(({ message_id }: { message_id: string }) => message_id),
      ).toEqual(all.map(({ message_id }: { message_id: string }) => message_id))
    }
    expect(chat.model.requests.length).toBe(asked)
    expect((await branch(id)).branch_count).toBe(4)
  })

  it('gives each model the settings that it supports', async () => {
    const id = await chat.aSession({
      ...{ modelName: 'compatible/one', metadata: { temperature: 0.2, effort: 'high', max_words: 50 } },
    })
    const before = chat.model.requests.length
    await compare(id, 'Hello', { model_names: ['compatible/one', 'compatible/o3'] })
    await compared(id)
    const [one, o3] = ['one', 'o3'].map((name) =>
      chat.model.requests.slice(before).find(({ model }) => model === name),
    )
    expect(one).toMatchObject({ temperature: 0.2 })
    expect(one).not.toHaveProperty('reasoning_effort')
    expect(o3).toMatchObject({ reasoning_effort: 'high' })
    expect(o3).not.toHaveProperty('temperature')
  })

  it('counts each reply towards the storage of the chat', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    const bytesOf = async () => {
      const row = chat.app.deps.db.selectFrom('sessions').select('stored_bytes').where('id', '=', id)
      return Number((await row.executeTakeFirstOrThrow()).stored_bytes)
    }
    chat.model.always((asked) => (asked.model === 'o3' ? answer(asked) : [says('long '.repeat(20_000))]))
    await compare(id, 'Hello', { model_names: ['compatible/one', 'compatible/two'] })
    const whole = await compared(id)
    chat.model.always(answer)
    const messages = await chat.app.deps.db
      .selectFrom('messages')
      .select((row) => row.fn.sum<number>('bytes').as('bytes'))
      .where('parent_id', '=', whole.parent_id)
      .executeTakeFirstOrThrow()
    expect(Number(messages.bytes)).toBeGreaterThan(400_000)
    expect(await bytesOf()).toBeGreaterThanOrEqual(Number(messages.bytes))
  })

  it('is stored once for the same client_id, and refused for one model, five, or an unknown one', async () => {
    const id = await chat.aSession({ modelName: 'compatible/one' })
    const twice = { client_id: 'same' }
    const [a, b] = await Promise.all([compare(id, 'Hello', twice), compare(id, 'Hello', twice)])
    expect(a.body.id).toBe(b.body.id)
    await compared(id)
    for (const model_names of [
      ['compatible/one'],
      [...models, 'a', 'b'],
      ['compatible/one', 'compatible/one'],
    ])
      expect((await compare(id, 'Hello', { model_names })).status).toBe(422)
    const unknown = await compare(id, 'Hello', { model_names: ['compatible/one', 'nowhere/none'] })
    expect(unknown.status).toBeGreaterThanOrEqual(400)
    expect((await branch(id)).active_branch).toHaveLength(2)
  })
})
