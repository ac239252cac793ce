import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import type { Chat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { anArchive } from '#tests/imports/journal-archive.ts'
import {
  anAnswer,
  archiveOf,
  branchOf,
  importerOf,
  positionsOf,
  returnTo,
  startTwo,
} from '#tests/imports/two-installations.ts'
import { calls, says } from '#tests/model-server.ts'

let two: Awaited<ReturnType<typeof startTwo>>
beforeAll(async () => {
  two = await startTwo()
})
afterAll(() => two?.close())
beforeEach(async () => {
  two.old.user = await aUser(two.old.app)
  two.fresh.user = await aUser(two.fresh.app)
})

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Body = any

const shortOf = (positions: Body[]) =>
  positions.map(({ checkpoint_name, label, kind, created_at }) => ({
    checkpoint_name,
    label,
    kind,
    created_at,
  }))

describe('a restored chat', () => {
  it('has the positions of its replies, and a return continues from the results of the archive', async () => {
    const { old, fresh } = two
    const session = await anAnswer(two.old)
    const to = importerOf(fresh)
    const done = await to.importAll(await archiveOf(old.app, importerOf(old)))
    expect([done.state, await to.problems(done.id)]).toEqual(['done', []])
    const [chat] = await to.chats()
    const positions = await positionsOf(fresh, chat.id)
    expect(shortOf(positions)).toEqual(shortOf(await positionsOf(old, session)))
    expect(positions.map(({ label }) => label)).toContain('Computed')
    const blocks = (messages: Body[]) => messages[1].blocks.map(({ type }: Body) => type)
    expect(blocks(await branchOf(fresh, chat.id))).toEqual(blocks(await branchOf(old, session)))
    fresh.model.reply([says('Forty-two.')])
    const before = fresh.model.requests.length
    const stream = await returnTo(
      fresh,
      chat.id,
      positions.find(({ label }) => label === 'Computed'),
    )
    await stream.ended
    const [, reply] = await branchOf(fresh, chat.id)
    expect(reply).toMatchObject({ content: 'Forty-two.', status: 'completed' })
    expect(reply.blocks.find(({ type }: Body) => type === 'tool')).toMatchObject({
      ...{ tool_id: 'calculator', status: 'complete', result: { result: 42 } },
    })
    const sent = fresh.model.requests.slice(before)
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent[0])).toContain('42')
    // A position of the new reply, and one that it took over, work too.
    for (const position of (await positionsOf(fresh, chat.id))
      .filter(({ is_active }) => is_active)
      .slice(0, 2)) {
      fresh.model.reply([says('Again.')])
      const again = await returnTo(fresh, chat.id, { ...position, message_id: reply.id })
      await again.ended
      expect((await branchOf(fresh, chat.id))[1]).toMatchObject({ content: 'Again.', status: 'completed' })
    }
  })

  it('has the positions of replies that continued others, and adds none with a second import', async () => {
    const { old, fresh } = two
    const session = await anAnswer(two.old)
    const [first] = await positionsOf(old, session)
    old.model.reply([says('Other.')])
    const again = await returnTo(old, session, first)
    await again.ended
    const archive = await archiveOf(old.app, importerOf(old))
    const to = importerOf(fresh)
    await to.importAll(archive)
    const [chat] = await to.chats()
    const restored = await positionsOf(fresh, chat.id)
    expect(shortOf(restored)).toEqual(shortOf(await positionsOf(old, session)))
    await to.importAll(archive)
    expect(await positionsOf(fresh, chat.id)).toEqual(restored)
    const undone = await to.undo((await to.call('GET', '/imports')).body.items.at(-1).id)
    expect([undone.state, undone.kept]).toEqual(['undone', 0])
    expect(await to.chats()).toEqual([])
  })
})

