import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { fails, type ModelRequest, type ModelServer, says, startModelServer } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'
import { assignValues } from './chat-values.ts'

let chat: Chat
let spare: ModelServer
let admin: TestUser
let house = ''

beforeAll(async () => {
  spare = await startModelServer({ models: ['spare'] })
  chat = await startChat()
  house = await aCompany(chat.app, 'Orsane')
  admin = await aUser(chat.app, { role: 'super_admin' })
  const { db } = chat.app.deps
  await db.deleteFrom('company_members').where('user_id', '=', chat.user.id).execute()
  const member = { user_id: chat.user.id, company_id: house, role: 'member' }
  await db.insertInto('company_members').values(member).execute()
  const connection = { name: 'Spare', kind: 'compatible', base_url: spare.url }
  await send('POST', '/model-connections', connection)
  const models = { 'compatible/scripted': { fallback: 'spare/spare' } }
  await send('PATCH', '/model-connections/environment-compatible', { models })
})
afterEach(() => {
  chat.model.forget()
  spare.forget()
})
afterAll(async () => {
  await chat.close()
  await spare.close()
})

async function send(method: 'POST' | 'PATCH' | 'PUT', url: string, payload: object) {
  const { headers } = admin
  const answer = await chat.app.http.inject({ method, url: `/api/v1${url}`, headers, payload })
  expect(answer.statusCode, answer.payload).toBeLessThan(300)
}

/** Sets which of the two providers receives placeholders. */
const set = (connections: Record<'compatible' | 'spare', boolean>) =>
  send('PUT', `/admin/companies/${house}/masking`, { mode: 'off', kinds: ['person'], connections })

const messagesOf = (requests: readonly ModelRequest[]) =>
  requests.map(({ messages }) => JSON.stringify(messages.at(-1)))

async function ask() {
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Write to Marie Dupont.')
  await stream.ended
  return { sessionId, ...(await readRun(chat.app, stream.view()!.run_id)) }
}

describe('a process that is killed after details are stored and before the call leaves', () => {
  it('leaves placeholders that the resumed run sends again', async () => {
    await set({ compatible: true, spare: true })
    chat.model.reply([says('Dear [PERSON_1].')])
    const { sessionId, run, records } = await ask()
    const kept = records.findIndex(({ key }) => key === 'model:1')
    expect(kept).toBeGreaterThan(0)
    await goBack(chat, run.id, kept)
    await assignValues(chat.app.deps, sessionId, [{ kind: 'person', value: 'Tom Ridley' }])
    const before = chat.model.requests.length
    chat.model.reply([says('Dear [PERSON_1], again.')])
    const { reply } = await resume(chat, run.id)
    expect(reply.content).toBe('Dear Marie Dupont, again.')
    const [sent] = messagesOf(chat.model.requests.slice(before))
    expect(sent).toContain('Write to [PERSON_1].')
  })
})

describe('a fallback', () => {
  it.each([
    ['placeholders when only the first provider may have the details', false, true],
    ['the details when only it may have them', true, false],
  ])('receives %s', async (_, isFirstMasked, isSpareMasked) => {
    await set({ compatible: isFirstMasked, spare: isSpareMasked })
    const [from, to] = [chat.model.requests.length, spare.requests.length]
    chat.model.reply([fails(401, 'no such key')])
    spare.reply([says('Dear [PERSON_1].')])
    const { reply } = await ask()
    const text = (isMasked: boolean) => `Write to ${isMasked ? '[PERSON_1]' : 'Marie Dupont'}.`
    expect(messagesOf(chat.model.requests.slice(from))[0]).toContain(text(isFirstMasked))
    expect(messagesOf(spare.requests.slice(to))[0]).toContain(text(isSpareMasked))
    expect(reply.content).toBe(`Dear ${isSpareMasked ? 'Marie Dupont' : '[PERSON_1]'}.`)
  })
})
