import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { anImporter, type Importer } from '#tests/imports/importing.ts'
import { archiveOf as takeOut, withoutIds } from '#tests/imports/two-installations.ts'
import { zipOf } from '#tests/zip.ts'

let [old, fresh]: TestApp[] = []
let [oldBase, freshBase] = ['', '']
beforeAll(async () => {
  const config = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }
  old = await startApp({ config })
  fresh = await startApp({ config })
  oldBase = `${await old.listen()}/api/v1`
  freshBase = `${await fresh.listen()}/api/v1`
})
afterAll(async () => {
  await old?.close()
  await fresh?.close()
})

const db = (app: TestApp | undefined) => (app as TestApp).deps.db
const rows = async <T>(app: TestApp | undefined, query: ReturnType<typeof sql<T>>) =>
  (await query.execute(db(app))).rows

/** Reads all that a person has, in an order that does not depend on ids. Archives keep milliseconds. */
async function stateOf(app: TestApp | undefined, { id }: Pick<TestUser, 'id'>) {
  const of = (query: ReturnType<typeof sql>) => rows(app, query)
  return withoutIds({
    chats:
      await of(sql`select s.id, s.title, s.active_leaf, s.created_at, s.updated_at, k.tags, k.archived_at is not null as is_archived
      from sessions s left join session_marks k on k.session_id = s.id and k.user_id = s.user_id
      where s.user_id = ${id} order by s.title`),
    messages:
      await of(sql`select m.id, m.session_id, m.parent_id, m.role, m.agent_type, m.model_name, m.content, m.blocks, m.status,
      m.is_modified, m.metadata, m.created_at from messages m join sessions s on s.id = m.session_id where s.user_id = ${id}
      order by s.title, date_trunc('milliseconds', m.created_at), m.content`),
    calls:
      await of(sql`select e.id, e.run_id, r.message_id, e.session_id, e.tool_id, e.input, e.result, e.error, e.status
      from tool_executions e join runs r on r.id = e.run_id where e.user_id = ${id} order by e.tool_id`),
    media: await of(
      sql`select f.id, f.run_id, f.name, f.media_type, f.size, f.created_at from media f where f.user_id = ${id} order by f.name`,
    ),
    facts:
      await of(sql`select f.id, f.text, f.words, f.origin, f.session_id, f.message_id, f.state, f.fact_id, f.learned_at,
      f.replaced_at, f.used_at, f.uses from facts f where f.user_id = ${id} and f.workspace_id is null order by f.text`),
    documents: await of(sql`select d.name, d.tags from documents d where d.user_id = ${id} order by d.name`),
    assistants:
      await of(sql`select a.name, a.system_prompt, a.example_prompts, a.temperature from assistants a
      where a.user_id = ${id} order by a.name`),
    prompts: await of(
      sql`select p.name, p.command, p.text, p.fields from prompts p where p.user_id = ${id} order by p.name`,
    ),
    schedules:
      await of(sql`select c.kind, c.name, c.rule, c.time_zone, c.anchor_at, c.text, c.fields, c.model_name, c.target,
      c.only_changes, c.max_cost, c.max_minutes, c.overlap, c.missed, c.deputy_after_minutes, c.skip_after_minutes
      from schedules c where c.user_id = ${id} order by c.name`),
  })
}

const archiveOf = (person: Importer) => takeOut(old as TestApp, person)

