import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import {
  anArchive,
  CALL,
  CHAT,
  chatOf,
  checkpointOf,
  journalOf,
  packed,
  REPLY,
  RUN,
} from '#tests/imports/journal-archive.ts'
import { branchOf, importerOf, positionsOf, returnTo } from '#tests/imports/two-installations.ts'
import { type MadeWeb, startMadeWeb } from '#tests/made-web.ts'
import { says } from '#tests/model-server.ts'
import { deriveId } from './writing/derived-id.ts'

let web: MadeWeb
let chat: Chat
beforeAll(async () => {
  web = await startMadeWeb()
  const search = {
    SEARXNG_URL: `${web.url}/searxng`,
    ATRIUM_WEB_PRIVATE: web.url,
    ATRIUM_LIMIT_RESEARCH_SEARCHES: '2',
  }
  chat = await startChat({
    model: { models: ['scripted', 'two'] },
    app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ...search } },
  })
})
afterAll(async () => {
  await chat?.close()
  await web?.close()
})
beforeEach(async () => {
  chat.user = await aUser(chat.app)
})

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Body = any

const stepOf = (position: number, key: string, value: unknown, events: object[] = []) => ({
  ...{ position, key, kind: 'step', created_at: null, value: { value, events } },
})
const input = JSON.stringify({ a: 6, b: 7, operation: 'multiply' })

/** A model reply that calls the calculator, and the result of the archive for it. */
const calling = (position: number, key: string, model = 'model:1') =>
  stepOf(position, model, {
    content: [{ type: 'tool-call', id: 'call_0', name: 'calculator', input }],
    controls: [],
    calls: [{ id: 'call_0', key, tool_id: 'calculator', input, execution_id: CALL }],
  })
const resultOf = (position: number, key: string, value: unknown = { ok: true, result: 'stored' }) =>
  stepOf(position, `tool:${key}`, value)
const answerOf = (position: number, key: string) => ({
  ...{ position, key, kind: 'answer', created_at: null },
  value: { value: { input: { approved: true }, input_type: 'approval' }, events: [] },
})

/** Imports an archive, returns to the last position of each reply, and returns the results that the model was sent. */
async function replayed(archive: Buffer): Promise<string> {
  const to = importerOf(chat)
  await to.importAll(archive)
  const [restored] = await to.chats()
  chat.model.always(() => [says('Over.')])
  const before = chat.model.requests.length
  for (const position of await positionsOf(chat, restored.id)) {
    const stream = await returnTo(chat, restored.id, position)
    await Promise.race([stream.ended, new Promise((resolve) => setTimeout(resolve, 3_000))])
    const { rows } = await sql<{ state: string }>`
      select state from runs where session_id = ${restored.id} and state not in ('completed', 'failed')`.execute(
      chat.app.deps.db,
    )
    expect(rows).toEqual([])
  }
  return JSON.stringify(chat.model.requests.slice(before))
}

const executes = async (archive: Buffer) => (await replayed(archive)).includes('42')

