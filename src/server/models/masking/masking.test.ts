import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, cuts, type ModelRequest, says, thinks, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import { assignValues, readValues } from './chat-values.ts'
import { readMaskedChats } from './read-masked-chats.ts'

let chat: Chat
let house = ''
let admin: TestUser
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())
beforeEach(async () => {
  chat.model.forget()
  house = await aCompany(chat.app, 'Orsane')
  admin = await aUser(chat.app, { role: 'company_admin', companyId: house })
  const { db } = chat.app.deps
  await db.deleteFrom('company_members').where('user_id', '=', chat.user.id).execute()
  await db.deleteFrom('person_masking').execute()
  await db
    .insertInto('company_members')
    .values({ user_id: chat.user.id, company_id: house, role: 'member' })
    .execute()
})

type Wish = { mode?: string; kinds?: string[]; connections?: Record<string, boolean> }
const everything = ['person', 'address', 'email', 'phone', 'iban', 'card', 'identity', 'birth']
async function send(who: TestUser, method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) {
  const answer = await chat.app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who.headers },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
const set = ({ mode = 'off', kinds = everything, connections = {} }: Wish) =>
  send(admin, 'PUT', `/admin/companies/${house}/masking`, { mode, kinds, connections })
/** The scripted provider is in the network, so that it takes an exception. */
const always = () => set({ connections: { compatible: true } })

const sentBy = (request: ModelRequest | undefined) => JSON.stringify(request?.body ?? request)
const MESSAGE = 'Write to Marie Dupont, 12 rue de la Paix, 75002 Paris. IBAN DE89 3704 0044 0532 0130 00.'
const PRIVATE = /Marie|Dupont|rue de la Paix|75002|DE89/

async function ask(sessionId: string, content = MESSAGE) {
  const stream = await chat.ask(sessionId, content)
  await stream.ended
  return readRun(chat.app, stream.view()!.run_id)
}