/** A person with a chat of two branches, a tool call with a picture, facts with history, and a schedule. */
async function aFullAccount() {
  const app = old as TestApp
  const user = await aUser(app)
  const person = anImporter(oldBase, user)
  const { id, messageIds } = await aSession(app, user, { title: 'Lease', turns: 1 })
  const [question, reply] = messageIds as [string, string]
  await aMessage(app, id, { parentId: question, role: 'assistant', content: 'Another answer' })
  const [call, run, picture] = [randomUUID(), randomUUID(), randomUUID()]
  const url = `/api/v1/assets/tools/${picture}/chart.png`
  const result = { images: [{ type: 'media_reference', id: picture, name: 'chart.png', url }] }
  const tool = { type: 'tool', id: call, tool_id: 'run_code', tool_name: 'Code', input: { code: '1' } }
  const done = { status: 'complete', error: null, events: [] }
  const value_ref = { id: call, bytes: 5_000, preview: '{"im' }
  const blocks = [
    { ...tool, ...done, result: null, result_ref: value_ref },
    { type: 'text', id: 't', text: `See ![chart](${url}).` },
    {
      type: 'steering',
      id: 's',
      text: 'Be brief',
      sent_at: '2026-01-01T00:00:00.000Z',
      read_at: '2026-01-01T00:00:01.000Z',
    },
  ]
  await sql`insert into runs (id, user_id, session_id, user_message_id, message_id, agent_type, agent_version, state, finished_at)
    values (${run}, ${user.id}, ${id}, ${question}, ${reply}, 'multi_turn', 1, 'completed', now())`.execute(
    db(old),
  )
  await sql`insert into tool_executions (id, run_id, user_id, session_id, tool_id, input, result, status, finished_at)
    values (${call}, ${run}, ${user.id}, ${id}, 'run_code', '{"code":"1"}', ${JSON.stringify(result)}, 'complete', now())`.execute(
    db(old),
  )
  const file_key = `media/${picture}/file`
  await app.deps.files.write(file_key, Readable.from([Buffer.from('a picture')]))
  await sql`insert into media (id, user_id, run_id, name, media_type, size, file_key)
    values (${picture}, ${user.id}, ${run}, 'chart.png', 'image/png', 9, ${file_key})`.execute(db(old))
  await sql`update messages set blocks = ${JSON.stringify(blocks)}::jsonb, content = ${`See ![chart](${url}).`},
    model_name = 'house/one', is_modified = true where id = ${reply}`.execute(db(old))
  await sql`update messages set blocks = '[{"type": "text", "id": "t", "text": "Another answer"}]' where content = 'Another answer'`.execute(
    db(old),
  )
  const kept = randomUUID()
  const learned = sql`learned_at, replaced_at, used_at, uses`
  await sql`insert into facts (id, user_id, text, words, origin, state, fact_id, session_id, message_id, ${learned}) values
    (${kept}, ${user.id}, 'I live in Lyon', 'liv lyon', 'remember', 'kept', null, ${id}, ${question}, '2026-02-01', null, '2026-03-01', 4),
    (${randomUUID()}, ${user.id}, 'I live in Paris', 'liv pari', 'manual', 'replaced', ${kept}, null, null, '2026-01-01', '2026-02-01', null, 1),
    (${randomUUID()}, ${user.id}, 'I live in Nice', 'liv nic', 'proposal', 'proposed', ${kept}, null, null, '2026-03-02', null, null, 0)`.execute(
    db(old),
  )
  await sql`update sessions set updated_at = now() where id = ${id}`.execute(db(old))
  const form = new FormData()
  form.set('file', new Blob(['The lease ends in 2027.']), 'lease.txt')
  const uploaded = await fetch(`${oldBase}/documents/upload`, {
    method: 'POST',
    headers: user.headers,
    body: form,
  })
  expect(uploaded.ok).toBe(true)
  await person.call('POST', '/assistants', { name: 'Lawyer', system_prompt: 'Be exact.' })
  await person.call('POST', '/prompts', { name: 'Greet', command: 'greet', text: 'Hello', fields: [] })
  const schedule = await person.call('POST', '/schedules', {
    ...{ name: 'Weekly', text: 'Report', time_zone: 'Europe/Paris', max_cost: 2, overlap: 'skip' },
    rule: { kind: 'weekdays', days: [1], time: '09:00' },
  })
  return { user, person, schedule, url }
}

