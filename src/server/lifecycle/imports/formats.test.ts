import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Import } from '#shared/lifecycle/imports/imports.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aMessage, aSession, aUser } from '#tests/builders.ts'
import { chatgptChat } from '#tests/imports/chatgpt-export.ts'
import { anImporter, type Importer } from '#tests/imports/importing.ts'
import {
  claudeChat,
  claudeProject,
  librechatChat,
  openWebuiChat,
  openWebuiModel,
} from '#tests/imports/other-exports.ts'
import { zipOf } from '#tests/zip.ts'

let app: TestApp
let base: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
})
afterAll(() => app.close())

const ada = async () => anImporter(base, await aUser(app))
const json = (value: unknown) => JSON.stringify(value)
type Told = { role: string; content: string; model_name: string | null }

/** Returns the shown branch of the only chat. */
async function onlyChat(person: Importer) {
  const chats = await person.chats()
  expect(chats).toHaveLength(1)
  return { session: chats[0], shown: await person.branch(chats[0].id) }
}
const texts = (shown: { active_branch: Told[] }) => shown.active_branch.map(({ content }) => content)

describe('the export of ChatGPT', () => {
  it('keeps branches, edits, times, models, files, citations and code, and shows no system text and tool noise [IP-02]', async () => {
    const person = await ada()
    const url = 'https://example.com/law'
    const mark = '\ue200cite\ue202turn0search0\ue201'
    const references = [{ matched_text: mark, items: [{ title: 'Law', url }] }]
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_0A1' }
    const parts = { content: { content_type: 'multimodal_text', parts: [picture, 'Look'] } }
    const code = `It ends ${mark}.\n\n\`\`\`js\nend()\n\`\`\``
    const chat = chatgptChat({
      id: 'one',
      current: 'e2',
      messages: [
        { id: 's', role: 'system', text: 'Secret system text' },
        {
          id: 'h',
          role: 'user',
          text: 'Secret profile',
          metadata: { is_visually_hidden_from_conversation: true },
        },
        { id: 'q', role: 'user', more: parts },
        { id: 't', role: 'assistant', text: 'Secret call', more: { recipient: 'browser' } },
        { id: 'r', role: 'tool', text: 'Secret result' },
        { id: 'a', role: 'assistant', text: code, metadata: { content_references: references } },
        { id: 'b', role: 'assistant', parent: 'q', text: 'Another answer' },
        { id: 'e', role: 'user', parent: 'h', text: 'Edited' },
        { id: 'e2', role: 'assistant', text: 'Answer to the edit' },
      ],
    })
    const done = await person.importAll(
      zipOf({ 'x/chats.json': json([chat]), 'x/file_0A1-plan.png': 'not a picture' }),
    )
    expect(done).toMatchObject({ format: 'chatgpt', problems: 0, added: { chats: 1, messages: 5, files: 1 } })
    const { session, shown } = await onlyChat(person)
    expect([shown.branch_count, texts(shown)]).toEqual([3, ['Edited', 'Answer to the edit']])
    const rows = await app.deps.db
      .selectFrom('messages')
      .select(['content', 'model_name', 'created_at', 'metadata', 'blocks'])
      .where('session_id', '=', session.id)
      .orderBy('created_at')
      .execute()
    expect(
      rows.map((row) => [row.content, row.model_name, row.created_at.getTime() / 1_000 - 1_700_000_000]),
    ).toEqual([
      ['Look', null, 2],
      [code.replace(mark, `<websource url="${url}" title="Law">[1]</websource>`), 'gpt-4o', 5],
      ['Another answer', 'gpt-4o', 6],
      ['Edited', null, 7],
      ['Answer to the edit', 'gpt-4o', 8],
    ])
    expect(rows[0]?.metadata).toMatchObject({ files: [{ name: 'file_0A1-plan.png' }] })
    expect(rows[1]?.blocks).toMatchObject([{ sources: [{ id: url, url, title: 'Law', number: 1 }] }])
    expect(json(rows)).not.toContain('Secret')
  })
})

/** Returns the assistants of a person with their words and documents. */
async function draftsOf(person: Importer) {
  const { body } = await person.call('GET', '/assistants')
  const own = body.filter((one: { own: boolean }) => one.own)
  const drafts = []
  for (const { id } of own) drafts.push((await person.call('GET', `/assistants/${id}`)).body)
  return drafts
}

