import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_BETA: 'on', ATRIUM_BILLING: 'on' } })
})
afterAll(() => app.close())

type Answer = { status: number; body: Record<string, unknown> & { items?: { id: string }[] } }
const call = async (
  who: TestUser,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  payload?: object,
): Promise<Answer> => {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who.headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const change = (who: TestUser, whom: TestUser, payload: object) =>
  call(who, 'PATCH', `/admin/users/${whom.id}`, payload)

let superAdmin: TestUser
let admin: TestUser
let member: TestUser
let stranger: TestUser
let companyId: string
let elsewhere: string
beforeEach(async () => {
  companyId = await aCompany(app)
  elsewhere = await aCompany(app)
  superAdmin = await aUser(app, { role: 'super_admin', beta: true })
  admin = await aUser(app, { role: 'company_admin', companyId, beta: true })
  member = await aUser(app, { role: 'member', companyId })
  stranger = await aUser(app, { role: 'member', companyId: elsewhere, beta: true })
})

const idsOf = async (who: TestUser, query = '') =>
  (await call(who, 'GET', `/admin/users?limit=100${query}`)).body.items?.map(({ id }) => id) ?? []
const names = { company_id: '', role: 'member' }

describe('users visible to an administrator', () => {
  it('are those of their companies, or all for a super admin, with roles and balances [SV-88]', async () => {
    expect(new Set(await idsOf(admin))).toEqual(new Set([admin.id, member.id]))
    const all = await idsOf(superAdmin)
    for (const { id } of [superAdmin, admin, member, stranger]) expect(all).toContain(id)
    const { body } = await call(admin, 'GET', '/admin/users?page=1&limit=50')
    expect(body).toMatchObject({ total: 2, page: 1, has_more: false })
    const shown = body.items?.find(({ id }) => id === member.id)
    expect(shown).toMatchObject({
      ...{ verified: true, beta_access: false, balance: 0 },
      companies: [{ id: companyId, role: 'member' }],
      last_used_at: expect.any(String),
    })
    expect(Object.keys(shown ?? {})).not.toContain('password_hash')
    const pages = await Promise.all(
      [1, 2].map((page) => call(admin, 'GET', `/admin/users?page=${page}&limit=1`)),
    )
    expect(pages.map(({ body }) => [body.items?.length, body.has_more])).toEqual([
      [1, true],
      [1, false],
    ])
    expect((await call(stranger, 'GET', '/admin/users')).status).toBe(403)
  })

  it('has a page of their own with groups and the number of sign-ins', async () => {
    const { db } = app.deps
    const inGroup = async (company_id: string, name: string) => {
      const { id } = await db
        .insertInto('groups')
        .values({ company_id, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('company_members')
        .values({ company_id, user_id: member.id, role: 'member' })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await db.insertInto('group_members').values({ group_id: id, company_id, user_id: member.id }).execute()
      return id
    }
    const [sales, secret] = [await inGroup(companyId, 'Sales'), await inGroup(elsewhere, 'Secret')]
    const path = `/admin/users/${member.id}`
    const sale = { id: sales, name: 'Sales', company_id: companyId, from_directory: false }
    expect((await call(admin, 'GET', path)).body).toMatchObject({
      id: member.id,
      groups: [sale],
      sign_ins: 1,
    })
    const { groups } = (await call(superAdmin, 'GET', path)).body as { groups: { id: string }[] }
    expect(groups.map(({ id }) => id)).toEqual([sales, secret])
    await db
      .updateTable('access_tokens')
      .set({ expires_at: new Date(0) })
      .where('user_id', '=', member.id)
      .execute()
    expect((await call(admin, 'GET', path)).body).toMatchObject({ sign_ins: 0 })
    expect((await call(admin, 'GET', `/admin/users/${stranger.id}`)).status).toBe(403)
  })

  it('can be searched by words in names, addresses and companies [AD-03]', async () => {
    const { db } = app.deps
    await db
      .updateTable('users')
      .set({ full_name: 'Inès O’Brunet_100%' })
      .where('id', '=', member.id)
      .execute()
    await db.updateTable('companies').set({ name: 'Orsane Énergie' }).where('id', '=', companyId).execute()
    expect(await idsOf(superAdmin, `&q=${encodeURIComponent('brunet_100% énergie')}`)).toEqual([member.id])
    expect(await idsOf(superAdmin, `&q=${encodeURIComponent('brunetx100')}`)).toEqual([])
  })

  it('can be admitted to and removed from a closed beta [AU-17, AD-03]', async () => {
    const me = async () => (await call(member, 'GET', '/users/me')).status
    expect(await me()).toBe(401)
    expect(await change(admin, member, { beta_access: true })).toMatchObject({
      ...{ status: 200, body: { id: member.id, beta_access: true } },
    })
    expect(await me()).toBe(200)
    await change(admin, member, { beta_access: false })
    expect(await me()).toBe(401)
  })

  it('cannot be shut out of a closed beta by one of two companies', async () => {
    const shared = await aUser(app, { role: 'member', companyId, beta: true })
    const member = { user_id: shared.id, company_id: elsewhere, role: 'member' as const }
    await app.deps.db.insertInto('company_members').values(member).execute()
    expect((await change(admin, shared, { beta_access: false })).status).toBe(403)
    expect((await call(shared, 'GET', '/users/me')).status).toBe(200)
    expect((await change(superAdmin, shared, { beta_access: false })).status).toBe(200)
  })

  it("can change role or leave within the administrator's companies [SV-88, AD-03]", async () => {
    const role = async (whom: TestUser) =>
      (
        await app.deps.db.selectFrom('company_members').selectAll().where('user_id', '=', whom.id).execute()
      ).map(({ company_id, role }) => `${company_id} ${role}`)
    const inOwn = { ...names, company_id: companyId }
    expect((await change(admin, member, { membership: { ...inOwn, role: 'company_admin' } })).status).toBe(
      200,
    )
    expect(await role(member)).toEqual([`${companyId} company_admin`])
    expect((await change(admin, member, { membership: { ...inOwn, role: 'super_admin' } })).status).toBe(403)
    expect((await change(admin, member, { membership: { ...inOwn, company_id: elsewhere } })).status).toBe(
      403,
    )
    expect((await change(admin, stranger, { beta_access: false })).status).toBe(403)
    expect(
      (await change(superAdmin, member, { membership: { ...inOwn, company_id: elsewhere } })).status,
    ).toBe(200)
    expect(await role(member)).toContain(`${elsewhere} member`)
    const nowhere = { ...inOwn, company_id: crypto.randomUUID() }
    expect((await change(superAdmin, member, { membership: nowhere })).status).toBe(404)
    expect((await change(superAdmin, member, { membership: { ...nowhere, role: null } })).status).toBe(404)
    expect((await change(admin, member, { membership: { ...inOwn, role: null } })).status).toBe(200)
    expect(await role(member)).toEqual([`${elsewhere} member`])
    expect((await change(superAdmin, stranger, { verified: false })).status).toBe(422)
    const kept = await app.deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', stranger.id)
      .executeTakeFirst()
    expect(kept?.email_verified_at).not.toBeNull()
  })

  it('can be changed only by super admins if they are super admins, and the last one stays', async () => {
    const { db } = app.deps
    const [own] = await db
      .selectFrom('company_members')
      .selectAll()
      .where('user_id', '=', superAdmin.id)
      .execute()
    await db
      .insertInto('company_members')
      .values({ company_id: companyId, user_id: superAdmin.id, role: 'member' })
      .execute()
    expect((await change(admin, superAdmin, { beta_access: false })).status).toBe(403)
    await db
      .updateTable('company_members')
      .set({ role: 'member' })
      .where('role', '=', 'super_admin')
      .where('user_id', '!=', superAdmin.id)
      .execute()
    const fall = { membership: { company_id: own!.company_id, role: 'member' } }
    expect(await change(superAdmin, superAdmin, fall)).toMatchObject({ status: 409 })
  })
})

describe('companies', () => {
  it('are listed and renamed by their administrators and created by super admins [SH-30]', async () => {
    const list = async (who: TestUser) =>
      (await call(who, 'GET', '/admin/companies')).body as unknown as { id: string; people: number }[]
    expect(await list(admin)).toMatchObject([{ id: companyId, people: 2 }])
    expect((await list(superAdmin)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([companyId, elsewhere]),
    )
    expect((await call(admin, 'POST', '/admin/companies', { name: 'New' })).status).toBe(403)
    expect(await call(superAdmin, 'POST', '/admin/companies', { name: ' Orsane UK ' })).toMatchObject({
      ...{ status: 201, body: { name: 'Orsane UK', people: 0 } },
    })
    expect(await call(admin, 'PATCH', `/admin/companies/${companyId}`, { name: 'Orsane' })).toMatchObject({
      ...{ status: 200, body: { id: companyId, name: 'Orsane', people: 2 } },
    })
    expect((await call(admin, 'PATCH', `/admin/companies/${elsewhere}`, { name: 'Mine' })).status).toBe(403)
    expect((await call(admin, 'PATCH', `/admin/companies/${companyId}`, { name: ' ' })).status).toBe(422)
  })
})
