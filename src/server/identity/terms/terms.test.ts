import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'
import { aVisitor } from '#tests/visit.ts'

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
  await chat.app.deps.db.deleteFrom('company_members').where('user_id', '=', chat.user.id).execute()
  await join(chat.user.id, house)
})

const join = (user_id: string, company_id: string) =>
  chat.app.deps.db.insertInto('company_members').values({ user_id, company_id, role: 'member' }).execute()

async function send(who: TestUser, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const request = { method, url: `/api/v1${path}`, headers: who.headers, ...(payload && { payload }) }
  const answer = await chat.app.http.inject(request)
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
const path = () => `/admin/companies/${house}/terms`
const publish = (text: string) => send(admin, 'POST', path(), { text_en: text, text_fr: `${text} (fr)` })
const due = async (who = chat.user) =>
  (await send(who, 'GET', '/users/me/terms')).body.items as { id: string }[]
const accept = (ids: string[], who = chat.user) => send(who, 'POST', '/users/me/terms', { terms_ids: ids })
const acceptDue = async (who = chat.user) =>
  accept(
    (await due(who)).map(({ id }) => id),
    who,
  )
const ask = async () => {
  chat.model.reply([says('Hello')])
  return send(chat.user, 'POST', `/sessions/${await chat.aSession()}/messages`, { content: 'Hi' })
}
const refused = { status: 403, body: { code: 'terms_due' } }
const audited = async (did: string) =>
  (await send(admin, 'GET', `/admin/audit?did=${did}`)).body.items as { subject: string; changes: object[] }[]

describe('a new version of the terms', () => {
  it('is accepted before the next message, with a timestamp', async () => {
    expect((await ask()).status).toBeLessThan(300)
    expect(await publish('Be kind.')).toMatchObject({
      status: 201,
      body: { version: 1, accepted: 0, people: 2 },
    })
    expect(await ask()).toMatchObject(refused)
    expect((await send(chat.user, 'GET', '/users/me')).body).toMatchObject({ terms_due: true })
    expect(await due()).toMatchObject([{ company: 'Orsane', version: 1, text_en: 'Be kind.' }])
    expect((await acceptDue()).status).toBe(204)
    expect((await ask()).status).toBeLessThan(300)
    expect((await send(chat.user, 'GET', '/users/me')).body).not.toHaveProperty('terms_due')
    expect((await publish('Be kinder.')).body).toMatchObject({ version: 2 })
    expect(await ask()).toMatchObject(refused)
    const { items } = (await send(admin, 'GET', `${path()}/1/acceptances`)).body
    expect(items).toMatchObject([
      { user_id: admin.id, accepted_at: null },
      { user_id: chat.user.id, accepted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ])
    expect((await send(admin, 'GET', path())).body.items).toMatchObject([
      { version: 2, accepted: 0 },
      { version: 1, accepted: 1, people: 2, published_by: admin.username },
    ])
    expect((await audited('terms.accepted'))[0]?.changes).toEqual([
      { what: 'version', before: null, after: '1' },
    ])
    expect((await audited('terms.published'))[0]?.changes).toEqual([
      { what: 'version', before: null, after: '2' },
    ])
  })

  it('replaces one that a person is reading, which they cannot accept any more', async () => {
    await publish('First')
    const [first] = await due()
    await publish('Second')
    expect((await accept([first?.id ?? ''])).status).toBe(409)
    expect(await ask()).toMatchObject(refused)
    await acceptDue()
    expect((await accept([first?.id ?? ''])).status).toBe(204)
    expect((await audited('terms.accepted')).length).toBe(1)
  })

  it('is not needed when it is withdrawn', async () => {
    await publish('First')
    expect((await send(admin, 'DELETE', path())).status).toBe(204)
    expect((await ask()).status).toBeLessThan(300)
    expect((await send(admin, 'GET', path())).body.items[0].withdrawn_at).toBeTruthy()
    expect((await send(admin, 'DELETE', path())).status).toBe(204)
    expect(await audited('terms.withdrawn')).toHaveLength(1)
  })

  it('is accepted before calls of programs, regenerated replies and waiting messages', async () => {
    const session = { turns: 1, modelName: 'compatible/scripted' }
    const { id: sessionId, messageIds } = await aSession(chat.app, chat.user, session)
    const { headers } = await anApiKey(chat.app, chat.user)
    await publish('Be kind.')
    const payload = { model: 'compatible/scripted', messages: [{ role: 'user', content: 'Hi' }] }
    const call = { method: 'POST', url: '/v1/chat/completions', headers, payload } as const
    expect((await chat.app.http.inject(call)).statusCode).toBe(403)
    const queued = { client_id: crypto.randomUUID(), content: 'Later', way: 'queue' }
    expect(await send(chat.user, 'POST', `/sessions/${sessionId}/queue`, queued)).toMatchObject(refused)
    const again = `/sessions/${sessionId}/messages/${messageIds[1]}/regenerate`
    expect(await send(chat.user, 'POST', again, {})).toMatchObject(refused)
    await acceptDue()
    chat.model.reply([says('Hello')])
    expect((await chat.app.http.inject(call)).statusCode).toBe(200)
  })

  it('concerns people of the company only, not visitors of their assistants', async () => {
    const other = await aUser(chat.app, { role: 'member' })
    await publish('Be kind.')
    expect(await due(other)).toEqual([])
    const visitor = await aVisitor(chat.app, chat.user)
    const headers = { authorization: `Bearer ${visitor.token}` }
    const begun = await chat.app.http.inject({
      method: 'POST',
      url: '/api/v1/embed/chats',
      headers,
      payload: {},
    })
    chat.model.reply([says('Hello')])
    const url = `/api/v1/sessions/${begun.json().id}/messages`
    const answer = await chat.app.http.inject({ method: 'POST', url, headers, payload: { content: 'Hi' } })
    expect(answer.json().code).not.toBe('terms_due')
  })

  it('gets numbers one after another when several are published concurrently', async () => {
    const made = await Promise.all(['a', 'b', 'c'].map(publish))
    expect(made.map(({ body }) => body.version).sort()).toEqual([1, 2, 3])
  })
})