describe('a call to a provider for which details are replaced', () => {
  it('has placeholders, and its streamed answer has the details [GV-02]', async () => {
    await always()
    chat.model.reply([thinks('It is [PERS', 'ON_1].'), says('Dear [PER', 'SON_1], pay ', '[IBAN', '_1].')])
    const sessionId = await chat.aSession()
    const { reply } = await ask(sessionId)
    expect(reply.content).toBe('Dear Marie Dupont, pay DE89 3704 0044 0532 0130 00.')
    expect(JSON.stringify(reply.blocks)).toMatch(/It is .*Marie Dupont/)
    expect(JSON.stringify(reply.blocks)).not.toContain('PERS')
    const sent = chat.model.requests.map(sentBy).join('\n')
    expect(sent).toContain('Write to [PERSON_1], [ADDRESS_1]. IBAN [IBAN_1].')
    expect(sent).not.toMatch(PRIVATE)
  })

  it('keeps the last word of an answer that breaks off', async () => {
    await always()
    chat.model.reply([says('It is in the ', 'text'), cuts()])
    const { reply } = await ask(await chat.aSession())
    expect(reply.content).toBe('It is in the text')
  })

  it('has the same placeholders in the next message, in tools and in the title', async () => {
    await always()
    chat.model.reply([says('Dear [PERSON_1].')], [says('Yes, [PERSON_1] and [PERSON_2].')])
    const sessionId = await chat.aSession()
    await ask(sessionId)
    const { reply } = await ask(sessionId, 'Does Tom Ridley know Marie Dupont?')
    expect(reply.content).toBe('Yes, Marie Dupont and Tom Ridley.')
    expect(chat.model.requests.map(sentBy).join('\n')).not.toMatch(/Marie|Dupont|Ridley/)
  })

  it('gives tools the details', async () => {
    await always()
    chat.model.reply([calls('calculator', { expression: '[PERSON_1]' })], [says('Done, [PERSON_1].')])
    const { reply, records } = await ask(await chat.aSession())
    expect(JSON.stringify(records)).toContain('Marie Dupont')
    expect(JSON.stringify(records)).not.toContain('[PERSON_1]')
    expect(reply.content).not.toContain('[PERSON_1]')
  })

  it('shows what was replaced only to readers of the chat', async () => {
    await always()
    chat.model.reply([says('Fine.')])
    const sessionId = await chat.aSession()
    const { reply } = await ask(sessionId)
    const { body } = await send(chat.user, 'GET', `/sessions/${sessionId}/masking`)
    expect(body.replies).toEqual([{ message_id: reply.id, counts: { person: 1, address: 1, iban: 1 } }])
    const path = `/sessions/${sessionId}/messages/${reply.id}/masked-details`
    const details = await send(chat.user, 'GET', path)
    expect(details.body).toEqual([
      { kind: 'person', placeholder: '[PERSON_1]', value: 'Marie Dupont' },
      { kind: 'address', placeholder: '[ADDRESS_1]', value: '12 rue de la Paix, 75002 Paris' },
      { kind: 'iban', placeholder: '[IBAN_1]', value: 'DE89 3704 0044 0532 0130 00' },
    ])
    const other = await chat.aSession()
    expect(
      (await send(chat.user, 'GET', `/sessions/${other}/messages/${reply.id}/masked-details`)).body,
    ).toEqual([])
    expect((await send(admin, 'GET', path)).status).toBe(403)
  })

  it('shows a reader who did not ask only what is written in the chat', async () => {
    await always()
    chat.model.reply([says('Fine.')])
    const sessionId = await chat.aSession()
    const { reply } = await ask(sessionId, 'Write to Marie Dupont.')
    const { db } = chat.app.deps
    await assignValues(chat.app.deps, sessionId, [{ kind: 'person', value: 'Ada Secret' }])
    const placeholders = ['[PERSON_1]', '[PERSON_2]']
    await db.updateTable('masked_replies').set({ placeholders }).where('message_id', '=', reply.id).execute()
    const path = `/sessions/${sessionId}/messages/${reply.id}/masked-details`
    const shown = async () =>
      (await send(chat.user, 'GET', path)).body.map(({ value }: { value: string }) => value)
    const archived = async () => {
      const rows: string[] = []
      for await (const row of readMaskedChats(chat.app.deps, chat.user.id)) rows.push(row)
      return rows.filter((row) => row.includes(sessionId)).join()
    }
    expect(await shown()).toEqual(['Marie Dupont', 'Ada Secret'])
    expect(await archived()).toContain('Ada Secret')
    await db.updateTable('runs').set({ user_id: admin.id }).where('message_id', '=', reply.id).execute()
    expect(await shown()).toEqual(['Marie Dupont'])
    expect(await archived()).not.toContain('Ada Secret')
  })

  it('does not give a reply details of the chat that its call did not have', async () => {
    await always()
    const sessionId = await chat.aSession()
    const secret = { kind: 'person' as const, value: 'Ada Secret' }
    await assignValues(chat.app.deps, sessionId, [secret])
    chat.model.reply([says('It is [PERSON_1], not [PERSON_9].')])
    const { reply } = await ask(sessionId, 'Guess what is behind PERSON, underscore, 1 in brackets.')
    expect(reply.content).toBe('It is [PERSON_1], not [PERSON_9].')
  })

  it('replaces only the chosen kinds', async () => {
    await set({ kinds: ['iban'], connections: { compatible: true } })
    chat.model.reply([says('Fine.')])
    await ask(await chat.aSession())
    const sent = chat.model.requests.map(sentBy).join('\n')
    expect(sent).toContain('Marie Dupont')
    expect(sent).not.toContain('DE89')
  })
})

describe('a call that needs no replacement', () => {
  it.each([
    ['without a setting', {}],
    ['to a provider of the network', { mode: 'on' }],
    ['to a provider that is excepted', { mode: 'on', connections: { compatible: false } }],
    ['while the person has not chosen it', { mode: 'choice' }],
  ])('is sent as it is %s', async (_, wish) => {
    await set(wish)
    chat.model.reply([says('Keep [PERSON_1].')])
    const { reply } = await ask(await chat.aSession())
    expect(chat.model.requests.map(sentBy).join('\n')).toContain('Marie Dupont')
    expect(reply.content).toBe('Keep [PERSON_1].')
  })
})

describe('a call of an unknown person', () => {
  it('has the replacements of all companies', async () => {
    await always()
    chat.model.reply([says('Dear [PERSON_1].')])
    const call = {
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: MESSAGE }] }],
      ...{ tools: [], tool_choice: 'none' as const },
    }
    const said: string[] = []
    const { signal } = new AbortController()
    await chat.app.deps.models.stream('compatible/scripted', call, signal, (part) => {
      if (part.type === 'text') said.push(part.text)
    })
    expect(sentBy(chat.model.requests.at(-1))).not.toMatch(PRIVATE)
    expect(said.join('')).toBe('Dear Marie Dupont.')
  })
})

