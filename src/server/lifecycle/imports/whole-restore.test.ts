import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { citationTag, findCitations } from '#shared/platform/citations/citation-tags.ts'
import { aMessage, aSession, aUser } from '#tests/builders.ts'
import type { Chat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import {
  anAnswer,
  archiveOf,
  branchOf,
  importerOf,
  positionsOf,
  returnTo,
  startTwo,
  withoutIds,
} from '#tests/imports/two-installations.ts'
import { says } from '#tests/model-server.ts'
import { zipOf } from '#tests/zip.ts'

let two: Awaited<ReturnType<typeof startTwo>>
let reader: Reader
beforeAll(async () => {
  two = await startTwo()
})
afterAll(() => two?.close())
beforeEach(async () => {
  two.old.user = await aUser(two.old.app)
  two.fresh.user = await aUser(two.fresh.app)
  reader = await aReader(two.old.app, two.old.url, two.old.user)
})

const [builtIn = ''] = builtInIds

/** Reads what this test restores, in an order that does not depend on ids. */
async function stateOf({ app, user }: Pick<Chat, 'app' | 'user'>) {
  const of = async (query: ReturnType<typeof sql>) => (await query.execute(app.deps.db)).rows
  const { id } = user
  return withoutIds({
    projects:
      await of(sql`select w.id, w.name, w.description, w.colour, w.icon, w.instructions, w.instructions_version,
      w.assistant_id, w.model_name, w.created_at, w.archived_at is not null as is_archived, k.is_pinned, k.is_collapsed, k.position
      from workspaces w left join project_marks k on k.workspace_id = w.id and k.user_id = w.user_id
      where w.user_id = ${id} and not w.is_default order by w.name`),
    instructions: await of(sql`select w.name, v.version, v.text, v.created_at from instruction_versions v
      join workspaces w on w.id = v.workspace_id where w.user_id = ${id} order by w.name, v.version`),
    placed:
      await of(sql`select w.name as project, d.name from workspace_documents p join workspaces w on w.id = p.workspace_id
      join documents d on d.id = p.document_id where w.user_id = ${id} and not w.is_default order by w.name, d.name`),
    chats:
      await of(sql`select s.id, s.title, s.workspace_id, s.session_metadata, s.model_name, s.forked_from, s.forked_message,
      s.fork_end, k.position, k.archived_at is not null as is_archived, k.tags, s.activity > coalesce(k.seen, 0) as is_unread
      from sessions s left join session_marks k on k.session_id = s.id and k.user_id = s.user_id where s.user_id = ${id}
      order by s.title`),
    messages: await of(sql`select m.id, m.session_id, m.content, m.metadata from messages m
      join sessions s on s.id = m.session_id where s.user_id = ${id} order by s.title, m.created_at, m.content`),
    facts: await of(
      sql`select f.id, f.text, f.workspace_id, f.state, f.fact_id from facts f where f.user_id = ${id} order by f.text`,
    ),
    uses: await of(sql`select u.message_id, u.fact_id, u.place, u.text from fact_uses u join facts f on f.id = u.fact_id
      where f.user_id = ${id} order by u.text`),
    documents:
      await of(sql`select d.id, d.name, d.version, d.tags, d.is_starred, d.source_url, d.created_at from documents d
      where d.user_id = ${id} order by d.name`),
    versions: await of(sql`select v.document_id, v.version, v.name, b.sha256 from document_versions v
      join documents d on d.id = v.document_id join readings r on r.id = v.reading_id join blobs b on b.id = r.blob_id
      where d.user_id = ${id} order by d.name, v.version`),
    assistants:
      await of(sql`select a.id, a.name, a.description, a.icon, a.agent_type, a.model_name, a.system_prompt,
      a.example_prompts, a.temperature, a.documents, a.workspaces, a.tools from assistants a where a.user_id = ${id} order by a.name`),
    prompts:
      await of(sql`select p.name, p.command, p.text, p.fields, p.assistant_id, p.model_name, p.tools, p.documents
      from prompts p where p.user_id = ${id} order by p.name`),
    positions:
      await of(sql`select s.id, m.id as message_id, c.position, c.key, c.value::jsonb -> 'events' -> 0 ->> 'kind' as kind, l.label
      from run_records c join runs r on r.id = c.run_id join sessions s on s.id = r.session_id join messages m on m.id = r.message_id
      left join checkpoint_labels l on l.run_id = c.run_id and l.key = c.key
      where s.user_id = ${id} and c.kind = 'checkpoint' order by s.title, c.created_at`),
    schedules: await of(
      sql`select c.name, c.rule, c.things from schedules c where c.user_id = ${id} order by c.name`,
    ),
  })
}

/** Creates a project with instructions, a document of two versions, facts, chats that were forked and compared, and schedules. */
async function aFullAccount() {
  const { app, user } = two.old
  const { db } = app.deps
  const { call } = reader
  const project = (await call('POST', '/workspaces', { name: 'Leases', description: 'Rents' })).body.id
  for (const [at, text] of ['Be exact.', 'Be brief.'].entries())
    await call('PUT', `/projects/${project}`, { instructions: { text, based_on: at } })
  const look = { colour: 'red', icon: 'scale', assistant_id: builtIn, model_name: 'atrium/offline' }
  await call('PUT', `/projects/${project}`, look)
  await db
    .insertInto('project_marks')
    .values({ user_id: user.id, workspace_id: project, is_pinned: true, is_collapsed: false, position: 3 })
    .execute()
  const written = {
    name: 'Lawyer',
    description: 'Leases',
    system_prompt: 'Be exact.',
    example_prompts: ['Which?'],
  }
  const chosen = {
    tools: ['calculator'],
    model_name: 'atrium/offline',
    temperature: 0.5,
    workspaces: [project],
  }
  const assistant = (await call('POST', '/assistants', { ...written, ...chosen })).body.id
  await call('PUT', `/projects/${project}`, { assistant_id: assistant })
  const start = { assistant_id: assistant, tools: ['calculator'], model_name: 'atrium/offline' }
  await call('POST', '/prompts', { name: 'Greet', command: 'greet', text: 'Hello {{who}}', ...start })
  await call('POST', '/facts', { text: 'I live in Lyon' })
  const closed = (await call('POST', '/workspaces', { name: 'Old leases' })).body.id
  await call('PUT', `/projects/${closed}/archive`)
  const document = (
    await reader.upload({
      name: 'lease.txt',
      content: 'The rent is 900 euros.',
      fields: { workspace_id: project },
    })
  ).body.id
  await reader.processed(document)
  await reader.upload(
    { name: 'lease-2.txt', content: 'The rent is 950 euros.' },
    `/documents/${document}/versions`,
  )
  await reader.processed(document)
  await call('PATCH', `/documents/${document}`, { tags: ['rent/2026', 'signed'], is_starred: true })
  await sql`update documents set source_url = 'https://files.test/lease' where id = ${document}`.execute(db)
  const remembered = { text: 'The year begins in June', workspace_id: project }
  const fact = (await call('POST', '/facts', remembered)).body.fact.id
  const origin = await aSession(app, user, { title: 'Origin', turns: 1 })
  const [question = '', reply = ''] = origin.messageIds
  const compared = await aMessage(app, origin.id, { parentId: question, role: 'assistant', content: 'Other' })
  await sql`update messages set metadata = ${JSON.stringify({ compared_in: reply })}::jsonb where id = ${compared.id}`.execute(
    db,
  )
  await sql`insert into fact_uses (message_id, fact_id, place, text) values (${reply}, ${fact}, 1, 'The year begins in June')`.execute(
    db,
  )
  const fork = (await call('POST', `/sessions/${origin.id}/messages/${reply}/fork`, {})).body.id
  await call('PUT', `/sessions/${fork}/rename`, { title: 'Fork' })
  await call('PUT', '/session-projects', {
    items: [{ session_id: fork, workspace_id: project, is_shared: false }],
  })
  await sql`update sessions set session_metadata = session_metadata || ${JSON.stringify({ effort: 'low' })}::jsonb,
    activity = 2, model_name = 'atrium/offline' where id = ${fork}`.execute(db)
  await sql`insert into session_marks (user_id, session_id, position, tags, seen) values
    (${user.id}, ${fork}, 2, '{rent}', 1)
    on conflict (user_id, session_id) do update set position = 2, tags = '{rent}', seen = 1`.execute(db)
  const base = { text: 'Report', time_zone: 'Europe/Paris', max_cost: 2, overlap: 'skip' }
  const first = (await call('POST', '/schedules', { ...base, name: 'A call', rule: { kind: 'call' } })).body
    .id
  await call('POST', '/schedules', {
    ...base,
    name: 'B follows',
    rule: { kind: 'schedule_run', schedule_id: first },
  })
  const watched = { kind: 'document', workspace_id: project }
  await call('POST', '/schedules', {
    ...base,
    name: 'C watches',
    rule: watched,
    things: [{ kind: 'workspace', id: project }],
  })
  return { project, document, origin: origin.id, question, reply, first }
}

describe('an archive of a person', () => {
  it('restores completely: chats with branches and positions, documents, assistants, prompts, memory, projects and paused schedules [IP-07]', {
    timeout: 180_000,
  }, async () => {
    await aFullAccount()
    const { old, fresh } = two
    await anAnswer(old)
    const archive = await archiveOf(old.app, importerOf(old))
    const to = importerOf(fresh)
    const before = await stateOf(fresh)
    const done = await to.importAll(archive)
    expect([done.state, done.error, await to.problems(done.id)]).toEqual(['done', null, []])
    expect(done.added).toMatchObject({
      chats: 3,
      projects: 2,
      facts: 2,
      schedules: 3,
      files: 1,
      assistants: 1,
      prompts: 1,
    })
    expect(done.preview).toMatchObject({ projects: 2 })
    const expected = await stateOf(old)
    expect(await stateOf(fresh)).toEqual(expected)
    const { items } = (await to.call('GET', '/schedules')).body
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['paused', 'paused', 'paused'])
    const again = await to.importAll(archive)
    expect(Object.values(again.added).every((count) => count === 0)).toBe(true)
    expect(await stateOf(fresh)).toEqual(expected)
    await to.undo(again.id)
    expect(await to.undo(done.id)).toMatchObject({ state: 'undone', kept: 0 })
    expect(await stateOf(fresh)).toEqual(before)
    // A position works in the next import too.
    await to.importAll(archive)
    const chat = (await to.chats()).find(({ title }: { title: string }) => title === 'What is 6 times 7?')
    const computed = (await positionsOf(fresh, chat.id)).find(({ label }) => label === 'Computed')
    fresh.model.reply([says('Forty-two.')])
    await (await returnTo(fresh, chat.id, computed)).ended
    expect((await branchOf(fresh, chat.id))[1]).toMatchObject({ content: 'Forty-two.', status: 'completed' })
  })

  it('restores a trigger without its secret, and one is made when it is wanted', async () => {
    const { first } = await aFullAccount()
    const { old, fresh } = two
    const secret = (await reader.call('POST', `/schedules/${first}/secret`, { keeps_previous: false })).body
    const archive = await archiveOf(old.app, importerOf(old))
    expect(archive.includes(secret.secret)).toBe(false)
    const to = importerOf(fresh)
    await to.importAll(archive)
    const { items } = (await to.call('GET', '/schedules')).body
    const restored = items.find(({ name }: { name: string }) => name === 'A call')
    expect(restored.state).toBe('paused')
    const { rows } = await sql`select from trigger_secrets where schedule_id = ${restored.id}`.execute(
      fresh.app.deps.db,
    )
    expect(rows).toEqual([])
    const made = await to.call('POST', `/schedules/${restored.id}/secret`, { keeps_previous: false })
    expect(made.body.secret).toEqual(expect.any(String))
    expect(made.body.secret).not.toBe(secret.secret)
  })

  it('restores citations, which open at the same place of the same version', async () => {
    const { document, question } = await aFullAccount()
    const { old, fresh } = two
    const { rows: passages } = await sql<{ id: string; version: number; text: string; place: object }>`
      select c.id, v.version, c.text, c.place from chunks c join document_versions v on v.reading_id = c.reading_id
      where v.document_id = ${document} order by v.version`.execute(old.app.deps.db)
    expect(passages.map(({ version }) => version)).toEqual([1, 2])
    const [earlier, newer] = passages.map(({ id }) => id) as [string, string]
    const foreign = randomUUID()
    const text = `It was 900 ${citationTag(earlier, 1)}, it is 950 ${citationTag(newer, 2)}, and ${citationTag(foreign, 3)}.`
    const sourceOf = (id: string, number: number, document_id: string) => ({
      ...{ id, number, title: 'lease.txt', url: null },
      passage: { document_id, document_name: 'lease.txt', heading_path: [], page_number: null, place: {} },
    })
    const sources = [
      sourceOf(earlier, 1, document),
      sourceOf(newer, 2, document),
      sourceOf(foreign, 3, randomUUID()),
    ]
    const { rows: found } = await sql<{
      session_id: string
    }>`select session_id from messages where id = ${question}`.execute(old.app.deps.db)
    const cited = await aMessage(old.app, found[0]?.session_id ?? '', {
      ...{ parentId: question, role: 'assistant', content: text },
      blocks: [{ type: 'text', id: 't', text, sources }],
    })
    expect(cited.id).not.toBe('')
    const to = importerOf(fresh)
    await to.importAll(await archiveOf(old.app, importerOf(old)))
    const there = await aReader(fresh.app, fresh.url, fresh.user)
    const [restored] = (await there.call('GET', '/documents')).body.items
    await there.processed(restored.id)
    const { rows } = await sql<{
      content: string
      blocks: { text: string; sources: { id: string; passage: object }[] }[]
    }>`
      select m.content, m.blocks from messages m join sessions s on s.id = m.session_id
      where s.user_id = ${fresh.user.id} and m.content like 'It was 900%'`.execute(fresh.app.deps.db)
    const [message] = rows
    expect(message?.content).toContain('[3].')
    const ids = findCitations(message?.content ?? '').map(({ chunk_id }) => chunk_id)
    expect(message?.blocks[0]?.sources.map(({ id }) => id)).toEqual(ids)
    expect(message?.blocks[0]?.sources[0]?.passage).toMatchObject({ document_id: restored.id })
    const { rows: opened } = await sql<{ version: number; text: string; place: object }>`
      select v.version, c.text, c.place from chunks c join document_versions v on v.reading_id = c.reading_id
      where c.id = any(${ids}::uuid[]) and v.document_id = ${restored.id} order by v.version`.execute(
      fresh.app.deps.db,
    )
    expect(opened).toEqual(
      passages.map(({ version, text: words, place }) => ({ version, text: words, place })),
    )
    const words = await there.call('POST', '/rag/passages', { chunk_ids: ids })
    expect(words.body.passages.map((one: { chunk_id: string }) => one.chunk_id).sort()).toEqual(
      [...ids].sort(),
    )
  })

  it('keeps a project that was changed after the import, with its assistant', async () => {
    await aFullAccount()
    const { old, fresh } = two
    const to = importerOf(fresh)
    const done = await to.importAll(await archiveOf(old.app, importerOf(old)))
    const { items } = (await to.call('GET', '/projects')).body
    await to.call('PUT', `/projects/${items[0].id}`, { colour: 'green' })
    // The schedule that watches the project goes, and the project stays.
    expect(await to.undo(done.id)).toMatchObject({ state: 'undone', kept: 2 })
    expect((await to.call('GET', '/projects')).body.items).toMatchObject([
      { name: 'Leases', colour: 'green' },
    ])
  })
})

