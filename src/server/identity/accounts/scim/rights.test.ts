import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aVerifiedDomain } from '#tests/company-domain.ts'
import { aDirectory } from '#tests/directory.ts'

const companyId = '3f0c1b1e-6a55-4c0e-9a39-0d2f4ec9a0aa'
let app: TestApp
let superAdmin: TestUser
beforeAll(async () => {
  const rules = `scim: Heads => ${companyId}: company_admin; scim: Everybody => ${companyId}: member`
  app = await startApp({ config: { ATRIUM_SIGN_ON_ROLES: rules } })
  superAdmin = await aUser(app, { role: 'super_admin' })
  await app.deps.db.insertInto('companies').values({ id: companyId, name: 'House' }).execute()
})
afterAll(() => app.close())

let house: Awaited<ReturnType<typeof aDirectory>>
beforeEach(async () => {
  house = await aDirectory(app, companyId)
})

const join = (userId: string, company: string, role: 'super_admin' | 'company_admin' | 'member' = 'member') =>
  sql`insert into company_members (company_id, user_id, role) values (${company}, ${userId}, ${role})
    on conflict (company_id, user_id) do update set role = excluded.role`.execute(app.deps.db)
const account = (id: string) =>
  app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
async function rolesOf(id: string) {
  const { rows } = await sql<{ company_id: string; role: string }>`
    select company_id, role from company_members where user_id = ${id} order by role`.execute(app.deps.db)
  return Object.fromEntries(rows.map(({ company_id, role }) => [company_id, role]))
}
const isIn = async (who: Pick<TestUser, 'headers'>) =>
  (await app.http.inject({ url: '/api/v1/sessions', headers: who.headers })).statusCode === 200
const asAdmin = async (who: TestUser, method: 'POST', path: string) =>
  (await app.http.inject({ method, url: `/api/v1/admin/users/${path}`, headers: who.headers })).statusCode
let n = 0
const anAddress = (domain = 'house.test') => `person${++n}@${domain}`
const aPerson = async (more: object = {}) =>
  (await house.scim('POST', '/Users', { userName: anAddress(), ...more })).body

describe('a super admin', () => {
  it('keeps role, name, address, sessions and membership against any directory [SN-05]', async () => {
    await aVerifiedDomain(app, companyId, 'house-super.test')
    for (const company of [companyId, await aCompany(app)]) {
      const chief = await aUser(app)
      await join(chief.id, company, 'super_admin')
      if (company !== companyId) await join(chief.id, companyId)
      const roles = await rolesOf(chief.id)
      const before = await account(chief.id)
      expect((await house.setActive(chief.id, false)).status).toBe(403)
      expect((await house.scim('DELETE', `/Users/${chief.id}`)).status).toBe(403)
      const put = await house.scim('PUT', `/Users/${chief.id}`, {
        ...{ userName: chief.email, active: true, displayName: 'Pwned', locale: 'fr' },
        emails: [{ value: `${chief.username}@house-super.test`, primary: true }],
      })
      expect(put).toMatchObject({ status: 200, body: { active: true } })
      await house.patch(chief.id, { op: 'replace', path: 'name.givenName', value: 'Pwned' })
      expect(await house.refusal()).toContain('stay')
      await house.setActive(chief.id, true)
      expect(await account(chief.id)).toEqual(before)
      expect(await rolesOf(chief.id)).toEqual(roles)
      expect(await isIn(chief)).toBe(true)
    }
  })

  it('keeps a role that no group grants [SN-05]', async () => {
    const chief = await aUser(app)
    await join(chief.id, companyId, 'super_admin')
    const members = [{ value: chief.id }]
    const { body: group } = await house.scim('POST', '/Groups', { displayName: 'Everybody', members })
    expect(await rolesOf(chief.id)).toEqual({ [companyId]: 'super_admin' })
    await house.scim('DELETE', `/Groups/${group.id}`)
    expect(await rolesOf(chief.id)).toEqual({ [companyId]: 'super_admin' })
  })

  it('does not become a member when named after their directory deactivated them [SN-05]', async () => {
    const { id } = await aPerson()
    await house.setActive(id, false)
    await join(id, companyId, 'super_admin')
    await house.setActive(id, true)
    expect(await rolesOf(id)).toEqual({ [companyId]: 'super_admin' })
  })
})