describe('a person whose company leaves it to them', () => {
  it('chooses for a chat and for new ones', async () => {
    await set({ mode: 'choice' })
    const [first, second] = [await chat.aSession(), await chat.aSession()]
    const state = async (id: string) => (await send(chat.user, 'GET', `/sessions/${id}/masking`)).body
    expect(await state(first)).toEqual({ mode: 'choice', is_on: false, replies: [] })
    expect((await send(chat.user, 'PUT', `/sessions/${first}/masking`, { is_on: true })).status).toBe(204)
    expect(await state(first)).toMatchObject({ is_on: true })
    expect(await state(second)).toMatchObject({ is_on: true })
    await send(chat.user, 'PUT', `/sessions/${second}/masking`, { is_on: false })
    expect(await state(first)).toMatchObject({ is_on: true })
  })

  it.each([
    ['on', true],
    ['off', false],
  ])('changes nothing while the company says %s', async (mode, is_on) => {
    await set({ mode })
    const sessionId = await chat.aSession()
    await send(chat.user, 'PUT', `/sessions/${sessionId}/masking`, { is_on: !is_on })
    const { body } = await send(chat.user, 'GET', `/sessions/${sessionId}/masking`)
    expect(body).toEqual({ mode, is_on, replies: [] })
  })
})

describe('the setting of a company', () => {
  it('is read and changed by its administrators, and audited', async () => {
    const path = `/admin/companies/${house}/masking`
    expect((await send(admin, 'GET', path)).body).toMatchObject({
      mode: 'off',
      kinds: everything,
      connections: {},
    })
    expect((await set({ mode: 'on', kinds: ['person'], connections: { compatible: false } })).status).toBe(
      204,
    )
    expect((await send(admin, 'GET', path)).body).toEqual({
      ...{ mode: 'on', kinds: ['person'], connections: { compatible: false } },
      providers: [{ provider: 'compatible', name: expect.any(String), is_local: true }],
    })
    const { body } = await send(admin, 'GET', '/admin/audit?did=masking.changed')
    expect(body.items[0].changes).toContainEqual({ what: 'mode', before: 'off', after: 'on' })
    expect((await send(chat.user, 'GET', path)).status).toBe(403)
  })
})

describe('the values of a chat', () => {
  it('are sealed, and deleted with the chat', async () => {
    await always()
    chat.model.reply([says('Fine.')])
    const sessionId = await chat.aSession()
    await ask(sessionId)
    const { db } = chat.app.deps
    const rows = () => db.selectFrom('chat_masking').selectAll().where('session_id', '=', sessionId).execute()
    const [row] = await rows()
    expect(row?.values_sealed).toMatch(/^v1\./)
    expect(row?.values_sealed).not.toMatch(PRIVATE)
    await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
    expect(await rows()).toEqual([])
  })

  it('are stored before the call leaves, so that a resumed run sends the same placeholders', async () => {
    await always()
    const gate = aGate()
    chat.model.reply([waits(gate.opened), says('Fine.')])
    const sessionId = await chat.aSession()
    const start = chat.model.requests.length
    const stream = await chat.ask(sessionId, MESSAGE)
    await expect
      .poll(() => chat.model.requests.slice(start).map(sentBy).join())
      .toContain('Write to [PERSON_1]')
    expect(stream.view()?.status).not.toBe('completed')
    const before = await readValues(chat.app.deps, sessionId)
    expect(before).toHaveLength(3)
    gate.open()
    await stream.ended
    const again = await assignValues(chat.app.deps, sessionId, [...before].reverse())
    expect(again).toEqual(before)
  })

  it('are in the archive of its person', async () => {
    await always()
    chat.model.reply([says('Fine.')])
    const sessionId = await chat.aSession()
    const { reply } = await ask(sessionId)
    const rows: { session_id: string }[] = []
    for await (const row of readMaskedChats(chat.app.deps, chat.user.id)) rows.push(JSON.parse(row))
    expect(rows.find((row) => row.session_id === sessionId)).toEqual({
      session_id: sessionId,
      details: [
        { kind: 'person', placeholder: '[PERSON_1]', value: 'Marie Dupont' },
        { kind: 'address', placeholder: '[ADDRESS_1]', value: '12 rue de la Paix, 75002 Paris' },
        { kind: 'iban', placeholder: '[IBAN_1]', value: 'DE89 3704 0044 0532 0130 00' },
      ],
      replies: [{ message_id: reply.id, placeholders: ['[PERSON_1]', '[ADDRESS_1]', '[IBAN_1]'] }],
    })
  })

  it('never get the same number in two processes', async () => {
    const sessionId = await chat.aSession()
    const names = Array.from({ length: 24 }, (_, at) => ({
      kind: 'person' as const,
      value: `Person ${at % 16}`,
    }))
    await Promise.all(names.map((name) => assignValues(chat.app.deps, sessionId, [name])))
    const values = await readValues(chat.app.deps, sessionId)
    expect(values.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1))
    expect(new Set(values.map(({ value }) => value)).size).toBe(16)
  })
})