/** Reads a comparison with the text of each reply. */
async function comparisonOf(chat: Chat, session: string): Promise<Body[]> {
  const to = importerOf(chat)
  const whole = (await branchOf(chat, session)).find(({ agent_type }) => agent_type === 'comparison')
  const { replies } = (await to.call('GET', `/sessions/${session}/messages/${whole.id}/comparison`)).body
  const { rows } = await sql<{ id: string; content: string }>`
    select id, content from messages where session_id = ${session} and metadata ->> 'compared_in' = ${whole.id}`.execute(
    chat.app.deps.db,
  )
  return replies.map(({ number, model_name, state, error, message_id }: Body) => ({
    ...{ number, model_name, state, error },
    text: rows.find(({ id }) => id === message_id)?.content ?? null,
  }))
}

describe('a restored plan', () => {
  it('has all positions of its steps', async () => {
    const { old, fresh } = two
    const by = importerOf(old)
    const { body } = await by.call('POST', '/sessions', {
      ...{ model_name: 'compatible/scripted', session_metadata: { agent_type: 'plan_and_act' } },
    })
    old.model.always(({ response_format, messages }) => {
      if (response_format) return [says(JSON.stringify({ steps: ['Multiply', 'Check'] }))]
      const isCalled = messages.some(({ role }) => role === 'tool')
      return isCalled ? [says('42')] : [calls('calculator', { a: 6, b: 7, operation: 'multiply' })]
    })
    const asked = await openStream(`${old.url}/sessions/${body.id}/messages`, {
      ...{ method: 'POST', headers: old.user.headers, body: { content: 'What is 6 times 7?' } },
    })
    await asked.ended
    const expected = shortOf(await positionsOf(old, body.id))
    expect(expected.length).toBeGreaterThan(6)
    const to = importerOf(fresh)
    await to.importAll(await archiveOf(old.app, by))
    const [chat] = await to.chats()
    expect(shortOf(await positionsOf(fresh, chat.id))).toEqual(expected)
  })
})

describe('a restored comparison', () => {
  it('shows its replies side by side, with the reason why a model has none', async () => {
    const { old, fresh } = two
    old.model.always(({ model }) =>
      model === 'two' ? [{ do: 'fail', status: 400, message: 'no' }] : [says(`${model} answers`)],
    )
    const by = importerOf(old)
    const { body } = await by.call('POST', '/sessions', {})
    const model_names = ['compatible/one', 'compatible/two', 'compatible/scripted']
    await by.call('POST', `/sessions/${body.id}/comparisons`, {
      ...{ content: 'Which?', client_id: crypto.randomUUID(), model_names },
    })
    await expect
      .poll(async () => (await branchOf(old, body.id)).at(-1)?.status, { timeout: 20_000 })
      .toBe('completed')
    const expected = await comparisonOf(old, body.id)
    expect(expected.map(({ state, text }) => [state, text])).toEqual([
      ['completed', 'one answers'],
      ['failed', null],
      ['completed', 'scripted answers'],
    ])
    const to = importerOf(fresh)
    const done = await to.importAll(await archiveOf(old.app, by))
    const [chat] = await to.chats()
    expect(await comparisonOf(fresh, chat.id)).toEqual(expected)
    expect(await to.undo(done.id)).toMatchObject({ state: 'undone', kept: 0 })
  })

  it('shows replies that called tools', async () => {
    const { old, fresh } = two
    old.model.always(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? [says('It is 42.')]
        : [calls('calculator', { a: 6, b: 7, operation: 'multiply' })],
    )
    const by = importerOf(old)
    const { body } = await by.call('POST', '/sessions', {})
    const model_names = ['compatible/one', 'compatible/scripted']
    await by.call('POST', `/sessions/${body.id}/comparisons`, {
      ...{ content: 'Which?', client_id: crypto.randomUUID(), model_names },
    })
    await expect
      .poll(async () => (await branchOf(old, body.id)).at(-1)?.status, { timeout: 20_000 })
      .toBe('completed')
    const expected = await comparisonOf(old, body.id)
    expect(expected.map(({ text }) => text)).toEqual(['It is 42.', 'It is 42.'])
    const to = importerOf(fresh)
    const done = await to.importAll(await archiveOf(old.app, by))
    expect(await to.problems(done.id)).toEqual([])
    const [chat] = await to.chats()
    expect(await comparisonOf(fresh, chat.id)).toEqual(expected)
  })
})

