import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InputField } from '#shared/runs/runs/request.ts'
import { askUntilWaiting, playAgent } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import type { Question } from '../runs/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

async function waiting(question: Partial<Question>) {
  playAgent([chat.app], async (run) => {
    await run.ask('waiting_for_input', { prompt: '?', input_types: ['text'], ...question })
  })
  return askUntilWaiting(chat)
}

const provide = (
  sessionId: string,
  input: unknown,
  input_type: string,
  checkpoint_name = 'waiting_for_input',
) => chat.call('POST', `/sessions/${sessionId}/provide-input`, { checkpoint_name, input, input_type })

const field = (name: string, type: InputField['type'], required = false): InputField => {
  return { name, label: name, type, required }
}

/** Values that cannot be converted to text, and property names that every object has. */
const odd: unknown[] = [
  ...[{ toString: 1 }, { toString: null, valueOf: 1 }, { id: { toString: 1 } }, [{ toString: 1 }]],
  ...[{ id: 1, transcript: { toString: 1 } }, [[[]]], 1e308, { constructor: 1 }, { hasOwnProperty: 1 }, null],
]

describe('a malformed answer', () => {
  it('gets 422 from every kind of question, which stays pending', async () => {
    for (const type of ['text', 'boolean', 'document', 'image', 'audio', 'video'] as const) {
      const id = await waiting({ input_types: [type] })
      for (const input of odd)
        expect([type, input, (await provide(id, input, type)).status]).toEqual([type, input, 422])
    }
  })

  it('is refused field by field in a form, including inherited property names', async () => {
    const fields = [field('sites', 'text'), field('file', 'document'), field('constructor', 'text', true)]
    const id = await waiting({ input_types: ['composite'], fields })
    for (const input of odd) {
      expect((await provide(id, { sites: input, file: input }, 'composite')).status).toBe(422)
      expect((await provide(id, input, 'composite')).status).toBe(422)
    }
    const missing = await provide(id, { sites: 'Paris' }, 'composite')
    expect(missing.body.errors).toEqual([{ path: 'input.constructor', message: 'This field is required.' }])
    expect((await provide(id, { constructor: 'Anna' }, 'composite')).body.input).toEqual({
      constructor: 'Anna',
    })
  })

  it('is refused by an approval and by an interrupted call', async () => {
    const approval = await waiting({ kind: 'approval' })
    const interrupted = await waiting({ kind: 'interrupted' })
    for (const input of odd) {
      expect((await provide(approval, input, 'json')).status).toBe(422)
      expect((await provide(interrupted, input, 'text')).status).toBe(422)
    }
  })
})

describe('a recording', () => {
  it('has no transcript when the given one is not text', async () => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.from('1a45dfa3', 'hex')], { type: 'audio/webm' }), 'a.webm')
    const { headers } = chat.user
    const stored = await fetch(`${chat.url}/input-files`, { method: 'POST', headers, body: form })
    const { id: fileId } = (await stored.json()) as { id: string }
    const id = await waiting({ input_types: ['audio'] })
    const answer = await provide(id, { id: fileId, transcript: { toString: 1 } }, 'audio')
    expect(answer).toMatchObject({ status: 200, body: { input: { id: fileId } } })
    expect(answer.body.input).not.toHaveProperty('transcript')
  })
})

describe('a truncated upload', () => {
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx'

  it.each([
    ['in its content', part],
    ['in its head', part.slice(0, 30)],
    ['before its last line', `${part}\r\n--b\r\n`],
    ['after very much of it', part + 'x'.repeat(300_000)],
  ])('%s is refused immediately and leaves nothing behind', async (_, body) => {
    const headers = { ...chat.user.headers, 'content-type': 'multipart/form-data; boundary=b' }
    const signal = AbortSignal.timeout(5_000)
    const refused = await fetch(`${chat.url}/input-files`, { method: 'POST', headers, body, signal })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, 'malformed'])
    expect(
      await chat.app.deps.db.selectFrom('input_files').select('id').where('name', '=', 'a.txt').execute(),
    ).toEqual([])
  })
})