describe('an archive that is made to harm', () => {
  it('names nothing of others, and lists what is damaged', async () => {
    const { project, document, origin, reply } = await aFullAccount()
    const thief = importerOf({ url: two.old.url, user: await aUser(two.old.app) })
    const chat = {
      ...{ format: 'atrium-chat', id: 'c', title: 'Mine', workspace_id: project, pin_position: -1 },
      session_metadata: { assistant_id: randomUUID(), agent_type: 'root', temperature: 'hot' },
      messages: [
        { id: 'q', role: 'user', content: 'Hi' },
        {
          ...{ id: 'a', parent_id: 'q', role: 'assistant', content: 'Hi' },
          original: {
            content: `Hi ${citationTag(randomUUID(), 1)}`,
            metadata: { compared_in: reply },
            passages: [{ id: randomUUID(), document_id: document, version: 1, position: 0, text: 'x' }],
          },
        },
      ],
    }
    const plan = {
      ...{ id: 'p', name: 'Plan', is_default: false, instructions_version: 7, colour: 'none', icon: 5 },
      ...{
        documents: [document, { a: 1 }],
        versions: [{ text: 'x'.repeat(50_000) }, 'no'],
        mark: { position: -3 },
      },
      assistant_id: randomUUID(),
    }
    const done = await thief.importAll(
      zipOf({
        'chats/c.json': JSON.stringify(chat),
        'data/workspaces.json': JSON.stringify([plan, { ...plan, id: 'q', name: '' }]),
        'data/forks.json': JSON.stringify([
          { fork: 'c', forked_from: 'c' },
          { fork: 'c', forked_from: origin, forked_message: reply },
          { fork: null, forked_from: null },
        ]),
        'data/memory-uses.json': JSON.stringify([
          { fact_id: 'f', message_id: reply, session_id: origin, place: 1, text: 'Hello' },
          { fact_id: 'f', message_id: 'a', session_id: 'c', place: 'x', text: 'Hello' },
        ]),
      }),
    )
    expect([done.state, done.error]).toEqual(['done', null])
    expect(done.added).toMatchObject({ chats: 1, projects: 1 })
    expect(
      (await thief.problems(done.id)).map(({ kind, reason }: { kind: string; reason: string }) => [
        kind,
        reason,
      ]),
    ).toEqual([
      ['project', 'damaged'],
      ['chat', 'damaged'],
      ['chat', 'damaged'],
    ])
    const { items } = (await thief.call('GET', '/projects')).body
    expect(items).toMatchObject([{ name: 'Plan', colour: 'blue', icon: 'folder' }])
    expect((await thief.call('GET', `/projects/${items[0].id}`)).body).toMatchObject({
      document_count: 0,
      assistant: null,
    })
    const [session] = await thief.chats()
    const { rows } = await sql<{
      workspace_id: string | null
      forked_from: string | null
      content: string
      metadata: object
    }>`
      select s.workspace_id, s.forked_from, m.content, m.metadata from sessions s join messages m on m.session_id = s.id
      where s.id = ${session.id} and m.role = 'assistant'`.execute(two.old.app.deps.db)
    expect(rows).toEqual([{ workspace_id: null, forked_from: null, content: 'Hi [1]', metadata: {} }])
  })
})