describe('returning to a position of a hostile journal', () => {
  it('runs no call whose id is renamed by the import', async () => {
    const key = `model:1/${RUN}`
    expect(await executes(anArchive([calling(2, key), resultOf(3, key)]))).toBe(false)
  })

  it('takes no approval from an archive', async () => {
    await importerOf(chat).call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    const run = deriveId({ user_id: chat.user.id, source: 'atrium' }, 'run', `${CHAT}/${REPLY}`)
    const archive = anArchive([
      calling(2, `${RUN}/waiting_for_input_1`),
      resultOf(3, `${RUN}/waiting_for_input_1`),
      answerOf(4, `approve:${run}/waiting_for_input_1`),
    ])
    expect(await executes(archive)).toBe(false)
  })

  it.each([
    ['that another one continues before its result', 2, 'llm_checkpoint_2'],
    ['whose continuation goes back in it', 9, 'llm_checkpoint_3'],
  ])('runs no call of a journal %s', async (_, forked_position, checkpoint) => {
    const [other, fork] = ['00000000-0000-4000-9000-000000000007', '00000000-0000-4000-9000-000000000008']
    const records = [
      checkpointOf(1, 'llm_checkpoint_1'),
      calling(2, 'model:1/call_0'),
      resultOf(5, 'model:1/call_0'),
      checkpointOf(9, 'llm_checkpoint_2'),
    ]
    const forked = { ...journalOf(fork), message_id: other, forked_from: RUN, forked_position }
    const archive = packed(chatOf({ [REPLY]: RUN, [other]: fork }), [
      { ...journalOf(), records },
      { ...forked, records: [checkpointOf(3, checkpoint, fork)] },
    ])
    expect(await executes(archive)).toBe(false)
  })

  it('runs no call of two journals of one reply', async () => {
    const second = '00000000-0000-4000-9000-000000000008'
    const archive = packed(chatOf(), [
      {
        ...journalOf(),
        records: [checkpointOf(1, 'llm_checkpoint_1'), checkpointOf(3, 'llm_checkpoint_2')],
      },
      {
        ...journalOf(second),
        records: [
          calling(2, 'model:1/call_0'),
          resultOf(4, 'model:1/call_0'),
          checkpointOf(5, 'llm_checkpoint_5', second),
        ],
      },
    ])
    expect(await executes(archive)).toBe(false)
  })

  it('lists the positions of a reply whose journal names itself as its origin', async () => {
    const second = '00000000-0000-4000-9000-000000000008'
    const archive = packed(chatOf(), [
      { ...journalOf(), records: [checkpointOf(1, 'llm_checkpoint_1')] },
      {
        ...{ ...journalOf(second), forked_from: RUN, forked_position: 1 },
        records: [checkpointOf(2, 'llm_checkpoint_2', second)],
      },
    ])
    const to = importerOf(chat)
    await to.importAll(archive)
    const { rows } = await sql`
      select from runs where id = forked_from_run and user_id = ${chat.user.id}`.execute(chat.app.deps.db)
    expect(rows).toEqual([])
  })

  it('asks before it sends the queries of a plan that the archive approved, within the budget here', async () => {
    const plan = JSON.stringify({ steps: [{ description: 'Planned', where: 'web' }] })
    const input = ['One', 'Two', 'Three', 'Four', 'Five'].join('\n')
    const records = [
      checkpointOf(1, 'llm_checkpoint_1'),
      stepOf(2, 'budget', { searches: 1_000, minutes: 1e9, dollars: 1e9 }),
      stepOf(3, 'model:1', { content: [{ type: 'text', text: plan }], controls: [], calls: [] }),
      { ...answerOf(4, 'waiting_for_input_plan'), value: { value: { input, input_type: 'text' } } },
      checkpointOf(5, 'llm_checkpoint_2'),
    ]
    const to = importerOf(chat)
    await to.importAll(anArchive([], { records, agent_type: 'deep_research' }))
    const [restored] = await to.chats()
    web.asked.length = 0
    const position = (await positionsOf(chat, restored.id)).at(-1)
    await (await returnTo(chat, restored.id, position)).ended
    expect(web.asked.filter(({ path }) => path === '/searxng/search')).toEqual([])
    const { rows } = await sql<{ state: string; left_out: number }>`
      select state, (select count(*)::int from run_records c where c.run_id = r.id and c.key like 'step_/budget'
        and c.value ->> 'value' = 'searches') as left_out
      from runs r where session_id = ${restored.id} order by created_at desc limit 1`.execute(
      chat.app.deps.db,
    )
    expect(rows).toEqual([{ state: 'waiting', left_out: 3 }])
  })

  it('asks the model of the chat, and shows it no parts that a model does not write', async () => {
    const two = { id: 'compatible/two', name: 'Two' }
    const reply = {
      content: [
        { type: 'tool-call', id: 'call_0', name: 'calculator', input },
        { type: 'file', url: 'http://127.0.0.1/secret', data: 'c2VjcmV0', media_type: 'image/png' },
      ],
      ...{ controls: [], calls: [{ id: 'call_0', key: 'model:1/call_0', tool_id: 'calculator', input }] },
      fallback: { asked: two, answered: two, reason: 'unavailable' },
    }
    const sent = await replayed(anArchive([stepOf(2, 'model:1', reply), resultOf(3, 'model:1/call_0')]))
    const models = (JSON.parse(sent) as { model: string }[]).map(({ model }) => model)
    expect([...new Set(models)]).toEqual(['scripted'])
    expect(models).toHaveLength(2)
    expect(sent.includes('secret')).toBe(false)
  })

  it('reads no result of a call of another person', async () => {
    const other = await aUser(chat.app)
    const session = (await chat.app.deps.db
      .insertInto('sessions')
      .values({ user_id: other.id, title: 'Private' })
      .returning('id')
      .executeTakeFirstOrThrow()) as { id: string }
    const [run, execution] = [crypto.randomUUID(), crypto.randomUUID()]
    await sql`
      insert into runs (id, user_id, session_id, agent_type, agent_version, state, finished_at)
      values (${run}, ${other.id}, ${session.id}, 'multi_turn', 1, 'completed', now())`.execute(
      chat.app.deps.db,
    )
    await sql`
      insert into tool_executions (id, run_id, user_id, session_id, tool_id, input, result, status)
      values (${execution}, ${run}, ${other.id}, ${session.id}, 'calculator', '{}', '"A secret of Bob"', 'complete')`.execute(
      chat.app.deps.db,
    )
    const kept = { ok: true, result_ref: { id: execution, bytes: 5_000, preview: '' } }
    const sent = await replayed(
      anArchive([calling(2, 'model:1/call_0'), resultOf(3, 'model:1/call_0', kept)]),
    )
    expect(sent.includes('A secret of Bob')).toBe(false)
  })

  it('does not grow the journal by the names of open calls', async () => {
    const update = (id: string) => ({
      ...{ event: 'tool_update', tool_execution_id: id, tool_id: 'calculator', tool_name: 'Calculator' },
      ...{ type: 'calculator', data: { status: 'processing' }, run_id: RUN, step_key: null, attempt: 1 },
    })
    const begun = {
      ...{ event: 'agent_processing_started', session_id: CHAT, message_id: REPLY, user_message_id: CHAT },
      ...{ agent_type: 'multi_turn', model_name: null, timestamp: new Date().toISOString() },
      ...{ run_id: RUN, step_key: null, attempt: 1 },
    }
    const events = [begun, ...['', 'a', 'b', '-'].map(update)]
    const to = importerOf(chat)
    await to.importAll(anArchive([stepOf(2, 'x', 'a', events)]))
    const [restored] = await to.chats()
    for (const position of await positionsOf(chat, restored.id)) {
      chat.model.always(() => [says('Over.')])
      const stream = await returnTo(chat, restored.id, position)
      expect(stream.status).toBe(200)
      await stream.ended
    }
  })
})

describe('the journals of an archive', () => {
  it('count for the storage of the person', async () => {
    const to = importerOf(chat)
    await to.importAll(anArchive([stepOf(2, 'x', 'text '.repeat(200_000))]))
    const { rows } = await sql<{ bytes: string }>`
      select sum(stored_bytes)::text as bytes from sessions where user_id = ${chat.user.id}`.execute(
      chat.app.deps.db,
    )
    expect(Number(rows[0]?.bytes)).toBeGreaterThan(1_000_000)
  })

  it('are not read for a message of the person', async () => {
    const to = importerOf(chat)
    await to.importAll(anArchive([], { message_id: 'q' }))
    const [restored] = await to.chats()
    expect(await positionsOf(chat, restored.id)).toEqual([])
    expect((await branchOf(chat, restored.id)).map(({ role }: Body) => role)).toEqual(['user', 'assistant'])
  })
})
