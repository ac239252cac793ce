import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf } from '#shared/chat/messages/message-files.ts'
import { MAX_IMPORT_BYTES } from '#shared/lifecycle/imports/imports.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aMessage, aUser } from '#tests/builders.ts'
import { chatgptChat } from '#tests/imports/chatgpt-export.ts'
import { anImporter } from '#tests/imports/importing.ts'
import { zipOf } from '#tests/zip.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import type { ForeignItem } from './readers/foreign.ts'
import { Stopped, type Work } from './writing/work.ts'
import { writeItem } from './writing/write-item.ts'

let app: TestApp
let base: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
})
afterAll(() => app.close())

const ada = async () => anImporter(base, await aUser(app))
const exportOf = (...chats: unknown[]) => JSON.stringify(chats)
const zipped = (chats: unknown[], more: Record<string, string | Uint8Array> = {}) =>
  zipOf({ 'conversations.json': JSON.stringify(chats), 'user.json': '{"id":"user-1"}', ...more })
const four = ['a', 'b', 'c', 'd'].map((id) => ({ id }))

describe('an import', () => {
  it('lists what an export contains before anything is imported [IP-03]', async () => {
    const person = await ada()
    const tree = chatgptChat({
      id: 'tree',
      messages: [{ id: 'q' }, { id: 'one' }, { id: 'two', parent: 'q', role: 'assistant' }],
    })
    const withFile = chatgptChat({
      id: 'files',
      archived: true,
      messages: [
        {
          id: 'f',
          metadata: {
            attachments: [
              { id: 'file-AbC1', name: 'lease.txt' },
              { id: 'file-Gone', name: 'gone.pdf' },
            ],
          },
        },
      ],
    })
    const damaged = { title: 'Broken', mapping: { x: 1 }, current_node: 'x', conversation_id: 'broken' }
    const read = await person.preview(
      zipped([tree, withFile, damaged], { 'file-AbC1-lease.txt': 'The lease.' }),
    )
    expect(read).toMatchObject({ state: 'ready', format: 'chatgpt', total: 3, problems: 2 })
    expect(read.preview).toEqual({
      ...{ chats: 2, new_chats: 2, branched: 1, archived: 1, messages: 4, files: 1, file_bytes: 10 },
      ...{ assistants: 0, prompts: 0, facts: 0, schedules: 0, projects: 0 },
      ...{ first_at: '2023-11-14T22:13:20.000Z', last_at: '2023-11-14T22:13:22.000Z' },
    })
    expect(await person.problems(read.id)).toEqual([
      { kind: 'file', title: 'gone.pdf', reason: 'file_missing' },
      { kind: 'chat', title: 'Broken', reason: 'damaged' },
    ])
    expect(await person.chats()).toEqual([])
  })

  it('imports the other chats when one is damaged, and names the damaged one with its reason [IP-04]', async () => {
    const person = await ada()
    const loop = chatgptChat({
      id: 'loop',
      title: 'Loop',
      messages: [
        { id: 'x', parent: 'y' },
        { id: 'y', parent: 'x' },
      ],
    })
    const good = chatgptChat({ id: 'good', title: 'Good', messages: four })
    const done = await person.importAll(
      `[${JSON.stringify(loop)},{"mapping":,${JSON.stringify(good).slice(1)},${JSON.stringify(good)}]`,
    )
    expect(done).toMatchObject({ state: 'done', added: { chats: 1, messages: 4 } })
    expect((await person.chats()).map(({ title }: { title: string }) => title)).toEqual(['Good'])
    expect(await person.problems(done.id)).toEqual([
      { kind: 'chat', title: 'Loop', reason: 'loop' },
      { kind: 'chat', title: '', reason: 'damaged' },
    ])
  })

  it('keeps branches, times, models and the shown branch, without hidden text and tool calls', async () => {
    const person = await ada()
    const hidden = { is_visually_hidden_from_conversation: true }
    const chat = chatgptChat({
      id: 'tree',
      title: 'Lease',
      current: 'b2',
      messages: [
        { id: 's', role: 'system', text: 'You are ChatGPT.' },
        { id: 'h', role: 'user', text: 'Profile', metadata: hidden },
        { id: 'q', role: 'user', text: 'When does it end?' },
        { id: 'a', role: 'assistant', text: 'Let me look.' },
        { id: 't', role: 'assistant', text: 'search()', more: { recipient: 'browser' } },
        { id: 'r', role: 'tool', text: 'raw result' },
        { id: 'a2', role: 'assistant', text: '```js\nend()\n```' },
        { id: 'b', role: 'user', parent: 's', text: 'When does it begin?' },
        { id: 'b2', role: 'assistant', text: 'In 2020.' },
      ],
    })
    await person.importAll(exportOf(chat))
    const [session] = await person.chats()
    expect(session).toMatchObject({ title: 'Lease', created_at: '2023-11-14T22:13:20.000Z' })
    const shown = await person.branch(session.id)
    expect(shown.branch_count).toBe(2)
    const told = ({ role, content, model_name, created_at }: Record<string, string>) => [
      role,
      content,
      model_name,
      created_at,
    ]
    expect(shown.active_branch.map(told)).toEqual([
      ['user', 'When does it begin?', null, '2023-11-14T22:13:27.000Z'],
      ['assistant', 'In 2020.', 'gpt-4o', '2023-11-14T22:13:28.000Z'],
    ])
    const other = shown.forks[0].later_id
    const { body } = await person.call('GET', `/sessions/${session.id}/active-branch?around=${other}`)
    expect(JSON.stringify(body)).not.toMatch(/raw result|search\(\)|Profile|You are ChatGPT/)
  })

  it('adds only what is new when an export is imported again, also in a continued chat [IP-05]', async () => {
    const person = await ada()
    const before = [chatgptChat({ id: 'one', title: 'One', messages: four })]
    const first = await person.importAll(zipped(before))
    expect(first.added).toEqual({
      chats: 1,
      messages: 4,
      files: 0,
      assistants: 0,
      prompts: 0,
      facts: 0,
      schedules: 0,
      projects: 0,
    })
    expect((await person.importAll(zipped(before))).added).toMatchObject({ chats: 0, messages: 0 })
    const [{ id }] = await person.chats()
    const grown = [...before, chatgptChat({ id: 'two', title: 'Two', messages: four })]
    const longer = chatgptChat({
      id: 'one',
      title: 'One',
      messages: [...four, { id: 'e', text: 'New there' }],
    })
    const again = await person.preview(zipped([longer, grown[1]]))
    expect(again.preview).toMatchObject({ chats: 2, new_chats: 1 })
    expect((await person.start(again.id)).added).toMatchObject({ chats: 1, messages: 5 })
    expect((await person.branch(id)).active_branch.at(-1).content).toBe('New there')
    // The person continues the chat here; a later export changes nothing of it.
    const { active_branch } = await person.branch(id)
    const own = await aMessage(app, id, { parentId: active_branch.at(-1).id, content: 'Mine' })
    const later = chatgptChat({
      id: 'one',
      title: 'One',
      messages: [...four, { id: 'e', text: 'New there' }, { id: 'f', text: 'Newer there' }],
    })
    expect((await person.importAll(zipped([later]))).added).toMatchObject({ chats: 0, messages: 1 })
    const shown = await person.branch(id)
    expect(shown.active_branch.at(-1).id).toBe(own.id)
    expect(shown.branch_count).toBe(2)
    expect((await person.chats()).length).toBe(2)
  })

  it('is undone as a whole, except chats that were continued [IP-06]', async () => {
    const person = await ada()
    const file = { attachments: [{ id: 'file-AbC1', name: 'lease.txt' }] }
    const chats = [
      chatgptChat({ id: 'one', title: 'One', messages: [{ id: 'a', metadata: file }, { id: 'b' }] }),
      chatgptChat({ id: 'two', title: 'Two', messages: four }),
    ]
    const content = zipped(chats, { 'file-AbC1-lease.txt': 'The lease.' })
    const done = await person.importAll(content)
    expect(done.added).toMatchObject({ chats: 2, messages: 6, files: 1 })
    expect((await person.call('GET', '/documents')).body.total).toBe(1)
    const two = (await person.chats()).find(({ title }: { title: string }) => title === 'Two')
    const last = (await person.branch(two.id)).active_branch.at(-1)
    await aMessage(app, two.id, { parentId: last.id, content: 'Mine' })
    const undone = await person.undo(done.id)
    expect(undone).toMatchObject({ state: 'undone', kept: 1, added: { chats: 1, messages: 4, files: 0 } })
    expect((await person.chats()).map(({ title }: { title: string }) => title)).toEqual(['Two'])
    expect(
      (await person.branch(two.id)).active_branch.map(({ content }: { content: string }) => content),
    ).toEqual([...['Text a', 'Text b', 'Text c', 'Text d'], 'Mine'])
    expect((await person.call('GET', '/documents')).body.total).toBe(0)
    // Importing again brings back what was removed, once.
    expect((await person.importAll(content)).added).toMatchObject({ chats: 1, messages: 2, files: 1 })
    expect((await person.chats()).length).toBe(2)
  })

  it('imports everything again when its undo failed halfway', async () => {
    const person = await ada()
    const read = await person.preview(exportOf(chatgptChat({ id: 'one', messages: four })))
    const set = (change: { state: 'stopped' | 'failed'; done?: number }) =>
      app.deps.db.updateTable('imports').set(change).where('id', '=', read.id).execute()
    await set({ state: 'stopped', done: 1 })
    await person.undo(read.id)
    await set({ state: 'failed' })
    expect((await person.start(read.id)).added).toMatchObject({ chats: 1, messages: 4 })
  })

  it('leaves a document that a schedule uses when it is undone', async () => {
    const account = await aUser(app)
    const person = anImporter(base, account)
    const metadata = { attachments: [{ id: 'file-AbC1', name: 'lease.txt' }] }
    const chat = chatgptChat({ id: 'one', messages: [{ id: 'a', metadata }] })
    const done = await person.importAll(zipped([chat], { 'file-AbC1-lease.txt': 'The lease.' }))
    const [{ id, name }] = (await person.call('GET', '/documents')).body.items
    const things = JSON.stringify([{ kind: 'document', id, name }])
    await sql`insert into schedules (user_id, kind, name, rule, time_zone, anchor_at, text, things, planned_until)
      values (${account.id}, 'prompt', 'Watch', '{}', 'UTC', now(), 'Sum up', ${things}, now())`.execute(
      app.deps.db,
    )
    await person.undo(done.id)
    expect((await person.call('GET', '/documents')).body.items).toMatchObject([{ id }])
  })

  it('takes back messages that it added to a chat of an earlier import', async () => {
    const person = await ada()
    await person.importAll(exportOf(chatgptChat({ id: 'one', messages: four })))
    const [{ id }] = await person.chats()
    const longer = chatgptChat({ id: 'one', messages: [...four, { id: 'e' }, { id: 'f' }] })
    const second = await person.importAll(exportOf(longer))
    expect((await person.branch(id)).total).toBe(6)
    expect(await person.undo(second.id)).toMatchObject({ state: 'undone', kept: 0 })
    const { active_branch, total } = await person.branch(id)
    expect([active_branch.at(-1).content, total]).toEqual(['Text d', 4])
  })

  it('lists files with their messages as documents, each once', async () => {
    const person = await ada()
    const file = { attachments: [{ id: 'file-AbC1', name: 'lease.txt' }] }
    const done = await person.importAll(
      zipped(
        [
          chatgptChat({ id: 'one', title: 'One', messages: [{ id: 'a', metadata: file }] }),
          chatgptChat({ id: 'two', title: 'Two', messages: [{ id: 'a', metadata: file }] }),
        ],
        { 'file-AbC1-lease.txt': 'The lease.' },
      ),
    )
    expect(done.added).toMatchObject({ chats: 2, files: 1 })
    const names = []
    for (const { id } of await person.chats()) {
      const [message] = (await person.branch(id)).active_branch
      names.push(...filesOf(message.metadata).map(({ name }) => name))
    }
    expect(names).toEqual(['lease.txt', 'lease.txt'])
    expect((await person.call('GET', '/documents')).body.items).toMatchObject([{ name: 'lease.txt' }])
  })

  it('continues after it was stopped', async () => {
    const person = await ada()
    const many = Array.from({ length: 300 }, (_, at) => chatgptChat({ id: `c${at}`, messages: four }))
    const read = await person.preview(exportOf(...many))
    expect((await person.call('POST', `/imports/${read.id}/stop`)).status).toBe(409)
    await person.call('POST', `/imports/${read.id}/start`, {})
    await expect.poll(async () => (await person.chats()).length, { timeout: 20_000 }).toBeGreaterThan(0)
    const { body } = await person.call('POST', `/imports/${read.id}/stop`)
    expect(body.state).toBe('stopped')
    expect(await person.start(read.id)).toMatchObject({
      state: 'done',
      added: { chats: 300, messages: 1200 },
    })
  })

  it('writes nothing more once it was stopped or is undone', async () => {
    const account = await aUser(app)
    const person = anImporter(base, account)
    const read = await person.preview(exportOf(chatgptChat({ id: 'one', messages: four })))
    const setState = (state: 'importing' | 'undoing') =>
      app.deps.db.updateTable('imports').set({ state }).where('id', '=', read.id).execute()
    const user = { ...(await readUser(app.deps, account.id)), tokenHash: Buffer.alloc(0), verified: true }
    const work: Work = {
      ...{ deps: app.deps, importId: read.id, origin: { user_id: account.id, source: 'atrium' } },
      ...{
        opened: { sources: [], members: new Map(), read: () => Promise.reject(), close: () => undefined },
      },
      shelf: {
        findById: () => null,
        findDocument: () => null,
        findVersion: () => null,
        findMade: () => null,
      },
      ...{ user: { kind: 'user', ...user }, signal: new AbortController().signal },
    }
    const file = { id: 'f', name: 'lease.txt', content: { from: 'text' as const, text: 'The lease.' } }
    const items: ForeignItem[] = [
      {
        ...{ kind: 'document', file, tags: [], isStarred: false, at: null },
        versions: [{ number: 1, file, pipeline: null }],
      },
      {
        ...{ kind: 'project', id: 'w', name: 'Leases', description: null, colour: 'red', icon: 'scale' },
        ...{
          assistant: null,
          model: null,
          documents: ['f'],
          instructions: [],
          at: null,
          archived: null,
          mark: null,
        },
      },
      { kind: 'fork', chat: 'one', from: 'two', message: null, end: null },
      { kind: 'memory_use', chat: 'one', message: 'm', fact: 'f', place: 1, text: 'Lyon' },
      {
        ...{
          kind: 'journal',
          run: 'r',
          chat: 'one',
          message: 'm',
          agent: 'multi_turn',
          version: 1,
          model: null,
        },
        ...{ fork: null, labels: [], records: [] },
      },
      { kind: 'prompt', id: 'p', name: 'Sum up', command: 'sum', text: 'Sum up', fields: [] },
      {
        ...{ kind: 'assistant', id: 'a', name: 'Lawyer', description: '', instructions: 'Be brief.' },
        ...{ examples: [], temperature: null, files: [] },
      },
    ]
    await setState('undoing')
    for (const item of items) await expect(writeItem(work, item, 1), item.kind).rejects.toThrow(Stopped)
    expect((await person.call('GET', '/documents')).body.total).toBe(0)
    await setState('importing')
    for (const item of [...items, ...items]) await writeItem(work, item, 1)
    expect((await person.call('GET', `/imports/${read.id}`)).body).toMatchObject({
      added: { files: 1, assistants: 1, prompts: 1, projects: 1 },
      problems: 0,
    })
  })

  it('is started, read and undone only while no other import of the person is under way', async () => {
    const person = await ada()
    const made = (id: string) => exportOf(chatgptChat({ id, messages: four }))
    const done = await person.importAll(made('one'))
    const [ready, busy] = [await person.preview(made('two')), await person.preview(made('three'))]
    const setState = (state: 'importing' | 'ready') =>
      app.deps.db.updateTable('imports').set({ state }).where('id', '=', busy.id).execute()
    const upload_id = await person.upload('x.json', Buffer.from(made('four')))
    await setState('importing')
    expect((await person.call('POST', `/imports/${ready.id}/start`, {})).status).toBe(409)
    expect((await person.call('POST', `/imports/${done.id}/undo`)).status).toBe(409)
    expect((await person.call('POST', '/imports', { upload_id })).status).toBe(409)
    await setState('ready')
    const both = [ready, busy].map(({ id }) => person.call('POST', `/imports/${id}/start`, {}))
    expect((await Promise.all(both)).map(({ status }) => status)).toContain(200)
  })

  it('is refused when the stored files of all imports would exceed its limit', async () => {
    const person = await ada()
    const read = await person.preview(exportOf(chatgptChat({ id: 'one', messages: four })))
    await app.deps.db
      .updateTable('imports')
      .set({ size: MAX_IMPORT_BYTES - 10 })
      .where('id', '=', read.id)
      .execute()
    const begin = (size: number) => person.call('POST', '/imports/uploads', { name: 'x.zip', size })
    expect((await begin(10)).status).toBe(201)
    expect(await begin(11)).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
  })

  it('is refused to other people', async () => {
    const person = await ada()
    const read = await person.preview(exportOf(chatgptChat({ id: 'one', messages: four })))
    const other = await ada()
    for (const path of [`/imports/${read.id}`, `/imports/${read.id}/problems`])
      expect((await other.call('GET', path)).status).toBe(403)
    const uploadId = await person.upload('x.json', Buffer.from('[]'))
    expect((await other.call('POST', '/imports', { upload_id: uploadId })).status).toBe(403)
  })
})
