import { deflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { chatgptChat } from '#tests/imports/chatgpt-export.ts'
import { anImporter } from '#tests/imports/importing.ts'
import { openWebuiChat } from '#tests/imports/other-exports.ts'
import { zipOf } from '#tests/zip.ts'

let app: TestApp
let base: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
})
afterAll(() => app.close())

const ada = async () => anImporter(base, await aUser(app))
const good = chatgptChat({ id: 'good', title: 'Good', messages: [{ id: 'a' }, { id: 'b' }] })
const chats = JSON.stringify([good])

/** Sets the attributes that Unix writes for the only file of a zip to those of a symbolic link. */
function asLink(zip: Buffer): Buffer {
  const entry = zip.indexOf('PK\x01\x02')
  zip.writeUInt32LE((0o120777 << 16) >>> 0, entry + 38)
  return zip
}

/** Returns whether the person has anything that an import could have stored. */
async function hasAnything(importId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from imported_things where import_id = ${importId})
      or exists (select from sessions s join imports i on i.user_id = s.user_id where i.id = ${importId})
      or exists (select from documents d join imports i on i.user_id = d.user_id where i.id = ${importId}) as found`.execute(
    app.deps.db,
  )
  return rows[0]?.found ?? true
}

describe('an archive that is made to harm', () => {
  it.each([
    [
      'names a file outside of its folder',
      () => zipOf({ '../x.json': chats }),
      'The archive contains a path that leads out of it. Nothing was imported.',
    ],
    [
      'names an absolute path',
      () => zipOf({ '/etc/x.json': chats }),
      'The archive contains a path that leads out of it. Nothing was imported.',
    ],
    [
      'contains a symbolic link',
      () => asLink(zipOf({ 'x.json': '/etc/passwd' })),
      'The archive contains a link to another file. Nothing was imported.',
    ],
    [
      'has a password',
      () => zipOf([{ name: 'x.json', content: chats, isEncrypted: true }]),
      'The archive has a password. Unpack it, and pack it without one.',
    ],
    [
      'is packed too tightly',
      () => zipOf({ 'x.json': Buffer.alloc(40_000_000, ' ') }),
      'A file of the archive is packed so tightly that it may be made to fill a disk.',
    ],
    [
      'has a file larger than it says',
      () => zipOf([{ name: 'x.json', content: chats, declaredSize: 10 }]),
      'A file of the archive is larger than the archive says. Nothing was imported.',
    ],
    [
      'is cut',
      () => zipOf({ 'x.json': chats }).subarray(0, 100),
      'The archive is damaged or incomplete. Download the export again.',
    ],
    [
      'contains no chats',
      () => zipOf({ 'x.json': '[{"a":1}]', 'y.txt': 'x' }),
      'This file contains no chats of ChatGPT, Claude, Open WebUI, LibreChat or Atrium. Choose the file that the product exported.',
    ],
    [
      'is a program',
      () => deflateRawSync('MZ'),
      'This file contains no chats of ChatGPT, Claude, Open WebUI, LibreChat or Atrium. Choose the file that the product exported.',
    ],
  ])('is refused with one sentence when it %s, and nothing is stored', async (_, content, sentence) => {
    const person = await ada()
    const read = await person.preview(content())
    expect([read.state, read.error]).toEqual(['failed', sentence])
    expect((await person.call('POST', `/imports/${read.id}/start`, {})).status).toBe(409)
    expect(await hasAnything(read.id)).toBe(false)
  })
})

const deep = (levels: number) =>
  `{"mapping":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)},"current_node":"x","conversation_id":"deep","title":"Deep"}`
const root = 'r'
/** A conversation of many minimal messages, which all answer the first or each the one before. */
const huge = (count: number, isDeep: boolean) => {
  const nodes = Array.from(
    { length: count },
    (_, at) => `"${at}":{"parent":"${isDeep && at > 0 ? at - 1 : root}"}`,
  )
  return `{"title":"Huge","mapping":{${nodes.join(',')}},"current_node":"0","conversation_id":"huge"}`
}

describe('an export that is made to harm', () => {
  it('is refused when it has more than 500,000 entries', async () => {
    const read = await (await ada()).preview(`[${'1,'.repeat(600_000)}1]`, 'x.json')
    expect([read.state, read.error]).toEqual(['failed', 'The export has more than 500,000 chats or files.'])
  })

  it.each([
    [
      'a chat id has a null character',
      [chatgptChat({ id: 'x\0y', title: 'Null', messages: [{ id: 'a' }, { id: 'b' }] })],
      [],
    ],
    ['two chats have the same ids', [good, good], []],
    [
      'two messages have the same id',
      [
        {
          ...{ format: 'atrium-chat', id: 'twice', title: 'Twice' },
          messages: [
            { id: 'a', role: 'user', content: 'One' },
            { id: 'a', role: 'user', content: 'Two' },
          ],
        },
      ],
      [],
    ],
    [
      'messages of two chats are stored under the same id',
      [
        chatgptChat({ id: 'x/y', title: 'First', messages: [{ id: 'z' }] }),
        chatgptChat({ id: 'x', title: 'Second', messages: [{ id: 'y/z' }] }),
      ],
      [{ kind: 'chat', title: 'Second', reason: 'damaged' }],
    ],
  ])('is imported without what is damaged when %s', async (_, made, problems) => {
    const person = await ada()
    const last = { ...good, conversation_id: 'last', title: 'Last' }
    const isOurs = made.some((chat) => 'format' in chat)
    const end = isOurs ? { ...made[0], id: 'last', title: 'Last' } : last
    const done = await person.importAll(JSON.stringify([...made, end]))
    expect(done).toMatchObject({ state: 'done', error: null })
    expect((await person.chats()).map(({ title }: { title: string }) => title)).toContain('Last')
    expect(await person.problems(done.id)).toEqual(problems)
  })
})

describe('a chat that is made to harm', () => {
  it.each([
    ['has data nested a million times', () => deep(1_000_000), 'too_deep'],
    ['has 50,000 messages that follow each other', () => huge(50_000, true), 'too_many'],
    ['has a million messages that follow each other', () => huge(1_000_000, true), 'too_many'],
    ['has a million answers to one message', () => huge(1_000_000, false), 'too_many'],
    [
      'is larger than the limit',
      () => JSON.stringify(chatgptChat({ id: 'x', messages: [{ id: 'a', text: 'x'.repeat(34_000_000) }] })),
      'too_large',
    ],
    [
      'has messages that refer to each other',
      () =>
        JSON.stringify(
          chatgptChat({
            id: 'x',
            messages: [
              { id: 'a', parent: 'b' },
              { id: 'b', parent: 'a' },
            ],
          }),
        ),
      'loop',
    ],
    [
      'refers to itself',
      () => JSON.stringify(chatgptChat({ id: 'x', messages: [{ id: 'a', parent: 'a' }] })),
      'loop',
    ],
  ])('is left out with its reason when it %s, and the others are imported', async (_, text, reason) => {
    const person = await ada()
    const done = await person.importAll(`[${text()},${JSON.stringify(good)}]`)
    expect(done).toMatchObject({ state: 'done', problems: 1, added: { chats: 1, messages: 2 } })
    expect(await person.problems(done.id)).toMatchObject([{ kind: 'chat', reason }])
  })

  it('is not executed, and nothing that it links to is loaded', async () => {
    const person = await ada()
    const asked: string[] = []
    const { createServer } = await import('node:http')
    const server = createServer((request, answer) => {
      asked.push(String(request.url))
      answer.end('x')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const text = `<script src="${url}/s.js"></script><img src="${url}/i.png" onerror="alert(1)"> ![x](${url}/m.png)`
    const chat = openWebuiChat(
      'one',
      {
        q: { parentId: null, content: text, files: [{ type: 'image', name: 'a.png', url: `${url}/a.png` }] },
      },
      'q',
    )
    const done = await person.importAll(JSON.stringify([chat]))
    expect(done).toMatchObject({ added: { chats: 1, messages: 1, files: 0 } })
    expect(await person.problems(done.id)).toMatchObject([{ kind: 'file', reason: 'file_elsewhere' }])
    const [session] = await person.chats()
    // The text stays text; what it means is decided when it is shown, like for any message.
    expect((await person.branch(session.id)).active_branch[0].content).toBe(text)
    const { is_by_others } = await app.deps.db
      .selectFrom('messages')
      .select('is_by_others')
      .where('session_id', '=', session.id)
      .executeTakeFirstOrThrow()
    expect(is_by_others).toBe(true)
    server.close()
    expect(asked).toEqual([])
  })

  it('leaves out files that are programs', async () => {
    const person = await ada()
    const metadata = { attachments: [{ id: 'file-Ab1', name: 'setup.exe' }] }
    const chat = chatgptChat({ id: 'one', messages: [{ id: 'a', metadata }] })
    const done = await person.importAll(
      zipOf({ 'c.json': JSON.stringify([chat]), 'file-Ab1-setup.exe': 'MZ' }),
    )
    expect(done).toMatchObject({ added: { chats: 1, files: 0 } })
    expect(await person.problems(done.id)).toEqual([
      { kind: 'file', title: 'setup.exe', reason: 'file_refused' },
    ])
  })
})
