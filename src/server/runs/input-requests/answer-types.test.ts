import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InputField } from '#shared/runs/runs/request.ts'
import { askUntilWaiting, playAgent, readOn } from '#tests/asking.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import type { Question } from '../runs/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
let heard: unknown

async function waiting(question: Partial<Question>) {
  heard = undefined
  playAgent([chat.app], async (run) => {
    heard = await run.ask('waiting_for_input', { prompt: '?', input_types: ['text'], ...question })
  })
  return askUntilWaiting(chat)
}

const provide = (sessionId: string, input: unknown, input_type: string) =>
  chat.call('POST', `/sessions/${sessionId}/provide-input`, {
    checkpoint_name: 'waiting_for_input',
    ...{ input, input_type },
  })

/** Uploads a file as the chat's user and returns its stored description. */
async function upload(name: string, content: Buffer | string, type: string, headers = chat.user.headers) {
  const form = new FormData()
  form.append('file', new Blob([content], { type }), name)
  const answer = await fetch(`${chat.url}/input-files`, { method: 'POST', headers, body: form })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const field = (name: string, type: InputField['type'], required = false): InputField => {
  return { name, label: name, type, required }
}

describe('an answer', () => {
  it.each<[string, unknown, string, unknown, string]>([
    ['text', 'blue', 'text', 'blue', 'text'],
    ['json', '{"a": [1]}', 'json', { a: [1] }, 'json'],
    ['json', { a: [1] }, 'json', { a: [1] }, 'json'],
    ['boolean', true, 'boolean', true, 'boolean'],
    ['boolean', 'false', 'json', false, 'json'],
    ['multi', { text: 'a', json: '[1]' }, 'multi', { text: 'a', json: [1] }, 'composite'],
  ])('accepts %s requests [CK-13, CK-17, G-23]', async (asked, input, sent, taken, type) => {
    const id = await waiting({ input_types: [asked] })
    expect(await provide(id, input, sent)).toMatchObject({
      status: 200,
      body: { input: taken, input_type: type },
    })
    await readOn(chat, id)
    expect(heard).toEqual({ input: taken, input_type: type })
  })

  it.each<[string, string[], unknown, string, string]>([
    ['JSON that does not parse', ['json'], '{"a":', 'json', 'input: This is not valid JSON.'],
    ['a boolean that is none', ['boolean'], 'perhaps', 'boolean', 'input: Answer true or false.'],
    ['a type nobody asked for', ['boolean'], 'yes', 'text', 'input_type: This request does not take text.'],
    ['nothing filled in', ['text', 'json'], { text: ' ' }, 'composite', 'input: Fill in at least one field.'],
    [
      'a file that is not stored',
      ['document'],
      'x',
      'file',
      'input: The file was not found. Upload it again.',
    ],
    ['a kind nobody can give', ['location'], 'x', 'text', 'This kind of request cannot be answered here.'],
  ])('refuses %s [CK-14, CK-15]', async (_, input_types, input, sent, detail) => {
    const id = await waiting({ input_types })
    expect(await provide(id, input, sent)).toMatchObject({ status: 422, body: { detail } })
    expect(heard).toBeUndefined()
  })

  it('is composite for several named fields, each with its own type [CK-16, CK-17]', async () => {
    const fields = [
      field('sites', 'text', true),
      field('factors', 'json'),
      field('ok', 'boolean'),
      field('file', 'document'),
    ]
    const id = await waiting({ input_types: ['composite'], fields })
    expect(await provide(id, { factors: '{', extra: 1 }, 'composite')).toMatchObject({
      status: 422,
      body: {
        errors: [
          { path: 'input.factors', message: 'This is not valid JSON.' },
          { path: 'input.extra', message: 'There is no such field.' },
          { path: 'input.sites', message: 'This field is required.' },
        ],
      },
    })
    expect((await provide(id, 'Paris', 'text')).status).toBe(422)
    const file = await upload('energy.xlsx', 'PK', 'application/vnd.ms-excel')
    const input = { sites: 'Paris', factors: '{"gas": 0.2}', ok: true, file: file.body.id }
    const answered = await provide(id, input, 'composite')
    expect(answered.body.input).toEqual({ ...input, factors: { gas: 0.2 }, file: file.body })
    await readOn(chat, id)
    expect(heard).toMatchObject({
      input_type: 'composite',
      input: { ok: true, file: { name: 'energy.xlsx' } },
    })
  })

  it('sends a document as image, audio, video or file by its MIME type [CK-17, G-23]', async () => {
    const id = await waiting({ input_types: ['document'] })
    const { body: picture } = await upload('plan.png', png, 'image/png')
    const { body: text } = await upload('notes.txt', 'hello', 'text/plain')
    expect((await provide(id, text.id, 'image')).body.detail).toBe('input: notes.txt is no image file.')
    expect(await provide(id, [picture.id], 'image')).toMatchObject({
      status: 200,
      body: { input: [picture] },
    })
  })
})

it('includes the corrected transcript of a recording [CK-12, CK-17]', async () => {
  const id = await waiting({ input_types: ['audio'] })
  const { body } = await upload('note.webm', Buffer.from('1a45dfa3', 'hex'), 'audio/webm')
  const answered = await provide(id, { id: body.id, transcript: ' the blue one ' }, 'audio')
  expect(answered.body.input).toEqual({ ...body, transcript: 'the blue one' })
  await readOn(chat, id)
  expect(heard).toMatchObject({ input_type: 'audio', input: { transcript: 'the blue one' } })
})

describe('a file in an answer', () => {
  it('is stored under its detected type, not the declared one [CK-13]', async () => {
    expect(await upload('a.png', png, 'application/x-evil')).toMatchObject({
      ...{ status: 201, body: { name: 'a.png', media_type: 'image/png', size: 16 } },
    })
    expect((await upload('a.png', '<script>', 'image/svg+xml')).body.media_type).toBe(
      'application/octet-stream',
    )
    expect((await upload('../../b.html', '<p>', 'text/html')).body).toMatchObject({ name: 'b.html' })
    expect(
      (await upload('rec.webm', Buffer.from('1a45dfa3', 'hex'), 'audio/webm;codecs=opus')).body.media_type,
    ).toBe('audio/webm')
    expect(await upload('a.txt', '', 'text/plain')).toMatchObject({ status: 422 })
    expect(await upload('a.bin', Buffer.alloc(25 * 1024 * 1024 + 1), 'text/plain')).toMatchObject({
      status: 413,
    })
    expect((await chat.call('POST', '/input-files', { file: 'x' })).status).toBe(400)
  })

  it('is refused when its owner has too many unused files [CK-13]', async () => {
    const hoarder = await aUser(chat.app)
    const row = { user_id: hoarder.id, file_key: 'x', name: 'x', media_type: 'text/plain', size: 1 }
    await chat.app.deps.db.insertInto('input_files').values(Array(100).fill(row)).execute()
    expect((await upload('a.txt', 'x', 'text/plain', hoarder.headers)).status).toBe(429)
    expect((await upload('a.txt', 'x', 'text/plain')).status).toBe(201)
  })

  it('is served only to its owner, and without active content [CK-13]', async () => {
    const { body } = await upload('b.html', '<script>alert(1)</script>', 'text/html')
    const { headers } = chat.user
    const read = await fetch(`${chat.url}/input-files/${body.id}`, { headers })
    expect(await read.text()).toContain('alert')
    expect(read.headers.get('content-security-policy')).toContain('sandbox')
    expect(read.headers.get('x-content-type-options')).toBe('nosniff')
    expect(read.headers.get('content-disposition')).toMatch(/^attachment/)
    const stranger = await aUser(chat.app)
    expect((await fetch(`${chat.url}/input-files/${body.id}`, { headers: stranger.headers })).status).toBe(
      403,
    )
    const id = await waiting({ input_types: ['document'] })
    const { body: theirs } = await upload('c.txt', 'x', 'text/plain', stranger.headers)
    expect((await provide(id, theirs.id, 'file')).status).toBe(422)
  })
})

describe('the list of requests', () => {
  it('shows pending requests of all sessions, by deadline and then by waiting time [SV-92, RT-31]', async () => {
    const { body: before } = await chat.call('GET', '/input-requests')
    for (const { session_id } of before.items) await chat.call('POST', `/sessions/${session_id}/stop`)
    const old = await waiting({ prompt: 'old' })
    const young = await waiting({ prompt: 'young' })
    const due = await waiting({ prompt: 'due', seconds: 3600, input_types: ['boolean'] })
    const { body } = await chat.call('GET', '/input-requests?status=waiting')
    expect(body.total).toBe(3)
    const listed = body.items.map((item: { session_id: string; request: { prompt: string } }) => {
      return [item.session_id, item.request.prompt]
    })
    expect(listed).toEqual([
      [due, 'due'],
      [old, 'old'],
      [young, 'young'],
    ])
    expect(body.items[0]).toMatchObject({
      ...{ state: 'waiting', session_title: expect.any(String), answered_at: null },
      request: { kind: 'question', input_types: ['boolean'], deadline: expect.any(String) },
    })
    await provide(due, true, 'boolean')
    const answered = await chat.call('GET', '/input-requests?status=answered')
    expect(answered.body.items[0]).toMatchObject({
      session_id: due,
      request: { state: 'provided', input: true },
    })
    expect((await chat.call('GET', '/input-requests')).body.total).toBe(2)
    expect((await chat.call('GET', '/input-requests?status=nonsense')).status).toBe(422)
    const stranger = await aUser(chat.app)
    const theirs = await chat.call('GET', '/input-requests', undefined, stranger.headers)
    expect(theirs.body).toEqual({ items: [], total: 0, assistants: [] })
  })
})