describe('a user of two companies', () => {
  it('leaves one company and keeps the account, keys and sessions [SN-05]', async () => {
    const other = await aCompany(app)
    const ann = await aUser(app, { role: 'member', companyId: other })
    await join(ann.id, companyId)
    const key = await anApiKey(app, ann, { scopes: ['chats'] })
    const { body: group } = await house.scim('POST', '/Groups', {
      ...{ displayName: `Team ${++n}`, members: [{ value: ann.id }] },
    })
    const inGroup = async () => {
      const { rows } = await sql`select from group_members where group_id = ${group.id}`.execute(app.deps.db)
      return rows.length
    }
    expect(await inGroup()).toBe(1)
    expect((await house.setActive(ann.id, 'False')).body.active).toBe(false)
    expect(await rolesOf(ann.id)).toEqual({ [other]: 'member' })
    expect([await isIn(ann), await isIn(key), await inGroup()]).toEqual([true, true, 0])
    expect(await account(ann.id)).toMatchObject({ deactivated_at: null })
    expect((await house.setActive(ann.id, true)).body.active).toBe(true)
    expect(await rolesOf(ann.id)).toEqual({ [other]: 'member', [companyId]: 'member' })
    expect((await house.scim('DELETE', `/Users/${ann.id}`)).status).toBe(204)
    expect([await isIn(ann), await isIn(key)]).toEqual([true, true])
  })

  it('keeps name, language and address, and the administrator sees the reason [SN-05]', async () => {
    await aVerifiedDomain(app, companyId, 'house-two.test')
    const ann = await aUser(app, { role: 'member', companyId: await aCompany(app) })
    await join(ann.id, companyId)
    const before = await account(ann.id)
    const moved = { value: `${ann.username}@house-two.test`, type: 'work' }
    const body = { userName: ann.email, name: { givenName: 'Eve' }, preferredLanguage: 'fr', emails: [moved] }
    expect((await house.scim('PUT', `/Users/${ann.id}`, body)).status).toBe(200)
    expect(await account(ann.id)).toEqual(before)
    expect(await house.refusal()).toContain('the account is not the company’s alone')
  })

  it('is no longer visible to the directory they left [SN-05]', async () => {
    const other = await aCompany(app)
    const ann = await aPerson({ displayName: 'Ann Lee' })
    await join(ann.id, other)
    await house.setActive(ann.id, false)
    await sql`update users set full_name = 'Ann Secret', email = 'ann.secret@other.test' where id = ${ann.id}`.execute(
      app.deps.db,
    )
    const { body } = await house.scim('GET', `/Users/${ann.id}`)
    expect(body).toMatchObject({ userName: ann.userName, active: false })
    expect(JSON.stringify(body)).not.toMatch(/secret/i)
    for (const filter of ['emails.value eq "ann.secret@other.test"', 'displayName eq "Ann Secret"'])
      expect((await house.scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults).toBe(
        0,
      )
  })
})

describe('an account deactivated by an administrator', () => {
  it('cannot be reactivated by a directory, which sees it as inactive [SN-05]', async () => {
    const { id, userName } = await aPerson()
    expect(await asAdmin(superAdmin, 'POST', `${id}/deactivate`)).toBe(200)
    expect((await house.scim('GET', `/Users/${id}`)).body.active).toBe(false)
    expect(await house.setActive(id, true)).toMatchObject({ status: 200, body: { active: false } })
    await house.scim('PUT', `/Users/${id}`, { userName, active: true })
    expect((await account(id)).deactivated_at).not.toBeNull()
    expect(await house.refusal()).toContain('an administrator reactivates it')
  })

  it('stays deactivated even if its directory had deactivated it before [SN-05]', async () => {
    const { id } = await aPerson()
    await house.setActive(id, false)
    expect(await asAdmin(superAdmin, 'POST', `${id}/deactivate`)).toBe(200)
    expect(await lastAudited(app, 'account.deactivated')).toMatchObject({ subject_id: id })
    expect((await house.setActive(id, true)).body.active).toBe(false)
    expect(await rolesOf(id)).toEqual({ [companyId]: 'member' })
    expect((await account(id)).deactivated_at).not.toBeNull()
    expect(await asAdmin(superAdmin, 'POST', `${id}/reactivate`)).toBe(200)
    expect((await house.scim('GET', `/Users/${id}`)).body.active).toBe(true)
  })

  it("cannot be reactivated by another company's directory [SN-05]", async () => {
    const other = await aDirectory(app)
    const { id } = await aPerson()
    await join(id, other.companyId)
    await other.setActive(id, false)
    await house.setActive(id, false)
    expect((await account(id)).deactivated_by_directory).toBe(companyId)
    expect((await other.setActive(id, true)).body.active).toBe(false)
    expect((await account(id)).deactivated_at).not.toBeNull()
  })
})

describe('a role that groups change while the account is deactivated', () => {
  const aGroup = async (name: string, ids: string[]) =>
    (await house.scim('POST', '/Groups', { displayName: name, members: ids.map((value) => ({ value })) }))
      .body
  const regroup = (groupId: string, ids: string[]) =>
    house.scim('PUT', `/Groups/${groupId}`, {
      displayName: 'Heads',
      members: ids.map((value) => ({ value })),
    })

  it('is given and withdrawn with the reactivation only [SN-05]', async () => {
    const [comer, goer] = [await aPerson(), await aPerson()]
    const heads = await aGroup('Heads', [goer.id])
    expect(await rolesOf(goer.id)).toEqual({ [companyId]: 'company_admin' })
    for (const { id } of [comer, goer]) await asAdmin(superAdmin, 'POST', `${id}/deactivate`)
    expect((await regroup(heads.id, [comer.id])).status).toBe(200)
    expect(await rolesOf(comer.id)).toEqual({ [companyId]: 'member' })
    expect(await rolesOf(goer.id)).toEqual({ [companyId]: 'company_admin' })
    for (const { id } of [comer, goer])
      expect(await asAdmin(superAdmin, 'POST', `${id}/reactivate`)).toBe(200)
    expect(await rolesOf(comer.id)).toEqual({ [companyId]: 'company_admin' })
    expect(await rolesOf(goer.id)).toEqual({ [companyId]: 'member' })
    expect(await lastAudited(app, 'role.changed')).toMatchObject({ subject_id: goer.id })
    await house.scim('DELETE', `/Groups/${heads.id}`)
  })

  it('stays as an administrator set it when no group changed [SN-05]', async () => {
    const { id } = await aPerson()
    await join(id, companyId, 'company_admin')
    await asAdmin(superAdmin, 'POST', `${id}/deactivate`)
    await asAdmin(superAdmin, 'POST', `${id}/reactivate`)
    expect(await rolesOf(id)).toEqual({ [companyId]: 'company_admin' })
  })
})

describe('a user removed from the company by an administrator', () => {
  it('cannot be restored by the directory [SN-05]', async () => {
    const { id } = await aPerson()
    await sql`delete from company_members where user_id = ${id}`.execute(app.deps.db)
    for (const active of [true, false, true]) await house.setActive(id, active)
    expect(await rolesOf(id)).toEqual({})
    expect(await house.refusal()).toContain('invite them')
  })
})

describe("another company's directory", () => {
  it("can neither see, count, change nor group this company's users [SN-05]", async () => {
    const other = await aDirectory(app)
    const ann = await aPerson({ externalId: 'x1' })
    const { body: group } = await house.scim('POST', '/Groups', { displayName: `Secret ${++n}` })
    const before = await account(ann.id)
    expect((await other.scim('GET', '/Users')).body.totalResults).toBe(1)
    expect((await other.scim('GET', '/Groups')).body.totalResults).toBe(0)
    for (const filter of [`id eq "${ann.id}"`, `userName eq "${ann.userName}"`, 'externalId eq "x1"'])
      expect((await other.scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults).toBe(
        0,
      )
    const members = [{ value: ann.id }]
    const unknown = { value: '00000000-0000-4000-8000-000000000000' }
    const foreign = await other.scim('POST', '/Groups', { displayName: 'Heads', members })
    const absent = await other.scim('POST', '/Groups', { displayName: 'Heads', members: [unknown] })
    expect([foreign.status, absent.status]).toEqual([400, 400])
    expect(foreign.body.detail.replace(ann.id, '')).toBe(absent.body.detail.replace(unknown.value, ''))
    expect((await other.scim('GET', '/Groups')).body.totalResults).toBe(0)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PUT' ? { userName: 'x', displayName: 'x' } : { Operations: [] }
      const sent = method === 'GET' || method === 'DELETE' ? undefined : body
      expect((await other.scim(method, `/Users/${ann.id}`, sent)).status).toBe(404)
      expect((await other.scim(method, `/Groups/${group.id}`, sent)).status).toBe(404)
    }
    expect(await account(ann.id)).toEqual(before)
  })

  it('gains nothing from equal group names or from role attributes [SN-05]', async () => {
    const other = await aDirectory(app)
    const said = {
      ...{
        id: superAdmin.id,
        roles: [{ value: 'super_admin' }],
        userType: 'super_admin',
        entitlements: ['x'],
      },
      groups: [{ value: 'Heads' }],
    }
    const { body: bob } = await other.scim('POST', '/Users', { userName: anAddress('other.test'), ...said })
    expect(bob.id).not.toBe(superAdmin.id)
    await other.patch(bob.id, { op: 'add', value: said }, { op: 'add', path: 'roles', value: said.roles })
    await other.scim('POST', '/Groups', { displayName: 'Heads', members: [{ value: bob.id }] })
    expect(await rolesOf(bob.id)).toEqual({ [other.companyId]: 'member' })
  })
})

describe('the address of a new account', () => {
  it('is proved only in a domain verified by the company [SN-05]', async () => {
    const domain = await aVerifiedDomain(app, companyId)
    const ours = await aPerson({ userName: anAddress(domain) })
    expect(await account(ours.id)).toMatchObject({ email_verified_at: expect.any(Date), proof_due: false })
    for (const elsewhere of [`sub.${domain}`, 'elsewhere.test']) {
      const { id } = await aPerson({ userName: anAddress(elsewhere) })
      expect(await account(id)).toMatchObject({ email_verified_at: null, proof_due: true })
    }
  })

  it('is refused in a domain verified by another company, and when it is taken [SN-05]', async () => {
    const domain = await aVerifiedDomain(app, await aCompany(app))
    const userName = anAddress(domain)
    expect((await house.scim('POST', '/Users', { userName })).status).toBe(403)
    const stranger = await aUser(app, { role: 'member' })
    const before = await account(stranger.id)
    const grab = await house.scim('POST', '/Users', { userName: stranger.email.toUpperCase(), active: false })
    expect(grab).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect([await account(stranger.id), await rolesOf(stranger.id)]).toEqual([
      before,
      await rolesOf(stranger.id),
    ])
    expect((await house.scim('GET', `/Users/${stranger.id}`)).status).toBe(404)
  })

  it('comes with a username that resembles no other [SN-05]', async () => {
    await aUser(app, { username: 'lookalike' })
    const { id } = await aPerson({ userName: 'Iookalike@house.test' })
    expect((await account(id)).username).toBe('Iookalike2')
  })
})

describe('the audit log', () => {
  it('contains each change of a user with the previous values [SN-05]', async () => {
    const domain = await aVerifiedDomain(app, companyId)
    const first = anAddress(domain)
    const { id } = await aPerson({ userName: first, externalId: 'e1', displayName: 'Ann Lee' })
    expect(await lastAudited(app, 'account.created')).toMatchObject({
      ...{ actor_id: null, actor_name: 'SCIM of House', company_id: companyId, subject_id: id },
      changes: expect.arrayContaining([{ what: 'email', before: null, after: first }]),
    })
    const second = anAddress(domain)
    await house.scim('PUT', `/Users/${id}`, {
      ...{ userName: second, externalId: 'e2', displayName: 'Ann Ray', locale: 'fr', active: true },
      emails: [{ value: second }],
    })
    expect((await lastAudited(app, 'account.changed'))?.changes).toEqual([
      { what: 'user_name', before: first, after: second },
      { what: 'external_id', before: 'e1', after: 'e2' },
      { what: 'email', before: first, after: second },
      { what: 'name', before: 'Ann Lee', after: 'Ann Ray' },
      { what: 'language', before: 'en', after: 'fr' },
    ])
    await house.setActive(id, false)
    expect((await lastAudited(app, 'account.changed'))?.changes).toEqual([
      { what: 'role', before: 'member', after: null },
      { what: 'active', before: 'true', after: 'false' },
    ])
    await house.scim('DELETE', `/Users/${id}`)
    expect(await lastAudited(app, 'account.changed')).toMatchObject({
      ...{ subject_id: id, changes: [{ what: 'user_name', before: second, after: null }] },
    })
  })

  it('contains each change of a group and its members [SN-05]', async () => {
    const [ann, bob] = [await aPerson(), await aPerson()]
    const nameOf = async ({ id }: { id: string }) => (await account(id)).username
    const first = `Crew ${++n}`
    const made = await house.scim('POST', '/Groups', { displayName: first, members: [{ value: ann.id }] })
    const { id } = made.body
    expect(await lastAudited(app, 'group.created')).toMatchObject({
      ...{ actor_name: 'SCIM of House', company_id: companyId, subject: first, subject_id: id },
      changes: [{ what: 'person', before: null, after: await nameOf(ann) }],
    })
    const second = `Crew ${++n}`
    await house.scim('PUT', `/Groups/${id}`, { displayName: second, members: [{ value: bob.id }] })
    expect((await lastAudited(app, 'group.changed'))?.changes).toEqual([
      { what: 'name', before: first, after: second },
      { what: 'person', before: await nameOf(ann), after: null },
      { what: 'person', before: null, after: await nameOf(bob) },
    ])
    await house.scim('DELETE', `/Groups/${id}`)
    expect(await lastAudited(app, 'group.removed')).toMatchObject({ subject: second, subject_id: id })
  })
})
