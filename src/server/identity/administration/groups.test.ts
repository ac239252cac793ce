import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let [companyId, elsewhere] = ['', '']
let superAdmin: TestUser
let admin: TestUser
let member: TestUser
let stranger: TestUser
beforeAll(async () => {
  app = await startApp()
  companyId = await aCompany(app)
  elsewhere = await aCompany(app)
  superAdmin = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId })
  member = await aUser(app, { role: 'member', companyId })
  stranger = await aUser(app, { role: 'member', companyId: elsewhere })
})
afterAll(() => app.close())

const call = async (
  who: TestUser,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
) => {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who.headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null }
}
const make = (who: TestUser, name: string, company_id = companyId) =>
  call(who, 'POST', '/admin/groups', { company_id, name })

describe('groups', () => {
  it('belong to an administered company and contain only its members [AD-04]', async () => {
    const made = await make(admin, ' Achats ')
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Achats', people: 0, company: { id: companyId } },
    })
    const { id } = made.body
    expect((await make(admin, 'achats')).status).toBe(409)
    expect((await make(admin, 'Achats', elsewhere)).status).toBe(403)
    const people = `/admin/groups/${id}/people`
    expect(await call(admin, 'PUT', `${people}/${member.id}`)).toMatchObject({
      status: 200,
      body: { people: 1 },
    })
    expect(await lastAudited(app, 'group.changed')).toMatchObject({ changes: [{ what: 'person' }] })
    expect(await call(admin, 'PUT', `${people}/${member.id}`)).toMatchObject({ body: { people: 1 } })
    expect((await call(admin, 'PUT', `${people}/${stranger.id}`)).status).toBe(404)
    expect(await call(admin, 'GET', people)).toMatchObject({
      body: { total: 1, has_more: false, items: [{ id: member.id, username: member.username }] },
    })
    expect(await call(admin, 'DELETE', `${people}/${member.id}`)).toMatchObject({ body: { people: 0 } })
    expect((await call(admin, 'DELETE', `/admin/groups/${id}`)).status).toBe(204)
    expect((await call(admin, 'GET', people)).status).toBe(404)
    expect(await lastAudited(app, 'group.removed')).toMatchObject({ subject: 'Achats' })
  })

  it('of other companies are hidden from and protected against a company admin [AD-04]', async () => {
    const own = (await make(superAdmin, 'Juristes')).body.id
    const other = (await make(superAdmin, 'Paris', elsewhere)).body.id
    const shown = async (who: TestUser) =>
      (await call(who, 'GET', '/admin/groups')).body.items.map(({ id }: { id: string }) => id)
    expect(await shown(admin)).toEqual([own])
    expect(await shown(superAdmin)).toEqual(expect.arrayContaining([own, other]))
    expect((await call(admin, 'PATCH', `/admin/groups/${other}`, { name: 'Lyon' })).status).toBe(403)
    expect((await call(admin, 'PUT', `/admin/groups/${other}/people/${stranger.id}`)).status).toBe(403)
    expect((await call(admin, 'PATCH', `/admin/companies/${elsewhere}`, { name: 'Mine' })).status).toBe(403)
    expect((await call(admin, 'PATCH', `/admin/users/${stranger.id}`, { verified: false })).status).toBe(403)
    expect((await call(member, 'GET', '/admin/groups')).status).toBe(403)
    expect(await call(admin, 'PATCH', `/admin/groups/${own}`, { name: 'Droit' })).toMatchObject({
      ...{ status: 200, body: { name: 'Droit' } },
    })
    expect((await call(admin, 'GET', '/admin/groups?q=droit')).body.total).toBe(1)
    expect((await call(admin, 'GET', '/admin/groups?q=none')).body.total).toBe(0)
  })

  it('lose members who leave the company', async () => {
    const { id } = (await make(admin, 'Finance')).body
    await call(admin, 'PUT', `/admin/groups/${id}/people/${member.id}`)
    const membership = { company_id: companyId, role: null }
    expect((await call(admin, 'PATCH', `/admin/users/${member.id}`, { membership })).status).toBe(200)
    expect((await call(admin, 'GET', `/admin/groups/${id}/people`)).body.total).toBe(0)
  })
})