describe('our own archive in another installation', () => {
  it('restores everything once, and undo removes all of it', async () => {
    const { user, person, schedule } = await aFullAccount()
    expect(schedule.status).toBe(201)
    const account = await aUser(fresh as TestApp)
    const to = anImporter(freshBase, account)
    const before = await stateOf(fresh, account)
    const archive = await archiveOf(person)
    const done = await to.importAll(archive)
    expect([done.state, done.error, await to.problems(done.id)]).toEqual(['done', null, []])
    expect(done.preview).toMatchObject({ facts: 1, schedules: 1, files: 2 })
    expect(done.added).toMatchObject({ chats: 1, messages: 3, facts: 3, schedules: 1, files: 2 })
    expect(await stateOf(fresh, account)).toEqual(await stateOf(old, user))
    const [{ state } = { state: '' }] = await rows<{ state: string }>(
      fresh,
      sql`select state from schedules where user_id = ${account.id}`,
    )
    expect(state).toBe('paused')
    const [{ file_key } = { file_key: '' }] = await rows<{ file_key: string }>(
      fresh,
      sql`select file_key from media where user_id = ${account.id}`,
    )
    expect(await text(await (fresh as TestApp).deps.files.read(file_key))).toBe('a picture')
    const again = await to.importAll(archive)
    expect(Object.values(again.added).every((count) => count === 0)).toBe(true)
    expect(await stateOf(fresh, account)).toEqual(await stateOf(old, user))
    await to.undo(again.id)
    const undone = await to.undo(done.id)
    expect([undone.state, undone.kept]).toEqual(['undone', 0])
    expect(await stateOf(fresh, account)).toEqual(before)
    await expect((fresh as TestApp).deps.files.read(file_key)).rejects.toThrow()
  })

  it('gives each of two people a copy of their own', async () => {
    const { user, person } = await aFullAccount()
    const archive = await archiveOf(person)
    for (const account of [await aUser(fresh as TestApp), await aUser(fresh as TestApp)]) {
      await anImporter(freshBase, account).importAll(archive)
      expect(await stateOf(fresh, account)).toEqual(await stateOf(old, user))
    }
  })

  it('keeps a fact and a schedule that were changed after the import', async () => {
    const { person } = await aFullAccount()
    const account = await aUser(fresh as TestApp)
    const to = anImporter(freshBase, account)
    const done = await to.importAll(await archiveOf(person))
    const { items } = (await to.call('GET', '/schedules')).body
    await to.call('PATCH', `/schedules/${items[0].id}`, { name: 'Mine' })
    expect(await to.undo(done.id)).toMatchObject({ state: 'undone', kept: 1 })
    expect((await to.call('GET', '/schedules')).body.items).toMatchObject([{ name: 'Mine', state: 'paused' }])
  })
})

describe('an imported assistant', () => {
  const assistant = { id: 'bot', name: 'Lawyer', system_prompt: 'Be exact.', example_prompts: [] }
  const schedule = {
    ...{ id: 's', name: 'Watch', text: 'Go', anchor_at: null, overlap: 'wait', time_zone: 'UTC' },
    ...{ rule: { kind: 'days', count: 1, time: '08:00' } },
    things: [{ kind: 'assistant', id: 'bot', name: 'Lawyer' }],
  }

  it('stays after an undo while a changed schedule or a chat uses it', async () => {
    const to = anImporter(freshBase, await aUser(fresh as TestApp))
    const bots = [assistant, { ...assistant, id: 'other', name: 'Clerk' }, { ...assistant, id: 'third' }]
    const done = await to.importAll(
      zipOf({
        'data/assistants.json': JSON.stringify(bots),
        'data/schedules.json': JSON.stringify([schedule]),
      }),
    )
    expect([done.added.assistants, done.added.schedules]).toEqual([3, 1])
    const named = await rows<{ thing_id: string }>(
      fresh,
      sql`select thing_id from imported_things where import_id = ${done.id} and foreign_id = 'other'`,
    )
    const chat = await to.call('POST', '/sessions', { assistant_id: named[0]?.thing_id })
    expect(chat.status, JSON.stringify(chat.body)).toBe(201)
    const { items } = (await to.call('GET', '/schedules')).body
    await to.call('PATCH', `/schedules/${items[0].id}`, { name: 'Mine' })
    expect(await to.undo(done.id)).toMatchObject({ state: 'undone', kept: 3 })
  })
})