describe('assistants of an export', () => {
  it('become private drafts with the instructions and files of GPTs and Open WebUI models [IP-08]', async () => {
    const person = await ada()
    const display = { name: 'Brief', description: 'Short', prompt_starters: ['Hi'] }
    const gizmo = { id: 'g-1', instructions: 'Be brief.', display }
    const gpt = { gizmo, tools: [{ type: 'browser' }], files: [{ id: 'file-Rules1', name: 'rules.txt' }] }
    await person.importAll(zipOf({ 'gpts.json': json([gpt]), 'file-Rules1-rules.txt': 'Rule one.' }))
    const knowledge = [{ id: 'k', name: 'law.md', data: { content: 'Law one.' } }]
    const model = openWebuiModel('lawyer')
    await person.importAll(json([{ ...model, meta: { ...model.meta, knowledge } }]))
    const drafts = await draftsOf(person)
    const told = ({
      name,
      system_prompt,
      example_prompts,
      status,
      tools,
      documents,
      shared,
    }: Record<string, unknown[]>) => ({
      ...{ name, system_prompt, example_prompts, status, tools, shared, documents: documents?.length },
    })
    const common = { status: 'draft', tools: [], shared: false, documents: 1 }
    expect(drafts.map(told)).toEqual([
      {
        ...common,
        name: 'Lease lawyer',
        system_prompt: 'Answer as a lawyer.',
        example_prompts: ['When does it end?'],
      },
      { ...common, name: 'Brief', system_prompt: 'Be brief.', example_prompts: ['Hi'] },
    ])
    const { items } = (await person.call('GET', '/documents')).body
    expect(items.map(({ name }: { name: string }) => name).sort()).toEqual(['law.md', 'rules.txt'])
  })

  it('are left out when the person switches them off', async () => {
    const person = await ada()
    const read = await person.preview(json([openWebuiModel('lawyer')]))
    expect(read.preview).toMatchObject({ chats: 0, assistants: 1 })
    expect((await person.start(read.id, { with_assistants: false })).added.assistants).toBe(0)
  })

  it('stay left out when the import is stopped and continued', async () => {
    const person = await ada()
    const { id } = await person.preview(json([openWebuiModel('lawyer')]))
    const stopped = { state: 'stopped', with_assistants: false } as const
    await app.deps.db.updateTable('imports').set(stopped).where('id', '=', id).execute()
    expect(await person.start(id)).toMatchObject({ state: 'done', added: { assistants: 0 } })
  })
})

describe('the export of Claude', () => {
  it('becomes chats with the text of attachments, and drafts of projects', async () => {
    const person = await ada()
    const attachment = {
      file_name: 'lease.pdf',
      file_size: 9,
      file_type: 'pdf',
      extracted_content: 'The lease.',
    }
    const chat = claudeChat('one', [
      { attachments: [attachment], files: [{ file_name: 'photo.png' }] },
      {
        content: [
          { type: 'thinking', thinking: 'Hm' },
          { type: 'text', text: 'It ends.' },
          { type: 'tool_use', name: 'x' },
        ],
      },
    ])
    const done = await person.importAll(
      zipOf({
        'conversations.json': json([chat]),
        'projects.json': json([claudeProject('p')]),
        'users.json': '[{"uuid":"a"}]',
      }),
    )
    expect(done).toMatchObject({
      format: 'claude',
      problems: 1,
      added: { chats: 1, messages: 2, files: 2, assistants: 1 },
    })
    expect(await person.problems(done.id)).toEqual([
      { kind: 'file', title: 'photo.png', reason: 'file_missing' },
    ])
    const { session, shown } = await onlyChat(person)
    expect([session.title, texts(shown)]).toEqual(['Claude one', ['Text 0', 'It ends.']])
    const [draft] = await draftsOf(person)
    expect(draft).toMatchObject({
      name: 'Leases',
      system_prompt: 'Answer as a lawyer.',
      status: 'draft',
      tools: [],
    })
    expect(draft.documents).toHaveLength(1)
  })

  it('keeps edits as branches when it names parents', async () => {
    const person = await ada()
    const chat = claudeChat('one', [
      {},
      { parent_message_uuid: 'one-0' },
      { parent_message_uuid: '00000000-0000-4000-8000-000000000000', text: 'Edited' },
    ])
    await person.importAll(json([chat]))
    const { shown } = await onlyChat(person)
    expect([shown.branch_count, texts(shown)]).toEqual([2, ['Edited']])
  })
})