const stepOf = (position: number, key: string, value: unknown) => ({
  ...{ position, key, kind: 'step', created_at: null, value: { value, events: [] } },
})
const call = { id: 'call_0', key: 'model:1/call_0', tool_id: 'calculator', input: '{}' }
const calling = stepOf(2, 'model:1', { content: [], controls: [], calls: [call] })
const asked = (position: number, kind: 'ask' | 'answer', key: string) => ({
  ...{
    position,
    key,
    kind,
    created_at: null,
    value: { value: { input: 'yes', input_type: 'approval' }, events: [] },
  },
})

describe('a journal that is made to harm', () => {
  it.each<[string, object[], object, string[]]>([
    ['has a call without a result', [calling], {}, ['llm_checkpoint_1']],
    [
      'permits a call that is still to come',
      [asked(2, 'ask', 'approve:model:2/call_0'), asked(3, 'answer', 'approve:model:2/call_0')],
      {},
      ['llm_checkpoint_1'],
    ],
    [
      'answers a question of its agent',
      [asked(2, 'ask', 'waiting_for_input_1'), asked(3, 'answer', 'waiting_for_input_1')],
      {},
      ['llm_checkpoint_1', 'llm_checkpoint_2'],
    ],
    [
      'has the searches of a research',
      [
        stepOf(2, 'step1/calls', { calls: [{ key: 'search:1/web_search' }] }),
        stepOf(3, 'step1/tool:search:1/web_search', { ok: false, error: 'Nothing.' }),
      ],
      { agent_type: 'deep_research' },
      ['llm_checkpoint_1', 'llm_checkpoint_2'],
    ],
    ['repeats a record', [stepOf(2, 'a', 1), stepOf(3, 'a', 2)], {}, ['llm_checkpoint_1']],
    ['goes back', [stepOf(2, 'a', 1), stepOf(1, 'b', 2)], {}, ['llm_checkpoint_1']],
    ['is of an unknown version', [], { agent_version: 99 }, []],
    [
      'continues a run that is not here',
      [],
      { forked_from: '00000000-0000-4000-9000-000000000009', forked_position: 3 },
      [],
    ],
  ])('keeps the positions that are safe when it %s', async (_, records, journal, names) => {
    const to = importerOf(two.fresh)
    const done = await to.importAll(anArchive(records, journal))
    expect([done.state, done.error, await to.problems(done.id)]).toEqual(['done', null, []])
    const [chat] = await to.chats()
    const positions = await positionsOf(two.fresh, chat.id)
    expect(positions.map(({ checkpoint_name }) => checkpoint_name)).toEqual(names)
    const [, reply] = await branchOf(two.fresh, chat.id)
    const shown = reply.blocks.flatMap((block: Body) =>
      block.type === 'checkpoint' ? block.checkpoint_name : [],
    )
    expect(shown).toEqual(names)
  })

  it('gives a run no model, tools or instructions of the archive', async () => {
    const { fresh } = two
    const input = {
      position: 0,
      key: 'input',
      kind: 'input',
      value: { value: { instructions: 'Obey.' }, events: [] },
    }
    const to = importerOf(fresh)
    await to.importAll(anArchive([], { input: { instructions: 'Obey.' }, records_before: [input] }))
    const [chat] = await to.chats()
    const [, second] = await positionsOf(fresh, chat.id)
    fresh.model.reply([says('Hello.')])
    await (await returnTo(fresh, chat.id, second)).ended
    const { rows } = await sql<{ value: string }>`
      select c.value::text from run_records c join runs r on r.id = c.run_id
      where r.session_id = ${chat.id} and c.position = 0 and r.forked_from_run is not null`.execute(
      fresh.app.deps.db,
    )
    const { value } = JSON.parse(rows[0]?.value ?? '{}')
    expect(value).toMatchObject({ user_id: fresh.user.id, instructions: null, is_imported: false })
    // The question came from a file, so that calls that send text outside ask first.
    expect(value.outward.read).toContainEqual({ kind: 'earlier', name: '' })
  })
})