describe('a hostile archive of ours', () => {
  it('lists damaged facts, schedules and files, and imports the others', async () => {
    const to = anImporter(freshBase, await aUser(fresh as TestApp))
    const fact = {
      id: 'a',
      text: 'I live in Lyon',
      origin: 'manual',
      state: 'kept',
      learned_at: '2026-01-01T00:00:00Z',
    }
    const done = await to.importAll(
      zipOf({
        'data/facts.json': JSON.stringify([
          ...[fact, { ...fact, id: 'b', state: 'sworn' }, { ...fact, id: 'c', text: 'x'.repeat(5_000) }],
          ...[
            { ...fact, id: 'd', text: 'Our rent is high', workspace_id: randomUUID() },
            { ...fact, id: 'e', learned_at: 'soon' },
          ],
          {
            ...fact,
            id: 'f',
            text: 'I read',
            state: 'replaced',
            fact_id: 'nowhere',
            unknown_field: { deep: [1] },
          },
        ]),
        'data/schedules.json': JSON.stringify([
          {
            id: 's',
            name: 'Bad',
            rule: { kind: 'sometimes' },
            anchor_at: null,
            overlap: 'wait',
            time_zone: 'UTC',
            text: 'Go',
          },
        ]),
        'data/media.json': JSON.stringify([
          {
            id: randomUUID(),
            name: 'gone.png',
            run_id: 'r',
            session_id: 'x',
            message_id: 'y',
            media_type: 'image/png',
            size: 3,
          },
        ]),
      }),
    )
    expect([done.state, done.added.facts, done.added.schedules]).toEqual(['done', 1, 0])
    const reasons = (await to.problems(done.id)).map((one: { kind: string; reason: string }) => [
      one.kind,
      one.reason,
    ])
    expect(reasons.sort()).toEqual([
      ...[
        ['fact', 'damaged'],
        ['fact', 'damaged'],
        ['fact', 'damaged'],
        ['fact', 'of_project'],
      ],
      ...[
        ['file', 'file_missing'],
        ['schedule', 'damaged'],
      ],
    ])
  })

  it('leaves out what a schedule uses and the person may not, and lists a schedule that cannot be shown', async () => {
    const to = anImporter(freshBase, await aUser(fresh as TestApp))
    const schedule = {
      ...{ id: 's', name: 'Watch', text: 'Go', anchor_at: null, overlap: 'wait', time_zone: 'UTC' },
      ...{ rule: { kind: 'once', date: '2020-01-01', time: '08:00' } },
      things: [
        { kind: 'tool', id: 'no_such_tool', name: 'Gone' },
        { kind: 'tool', id: 'calculator', name: '' },
      ],
    }
    const done = await to.importAll(
      zipOf({
        'data/schedules.json': JSON.stringify([
          schedule,
          { ...schedule, id: 'zone', name: 'Nowhere', time_zone: 'Europe/Nowhere' },
          {
            ...schedule,
            id: 'date',
            name: 'Never',
            rule: { kind: 'once', date: '2026-02-31', time: '08:00' },
          },
        ]),
      }),
    )
    expect([done.state, done.added.schedules]).toEqual(['done', 1])
    const { items } = (await to.call('GET', '/schedules')).body
    expect((await to.call('GET', `/schedules/${items[0].id}`)).body).toMatchObject({
      ...{ name: 'Watch', state: 'paused', things: [{ kind: 'tool', id: 'calculator' }] },
    })
    expect(await to.problems(done.id)).toMatchObject([
      { kind: 'schedule', title: 'Nowhere', reason: 'damaged' },
      { kind: 'schedule', title: 'Never', reason: 'damaged' },
    ])
  })

  it('cannot reach tool calls and files of others by their ids', async () => {
    const { user } = await aFullAccount()
    const [call] = await rows<{ id: string; result: unknown }>(
      old,
      sql`select id, result from tool_executions where user_id = ${user.id}`,
    )
    const thief = anImporter(oldBase, await aUser(old as TestApp))
    const block = {
      type: 'tool',
      id: call?.id,
      tool_id: 'run_code',
      tool_name: 'x',
      input: {},
      status: 'complete',
      result: 1,
      error: null,
      events: [],
    }
    const chat = {
      ...{ format: 'atrium-chat', version: 2, id: 'c', title: 'Mine' },
      messages: [
        { id: 'q', role: 'user', content: 'Hi' },
        { id: 'a', parent_id: 'q', role: 'assistant', content: 'Hi', blocks: [block] },
      ],
    }
    const calls = [
      { id: call?.id, run_id: 'r', tool_id: 'run_code', input: null, result: 'stolen', error: null },
    ]
    const done = await thief.importAll(
      zipOf({ 'chats/c.json': JSON.stringify(chat), 'data/tool-calls.json': JSON.stringify(calls) }),
    )
    expect(done.state).toBe('done')
    const [after] = await rows<{ result: unknown }>(
      old,
      sql`select result from tool_executions where id = ${call?.id}`,
    )
    expect(after?.result).toEqual(call?.result)
    const [session] = await thief.chats()
    const shown = JSON.stringify(await thief.branch(session.id))
    expect(shown).not.toContain(call?.id)
    expect((await thief.call('GET', `/tool-executions/${call?.id}`)).status).toBe(403)
  })

  it('lists a chat of a million nodes as too long', { timeout: 120_000 }, async () => {
    const to = anImporter(freshBase, await aUser(fresh as TestApp))
    const messages = Array.from({ length: 1_000_000 }, (_, n) => `{"id":${n},"parent_id":${n - 1}}`).join(',')
    const huge = `{"format":"atrium-chat","id":"h","title":"Huge","messages":[${messages}]}`
    const small = JSON.stringify({
      format: 'atrium-chat',
      id: 's',
      title: 'Small',
      messages: [{ id: 'q', role: 'user', content: 'Hi' }],
    })
    const done = await to.importAll(zipOf({ 'chats/h.json': huge, 'chats/s.json': small }))
    expect([done.state, done.added.chats, done.problems]).toEqual(['done', 1, 1])
  })
})
