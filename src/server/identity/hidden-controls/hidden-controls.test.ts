import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'

let chat: Chat
let house = ''
let other = ''
let admin: TestUser
let member: TestUser
let stranger: TestUser
let chief: TestUser
beforeAll(async () => {
  chat = await startChat()
  chief = await aUser(chat.app, { role: 'super_admin' })
})
afterAll(() => chat.close())
beforeEach(async () => {
  const { db } = chat.app.deps
  await db.deleteFrom('hidden_controls').execute()
  house = await aCompany(chat.app, 'Orsane')
  other = await aCompany(chat.app, 'Kessler')
  admin = await aUser(chat.app, { role: 'company_admin', companyId: house })
  member = await aUser(chat.app, { role: 'member', companyId: house })
  stranger = await aUser(chat.app, { role: 'member', companyId: other })
})

async function send(
  who: TestUser,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
) {
  const request = { method, url: `/api/v1${path}`, headers: who.headers, ...(payload && { payload }) }
  const answer = await chat.app.http.inject(request)
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
const path = (control = '') => `/admin/companies/${house}/hidden-controls${control && `/${control}`}`
const hide = (control: string, everyone: boolean, group_ids: string[] = [], by = admin) =>
  send(by, 'PUT', path(control), { everyone, group_ids })
const hidden = async (who: TestUser) => (await send(who, 'GET', '/users/me')).body.hidden_controls as string[]
async function aGroup(name: string, people: TestUser[], companyId = house) {
  const { db } = chat.app.deps
  const group = { company_id: companyId, name }
  const { id } = await db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
  for (const { id: user_id } of people)
    await db.insertInto('group_members').values({ group_id: id, company_id: companyId, user_id }).execute()
  return id
}
const audited = async () => (await send(chief, 'GET', '/admin/audit?did=control.hidden')).body.items

describe('hiding a control', () => {
  it('from everyone of a company reaches its members, no administrator and no one else [GV-08]', async () => {
    expect(await hidden(member)).toEqual([])
    expect(await hide('feedback', true)).toMatchObject({ status: 200, body: { everyone: true, groups: [] } })
    expect(await hidden(member)).toEqual(['feedback'])
    for (const who of [admin, chief, stranger]) expect(await hidden(who)).toEqual([])
    await hide('feedback', false)
    expect(await hidden(member)).toEqual([])
  })

  it('from a group reaches all of its members, and one of several groups is enough [GV-08]', async () => {
    const [buyers, sellers] = [await aGroup('Buyers', [member, admin]), await aGroup('Sellers', [member])]
    await hide('feedback', false, [buyers])
    await hide('exports', false, [sellers])
    expect(await hidden(member)).toEqual(['exports', 'feedback'])
    expect(await hidden(admin)).toEqual(['feedback'])
    await send(admin, 'DELETE', `/admin/groups/${buyers}/people/${member.id}`)
    expect(await hidden(member)).toEqual(['exports'])
    await send(admin, 'DELETE', `/admin/groups/${sellers}`)
    expect(await hidden(member)).toEqual([])
  })

  it('everywhere is for super admins, and spares the administrators of every company [GV-08]', async () => {
    expect((await send(admin, 'PUT', '/admin/hidden-controls/import', { everyone: true })).status).toBe(403)
    expect((await send(chief, 'PUT', '/admin/hidden-controls/import', { everyone: true })).body).toEqual([
      'import',
    ])
    expect([await hidden(member), await hidden(stranger)]).toEqual([['import'], ['import']])
    expect([await hidden(admin), await hidden(chief)]).toEqual([[], []])
    const { items } = (await send(admin, 'GET', path())).body
    expect(items.find((one: { control: string }) => one.control === 'import').by_installation).toBe(true)
    expect((await send(chief, 'PUT', '/admin/hidden-controls/import', { everyone: false })).body).toEqual([])
    expect(await hidden(member)).toEqual([])
  })

  it('hides what is inside it [GV-08]', async () => {
    await hide('tools', true)
    expect(await hidden(member)).toEqual(['tools', 'own_tools', 'mcp_servers'])
  })

  it('is no right: the API answers as before [GV-08]', async () => {
    await hide('prompts', true)
    expect((await send(member, 'GET', '/prompts')).status).toBe(200)
    const { body } = await send(member, 'GET', '/users/me')
    expect([body.hidden_controls, body.closed_features]).toEqual([['prompts'], []])
  })

  it('knows no control of the administration [GV-08]', async () => {
    for (const name of ['admin', 'administration', 'hidden_controls'])
      expect((await hide(name, true)).status).toBe(404)
  })

  it('is refused to members and administrators of other companies, and ignores their groups [GV-08]', async () => {
    const foreign = await aUser(chat.app, { role: 'company_admin', companyId: other })
    for (const who of [member, foreign]) expect((await hide('links', true, [], who)).status).toBe(403)
    const group = await aGroup('Elsewhere', [stranger], other)
    expect((await hide('links', false, [group])).body.groups).toEqual([])
    expect(await hidden(stranger)).toEqual([])
  })

  it('is in the audit log with who it was and is hidden from, once per change', async () => {
    const before = (await audited()).length
    const buyers = await aGroup('Buyers', [])
    await hide('links', false, [buyers])
    await hide('links', false, [buyers])
    await hide('links', true)
    const entries = (await audited()).slice(0, -before || undefined)
    expect(
      entries.map(({ subject, changes }: { subject: string; changes: object[] }) => [subject, changes]),
    ).toEqual([
      ['links', [{ what: 'hidden_from', before: 'Buyers', after: 'everyone but administrators' }]],
      ['links', [{ what: 'hidden_from', before: null, after: 'Buyers' }]],
    ])
  })

  it('reaches open tabs immediately [GV-08]', async () => {
    const stream = await openStream(`${chat.url}/users/me/events`, { headers: member.headers })
    const heard = () => stream.wire.filter(({ event }) => event === 'grants_changed').length
    await hide('feedback', true)
    await expect.poll(heard, { timeout: 10_000 }).toBeGreaterThan(0)
    const before = heard()
    await aGroup('Buyers', [member])
    await expect.poll(heard, { timeout: 10_000 }).toBeGreaterThan(before)
    stream.leave()
  })

  it('of a group follows it into another company when companies are merged [GV-08]', async () => {
    const buyers = await aGroup('Buyers', [member])
    await hide('feedback', false, [buyers])
    const { db } = chat.app.deps
    await db
      .insertInto('company_members')
      .values({ company_id: other, user_id: member.id, role: 'member' })
      .execute()
    await db.updateTable('groups').set({ company_id: other }).where('id', '=', buyers).execute()
    expect(await hidden(member)).toEqual(['feedback'])
    expect((await send(chief, 'GET', `/admin/companies/${other}/hidden-controls`)).body.items).toContainEqual(
      expect.objectContaining({ control: 'feedback', groups: [{ id: buyers, name: 'Buyers' }] }),
    )
  })
})
