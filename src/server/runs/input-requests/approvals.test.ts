import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askUntilWaiting, playAgent, readOn } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

let heard: unknown

/** Starts a run that asks for approval to call the calculator. */
async function waiting() {
  heard = undefined
  const id = crypto.randomUUID()
  const tool = { tool_execution_id: id, tool_id: 'calculator', tool_name: 'Calculator', input: {} }
  playAgent([chat.app], async (run) => {
    heard = await run.ask('waiting_for_input', { prompt: '?', input_types: ['json'], kind: 'approval', tool })
  })
  return askUntilWaiting(chat)
}

const provide = (sessionId: string, input: unknown, input_type = 'json') =>
  chat.call('POST', `/sessions/${sessionId}/provide-input`, {
    ...{ checkpoint_name: 'waiting_for_input', input, input_type },
  })
const sum = { a: 1, b: 2, operation: 'add' }

describe('an approval', () => {
  it.each<[unknown, object]>([
    [true, { approved: true }],
    [false, { approved: false }],
    [' Yes ', { approved: true }],
    ['approve', { approved: true }],
    ['true', { approved: true }],
    ['NO', { approved: false }],
    ['reject', { approved: false }],
    ['false', { approved: false }],
    ['{"approved": true}', { approved: true }],
    [
      { approved: false, reason: 'Too dear.' },
      { approved: false, reason: 'Too dear.' },
    ],
    [
      { approved: true, arguments: sum },
      { approved: true, arguments: sum },
    ],
    [
      { approved: false, arguments: { a: 'no number' } },
      { approved: false, arguments: { a: 'no number' } },
    ],
  ])('is granted or denied by %j [SV-96]', async (input, taken) => {
    const id = await waiting()
    expect(await provide(id, input)).toMatchObject({
      status: 200,
      body: { input: taken, input_type: 'json' },
    })
    await readOn(chat, id)
    expect(heard).toEqual({ input: taken, input_type: 'json' })
  })

  it('accepts no other value [SV-96]', async () => {
    const id = await waiting()
    for (const input of ['perhaps', '', '{"approved": "maybe"}', 1, null, {}, []])
      expect(await provide(id, input)).toMatchObject({
        ...{ status: 422, body: { detail: 'input: Answer yes or no.' } },
      })
  })

  it('validates changed arguments against the tool and reports what does not fit [SV-96]', async () => {
    const id = await waiting()
    const refused = await provide(id, { approved: true, arguments: { ...sum, a: 'x', operation: 'guess' } })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      ...['arguments.a', 'arguments.operation'],
    ])
    expect((await provide(id, true)).status).toBe(200)
  })

  it('reports a late answer before any other error in it [CK-23]', async () => {
    const id = await waiting()
    await provide(id, 'no')
    for (const input of ['perhaps', { approved: true, arguments: {} }])
      expect(await provide(id, input)).toMatchObject({ status: 409, body: { code: 'already_answered' } })
    const { body } = await chat.call('GET', '/input-requests?status=answered')
    const { request } = body.items.find((item: { session_id: string }) => item.session_id === id)
    expect(request).toMatchObject({ state: 'provided', answered_at: expect.stringMatching(/Z$/) })
    expect(request).not.toHaveProperty('by_default')
  })
})

describe('an unused answer file', () => {
  it('is deleted after a day, unless an answer uses it [CK-13]', async () => {
    const upload = async () => {
      const form = new FormData()
      form.append('file', new Blob(['x'], { type: 'text/plain' }), 'a.txt')
      const { headers } = chat.user
      const answer = await fetch(`${chat.url}/input-files`, { method: 'POST', headers, body: form })
      return ((await answer.json()) as { id: string }).id
    }
    const [old, young, named] = [await upload(), await upload(), await upload()]
    playAgent([chat.app], async (run) => {
      await run.ask('waiting_for_input', { prompt: '?', input_types: ['document'] })
    })
    expect((await provide(await askUntilWaiting(chat), named, 'file')).status).toBe(200)
    const { db, jobs } = chat.app.deps
    await sql`
      update input_files set created_at = now() - interval '25 hours' where id in (${old}, ${named})`.execute(
      db,
    )
    await jobs.add('remove-unused-input-files', {})
    const statusOf = async (id: string) =>
      (await fetch(`${chat.url}/input-files/${id}`, { headers: chat.user.headers })).status
    await vi.waitFor(async () => expect(await statusOf(old)).toBe(404), 10_000)
    expect([await statusOf(young), await statusOf(named)]).toEqual([200, 200])
  })
})
