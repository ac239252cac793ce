import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createCanvas } from '@napi-rs/canvas'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { citationTag, websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { aMessage, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { switchOffTrash } from '#tests/no-trash.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { aDocument } from '#tests/stored-document.ts'
import { aMedium } from '#tests/stored-media.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(async () => {
  await chat.close()
  await forgetParsed()
})

const page = 'https://example.com/index'

/** Creates a question and an answer with every kind of content and a readable cited passage. */
async function aRichChat() {
  const { app, user } = chat
  const sessionId = await chat.aSession({ title: 'HVAC : renouvellement' })
  const { documentId, chunkId } = await aDocument(app, user)
  const question = await aMessage(app, sessionId, { content: 'Où en est-on ?\n\nWhich one first?' })
  const run = await app.deps.db
    .insertInto('runs')
    .values({
      user_id: user.id,
      session_id: sessionId,
      agent_type: 'multi_turn',
      agent_version: 1,
      state: 'completed',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const picture = await aPicture(run.id)
  const text = `## Renegotiate Kessler first

Its term ends on **31 March 2027** ${citationTag(chunkId, 1)}, œuvre « à 14,90 € » ≥ 12 → ✓ Привет ${websourceTag(page, 'Labour index', 2)}.

| Supplier | Cost | Ends |
|---|---:|---|
| Kessler *Technik* | 612 400 € | 2027 ${citationTag(chunkId, 1)} |
| Dalkorne | 488 150 € | 2028 |

1. First \`inline\`
2. Second
   - inner

> Quoted words

\`\`\`python
def total(rows):
    return sum(rows)
\`\`\`

![A chart](assets/tools/${picture}/chart.png)
`
  const passage = {
    ...{ document_id: documentId, document_name: 'Contrat-cadre.pdf', heading_path: [], page_number: 31 },
    place: {},
  }
  const sources = [
    { id: chunkId, number: 1, title: 'Contrat-cadre.pdf', url: null, passage },
    { id: page, number: 2, title: 'Labour index', url: page },
  ]
  await aMessage(app, sessionId, {
    ...{ parentId: question.id, role: 'assistant', content: text },
    blocks: [
      {
        type: 'step',
        id: 's',
        number: 1,
        description: 'Read the contracts',
        completed: true,
        progress: null,
        message: null,
        single_step: false,
      },
      { type: 'text', id: 't', text, sources },
    ],
  })
  return { sessionId, chunkId, documentId, picture, question: question.id }
}

async function aPicture(runId: string): Promise<string> {
  const { app, user } = chat
  const id = await aMedium(app, user, runId)
  const canvas = createCanvas(320, 160)
  const context = canvas.getContext('2d')
  context.fillStyle = '#2b59c3'
  context.fillRect(20, 20, 200, 100)
  const bytes = await canvas.encode('png')
  const { key, size } = await app.deps.files.write(`media/${id}/file`, Readable.from([bytes]))
  const facts = { name: 'chart.png', media_type: 'image/png', size, file_key: key }
  await app.deps.db.updateTable('media').set(facts).where('id', '=', id).execute()
  return id
}

async function exported(sessionId: string, wish: object) {
  const { status, body } = await chat.call('POST', `/sessions/${sessionId}/exports`, wish)
  expect({ status, state: body.state, error: body.error }).toEqual({
    status: 201,
    state: 'ready',
    error: null,
  })
  const answer = await fetch(`${chat.url}/exports/${body.id}/file`, { headers: chat.user.headers })
  return { name: body.name as string, answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('a chat export', () => {
  it('contains footnotes, tables, code and embedded pictures as Markdown [XE-01]', async () => {
    const { sessionId, documentId, chunkId, picture } = await aRichChat()
    const { name, answer, bytes } = await exported(sessionId, {
      format: 'md',
      language: 'en',
      time_zone: 'Europe/Paris',
    })
    expect(name).toMatch(/^HVAC-renouvellement-\d{4}-\d\d-\d\d-\w{4}\.md$/)
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    const text = bytes.toString()
    expect(text).toContain('# HVAC : renouvellement')
    expect(text).toContain('Où en est-on ?  \n  \nWhich one first?')
    expect(text).toContain('**31 March 2027**[^source-1], œuvre')
    expect(text).toContain(
      `[^source-1]: [Contrat-cadre.pdf](<${chat.app.deps.publicUrl()}/documents/${documentId}?chunk=${chunkId}>), p. 31: “text”`,
    )
    expect(text).toContain(`[^source-2]: [Labour index](<${page}>)`)
    expect(text).toContain('| Dalkorne | 488 150 € | 2028 |')
    expect(text).toContain('```python\ndef total(rows):')
    expect(text).toMatch(/!\[A chart\]\[image-1\][\s\S]*\[image-1\]: data:image\/png;base64,iVBOR/)
    expect(text).not.toContain('<citation')
    expect(text).not.toContain(picture)
    expect(text).not.toContain('Read the contracts')
    const bare = await exported(sessionId, { format: 'md', footnotes: false, steps: true })
    expect(bare.bytes.toString()).not.toContain('[^source')
    expect(bare.bytes.toString()).toContain('> Step 1: Read the contracts')
  })

  it.each([
    ['docx', 'word/media/'],
    ['pdf', '/Subtype /Image'],
  ] as const)('is readable by our own parser as %s [XE-01]', async (format, image) => {
    const { sessionId } = await aRichChat()
    const { bytes } = await exported(sessionId, { format, language: 'fr', time_zone: 'Europe/Paris' })
    const { markdown, text, elements } = await parseBytes(`chat.${format}`, bytes)
    for (const words of [
      ...['HVAC : renouvellement', 'Où en est-on ?', 'Renegotiate Kessler first', 'Quoted words', 'inner'],
      ...['œuvre « à 14,90 € » ≥ 12 → ✓ Привет', 'return sum(rows)', 'Contrat-cadre.pdf, p. 31 : « text »'],
      'Labour index',
    ])
      expect(text.replaceAll('\u00a0', ' ')).toContain(words)
    expect(markdown).toMatch(/Dalkorne[^\n]*488 150 €[^\n]*2028/)
    if (format === 'docx') expect(elements.filter(({ type }) => type === 'Table')).toHaveLength(1)
    expect(text).not.toContain('<citation')
    expect(bytes.includes(image)).toBe(true)
  })

  it('states in JSON which message each one answers, optionally for all branches [XE-01]', async () => {
    const { sessionId, question, picture, chunkId } = await aRichChat()
    const other = await aMessage(chat.app, sessionId, {
      ...{ parentId: question, role: 'assistant', content: `Another [one] ${citationTag(chunkId, 1)}` },
    })
    const branch = JSON.parse((await exported(sessionId, { format: 'json' })).bytes.toString())
    expect(branch).toMatchObject({ format: 'atrium-chat', version: 1, id: sessionId, active_leaf: other.id })
    expect(branch.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Où en est-on ?\n\nWhich one first?',
      'Another [one] [1]',
    ])
    const all = JSON.parse((await exported(sessionId, { format: 'json', what: 'all' })).bytes.toString())
    expect(all.messages).toHaveLength(3)
    expect(all.messages[1]).toMatchObject({
      parent_id: question,
      sources: [
        { number: 1, title: 'Contrat-cadre.pdf', page_number: 31 },
        { number: 2, url: page },
      ],
    })
    expect(all.pictures).toEqual([
      { id: picture, data: expect.stringMatching(/^data:image\/png;base64,iVBOR/) },
    ])
  })

  it('contains each branch as a chapter, without duplicates [XE-01]', async () => {
    const { sessionId, question } = await aRichChat()
    await aMessage(chat.app, sessionId, { parentId: question, role: 'assistant', content: 'Another answer' })
    const { bytes } = await exported(sessionId, { format: 'md', what: 'all' })
    const text = bytes.toString()
    expect(text.split('Which one first?')).toHaveLength(2)
    expect(text).toContain('# Branch 1\n')
    expect(text).toContain('# Branch 2, parting after “Où en est-on ?”')
    expect(text.indexOf('Another answer')).toBeLessThan(text.indexOf('Renegotiate Kessler first'))
  })

  it('runs as a job with progress and a notification when it is long [XE-07]', async () => {
    const sessionId = await chat.aSession({ title: 'Long' })
    let parentId: string | undefined
    for (let turn = 0; turn < 60; turn++) {
      const paragraph = `Paragraph ${turn} with some words of its own that go on. `.repeat(40)
      const content = Array.from({ length: 4 }, () => paragraph).join('\n\n')
      const { id } = await aMessage(chat.app, sessionId, {
        parentId,
        role: turn % 2 ? 'assistant' : 'user',
        content,
      })
      parentId = id
    }
    const events = await openStream(`${chat.url}/users/me/events`, { headers: chat.user.headers })
    const { status, body } = await chat.call('POST', `/sessions/${sessionId}/exports`, { format: 'pdf' })
    expect({ status, state: body.state, size: body.size }).toEqual({
      status: 201,
      state: 'making',
      size: null,
    })
    const refused = await fetch(`${chat.url}/exports/${body.id}/file`, { headers: chat.user.headers })
    expect(refused.status).toBe(409)
    const tellings = () =>
      events.wire
        .filter(({ event }) => event === 'export_changed')
        .map(({ data }) => JSON.parse(data))
        .filter(({ export_id }) => export_id === body.id)
    await expect.poll(() => tellings().at(-1)?.state, { timeout: 60_000 }).toBe('ready')
    events.leave()
    const ready = (await chat.call('GET', `/exports/${body.id}`)).body
    expect(ready).toMatchObject({ state: 'ready', progress: 1, error: null })
    const answer = await fetch(`${chat.url}/exports/${body.id}/file`, { headers: chat.user.headers })
    const file = Buffer.from(await answer.arrayBuffer())
    expect(file).toHaveLength(ready.size)
    const { text, pages } = await parseBytes('long.pdf', file)
    expect(pages.length).toBeGreaterThan(20)
    expect(text).toContain('Paragraph 59 with some words')
  }, 90_000)

  it('is deleted on request and when it expires', async () => {
    const { sessionId } = await aRichChat()
    const { body } = await chat.call('POST', `/sessions/${sessionId}/exports`, { format: 'md' })
    const file = await exportedFile(body.id)
    expect(await chat.app.deps.files.size(file)).toBeGreaterThan(0)
    await switchOffTrash(chat.app)
    await fetch(`${chat.url}/exports/${body.id}`, { method: 'DELETE', headers: chat.user.headers })
    expect(await chat.app.deps.files.size(file)).toBeNull()
    expect((await chat.call('GET', `/exports/${body.id}`)).status).toBe(404)
    const second = (await chat.call('POST', `/sessions/${sessionId}/exports`, { format: 'md' })).body.id
    await chat.app.deps.db
      .updateTable('exports')
      .set({ expires_at: new Date(0) })
      .where('id', '=', second)
      .execute()
    await chat.app.deps.jobs.add('remove-old-exports', {})
    await expect
      .poll(() => chat.app.deps.files.size(`exports/${second}/file`), { timeout: 10_000 })
      .toBeNull()
    expect((await chat.call('GET', '/exports')).body.items.map(({ id }: { id: string }) => id)).not.toContain(
      second,
    )
  })

  it('is deleted with its chat', async () => {
    const { sessionId } = await aRichChat()
    const { body } = await chat.call('POST', `/sessions/${sessionId}/exports`, { format: 'md' })
    const file = await exportedFile(body.id)
    expect(await chat.app.deps.files.size(file)).toBeGreaterThan(0)
    await fetch(`${chat.url}/sessions/${sessionId}`, { method: 'DELETE', headers: chat.user.headers })
    expect(await chat.app.deps.files.size(file)).toBeNull()
  })

  it('reports an empty chat', async () => {
    const empty = await chat.aSession()
    expect(await chat.call('POST', `/sessions/${empty}/exports`, { format: 'pdf' })).toMatchObject({
      ...{ status: 409, body: { detail: 'There is nothing in this chat yet.' } },
    })
    expect((await chat.call('POST', `/sessions/${empty}/exports`, { format: 'exe' })).status).toBe(422)
  })
})

async function exportedFile(id: string): Promise<string> {
  const row = await chat.app.deps.db
    .selectFrom('exports')
    .select('file_key')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.file_key ?? ''
}

describe('export access', () => {
  it('is limited to the owner', async () => {
    const { sessionId } = await aRichChat()
    const { body } = await chat.call('POST', `/sessions/${sessionId}/exports`, { format: 'md' })
    const stranger = await aUser(chat.app)
    for (const [method, path] of [
      ['GET', `/exports/${body.id}`],
      ['GET', `/exports/${body.id}/file`],
      ['DELETE', `/exports/${body.id}`],
      ['POST', `/sessions/${sessionId}/exports`],
    ] as const)
      expect(
        (await chat.call(method, path, method === 'POST' ? { format: 'md' } : undefined, stranger.headers))
          .status,
      ).toBe(403)
  })
})

describe('an account export', () => {
  it('is one archive with an index for browsers, without data of other users [XE-05]', async () => {
    const { sessionId, documentId, picture } = await aRichChat()
    const assistant = { user_id: chat.user.id, name: 'Procurement analyst' }
    await chat.app.deps.db.insertInto('assistants').values(assistant).execute()
    const lost = await aDocument(chat.app, chat.user)
    await loseFile(lost.documentId)
    const stranger = await aUser(chat.app)
    const theirs = await aDocument(chat.app, stranger)
    await chat.call('POST', '/facts', { text: 'The year begins in April' })
    await chat.call('PATCH', '/memory/settings', { proposals: 'refuse' })
    const account = sql`insert into personal_accounts values (${chat.user.id}, 'imap', 'a@b.example', 'sealed', now())`
    await account.execute(chat.app.deps.db)
    const { status, body } = await chat.call('POST', '/exports', {
      language: 'fr',
      time_zone: 'Europe/Paris',
    })
    expect(status).toBe(201)
    expect((await chat.call('POST', '/exports', {})).status).toBe(409)
    const state = async () => (await chat.call('GET', `/exports/${body.id}`)).body.state
    await expect.poll(state, { timeout: 60_000 }).toBe('ready')
    const answer = await fetch(`${chat.url}/exports/${body.id}/file`, { headers: chat.user.headers })
    const files = await unzip(Buffer.from(await answer.arrayBuffer()))
    const index = files.get('index.html')?.toString() ?? ''
    // Every link of the index leads to a file of the archive.
    const addresses = Array.from(index.matchAll(/href="([^"]+)"/g), ([, address = '']) => decodeURI(address))
    expect(addresses.filter((address) => !files.has(address))).toEqual([])
    expect(index).toContain(`Ce que ${chat.user.username} possède dans Atrium`)
    for (const path of [
      `chats/${sessionId}.html`,
      `documents/${documentId}/a.txt`,
      `files/${picture}/chart.png`,
    ])
      expect(addresses).toContain(path)
    const page = files.get(`chats/${sessionId}.html`)?.toString() ?? ''
    expect(page).toContain('<td style="text-align:right">612 400 €</td>')
    expect(page).toContain('src="data:image/png;base64,iVBOR')
    expect(page).not.toMatch(/<script|src="http|<link/)
    expect(JSON.parse(files.get(`chats/${sessionId}.json`)?.toString() ?? '').messages).toHaveLength(2)
    const [fact] = JSON.parse(files.get('data/facts.json')?.toString() ?? '')
    expect(fact).toMatchObject({ text: 'The year begins in April', origin: 'manual' })
    expect(fact).not.toHaveProperty('embedding')
    expect(files.get('data/memory-settings.json')?.toString()).toContain('refuse')
    expect(files.get('data/accounts.json')?.toString()).toMatch(/"imap", "address": "a@b/)
    expect(files.get('data/assistants.json')?.toString()).toContain('Procurement analyst')
    expect(JSON.parse(files.get('data/profile.json')?.toString() ?? '')).toMatchObject({ id: chat.user.id })
    expect(index).toContain('Absents de l’archive')
    expect(index).toContain('<li>lost.txt</li>')
    expect(JSON.parse(files.get('data/unreadable-files.json')?.toString() ?? '')).toEqual([
      { id: lost.documentId, name: 'lost.txt', file: `documents/${lost.documentId}/lost.txt` },
    ])
    const all = [...files].map(([name, content]) => name + content.toString('latin1')).join('\n')
    expect(all).not.toContain(theirs.documentId)
    expect(all).not.toContain(stranger.id)
    const { password_hash } = await chat.app.deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', chat.user.id)
      .executeTakeFirstOrThrow()
    if (password_hash) expect(all).not.toContain(password_hash)
    expect(all).not.toContain('token_hash')
  }, 90_000)
})

/** Deletes the stored bytes of a document, keeps its row, and names it lost.txt. */
async function loseFile(documentId: string): Promise<void> {
  const { db, files } = chat.app.deps
  await db
    .updateTable('document_versions')
    .set({ name: 'lost.txt' })
    .where('document_id', '=', documentId)
    .execute()
  const { file_key } = await db
    .selectFrom('document_versions')
    .innerJoin('readings', 'readings.id', 'document_versions.reading_id')
    .innerJoin('blobs', 'blobs.id', 'readings.blob_id')
    .select('file_key')
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow()
  await files.remove(file_key)
}

/** Returns the files of an archive by path. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}