describe('the export of Open WebUI', () => {
  it('becomes chats with branches and pictures, and drafts of models', async () => {
    const person = await ada()
    const picture = {
      type: 'image',
      url: `data:image/png;base64,${Buffer.from('picture').toString('base64')}`,
    }
    const chat = openWebuiChat(
      'one',
      {
        q: { parentId: null, files: [picture, { type: 'image', url: 'https://example.com/a.png' }] },
        a: {
          parentId: 'q',
          role: 'assistant',
          model: 'llama3',
          content: '<details type="reasoning" done="true">Hm</details>\nYes.',
        },
        b: { parentId: 'q', role: 'assistant', model: 'qwen', content: 'No.' },
      },
      'a',
    )
    const done = await person.importAll(json([chat]), 'chats.json')
    expect(done).toMatchObject({ format: 'open_webui', added: { chats: 1, messages: 3, files: 1 } })
    expect(await person.problems(done.id)).toMatchObject([{ reason: 'file_elsewhere' }])
    const { shown } = await onlyChat(person)
    const [, answer] = shown.active_branch
    expect([shown.branch_count, answer.content, answer.model_name]).toEqual([2, 'Yes.', 'llama3'])
    const models = await person.importAll(json([openWebuiModel('lawyer')]), 'models.json')
    expect(models.added).toMatchObject({ assistants: 1 })
  })
})

describe('the export of LibreChat', () => {
  it.each([
    ['list', false],
    ['tree', true],
  ])('becomes a chat from a %s of messages', async (_, isTree) => {
    const person = await ada()
    const done = await person.importAll(json(librechatChat('one', isTree as boolean)), 'a.json')
    expect(done).toMatchObject({ format: 'librechat', added: { chats: 1, messages: 3 } })
    const { session, shown } = await onlyChat(person)
    expect([session.title, shown.branch_count, texts(shown)]).toEqual([
      'Libre one',
      2,
      ['Text q', 'Text two'],
    ])
  })
})

it('keeps what LibreChat shows of a reply that was interrupted', async () => {
  const person = await ada()
  const chat = librechatChat('one', false)
  const messages = chat.messages.map((one) => ({ ...one, unfinished: one.messageId === 'two' }))
  await person.importAll(json({ ...chat, messages }), 'a.json')
  expect(texts((await onlyChat(person)).shown)).toEqual(['Text q', 'Text two'])
})

describe('our own archive', () => {
  it('restores chats with branches, documents, assistants and prompts for another person', async () => {
    const user = await aUser(app)
    const [from, to] = [anImporter(base, user), await ada()]
    const { id, messageIds } = await aSession(app, user, { title: 'Lease', turns: 1 })
    await aMessage(app, id, {
      parentId: messageIds[0] as string,
      role: 'assistant',
      content: 'Another answer',
    })
    await app.deps.db
      .updateTable('messages')
      .set({ blocks: JSON.stringify([{ type: 'text', id: 't', text: 'Another answer' }]) })
      .where('content', '=', 'Another answer')
      .execute()
    const form = new FormData()
    form.set('file', new Blob(['The lease ends in 2027.']), 'lease.txt')
    await fetch(`${base}/documents/upload`, { method: 'POST', headers: user.headers, body: form })
    await from.call('POST', '/assistants', { name: 'Lawyer', system_prompt: 'Be exact.' })
    await from.call('POST', '/prompts', {
      name: 'Greet',
      command: 'greet',
      text: 'Hello {{who}}',
      fields: [{ name: 'who', type: 'text' }],
    })
    await from.call('PUT', '/session-marks', {
      changes: [{ session_id: id, is_archived: true, add_tags: ['Law'] }],
    })
    const done: Import = await to.importAll(await archiveOf(from))
    expect(done).toMatchObject({ state: 'done', format: 'atrium', problems: 0 })
    expect(done.added).toMatchObject({ chats: 1, messages: 3, files: 1, assistants: 1, prompts: 1 })
    const again = await to.importAll(await archiveOf(from))
    expect(Object.values(again.added).every((count) => count === 0)).toBe(true)
    const [session] = (await to.call('GET', '/sessions?archived=true')).body.items.concat(await to.chats())
    expect(session.title).toBe('Lease')
    const shown = await to.branch(session.id)
    expect([shown.branch_count, texts(shown)]).toEqual([2, ['Question 1', 'Another answer']])
    expect((await to.call('GET', '/documents')).body.items).toMatchObject([{ name: 'lease.txt' }])
    expect((await to.call('GET', '/prompts')).body.items).toMatchObject([{ name: 'Greet', command: 'greet' }])
  })
})

/** Takes out all data of a person. */
async function archiveOf(person: Importer): Promise<Buffer> {
  const { body } = await person.call('POST', '/exports', { documents: true })
  await expect
    .poll(async () => (await person.call('GET', `/exports/${body.id}`)).body.state, { timeout: 30_000 })
    .toBe('ready')
  const row = await app.deps.db
    .selectFrom('exports')
    .select('file_key')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  return buffer(await app.deps.files.read(row.file_key as string))
}
