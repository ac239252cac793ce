import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'

const tool = { kind: 'tool', id: 'calculator' }
const aTool = {
  ...{ ui_name: 'A tool', description: 'Calls somebody.' },
  call: { method: 'GET', address: 'https://api.invalid/', inputs: [] },
}
let app: TestApp
let [companyId, elsewhere] = ['', '']
let superAdmin: TestUser
let admin: TestUser
let member: TestUser
let stranger: TestUser
beforeAll(async () => {
  app = await startApp()
  companyId = await aCompany(app, 'Atelier')
  elsewhere = await aCompany(app, 'Forge')
  superAdmin = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId })
  member = await aUser(app, { role: 'member', companyId })
  stranger = await aUser(app, { role: 'member', companyId: elsewhere })
})
afterAll(() => app.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = async (who: TestUser, method: Method, path: string, payload?: object) => {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who.headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null }
}
const decide = (
  who: TestUser,
  decided_by: string | null,
  said: { allow?: object[]; refuse?: object[] },
  thing = tool,
) => call(who, 'PUT', '/admin/grants', { ...thing, decided_by, allow: [], refuse: [], ...said })
const mayCalculate = async (who: TestUser) => {
  const { body } = await call(who, 'GET', '/tools')
  return body.some(({ id }: { id: string }) => id === 'calculator')
}
const aGroup = async (name: string, people: TestUser[], company_id = companyId) => {
  const { id } = (await call(superAdmin, 'POST', '/admin/groups', { company_id, name })).body
  for (const person of people) await call(superAdmin, 'PUT', `/admin/groups/${id}/people/${person.id}`)
  return id as string
}

describe('grants', () => {
  it('lists for every thing who may use it, everyone by default, and can be searched', async () => {
    const { body } = await call(superAdmin, 'GET', '/admin/grants?kind=tool')
    expect(body.items).toContainEqual({ ...tool, name: 'Calculator', from: null, grants: [] })
    expect(body.total).toBe(body.items.length)
    const found = await call(superAdmin, 'GET', '/admin/grants?kind=model&q=built-in')
    expect(found.body.items).toMatchObject([{ id: 'atrium/offline', grants: [] }])
    const page = await call(superAdmin, 'GET', '/admin/grants?kind=feature&limit=2&page=2')
    expect(page.body).toMatchObject({ items: [{ kind: 'feature' }, { kind: 'feature' }], has_more: true })
    expect((await call(member, 'GET', '/admin/grants?kind=tool')).status).toBe(403)
  })

  it('takes effect immediately, is audited, and is explained for one user [AD-05]', async () => {
    const group = await aGroup('Achats', [member])
    const decided = await decide(superAdmin, null, { allow: [{ who: 'group', id: group }] })
    const named = { decided_by: null, effect: 'allow', who: 'group', id: group, name: 'Achats' }
    expect(decided).toMatchObject({ status: 200, body: { ...tool, grants: [named] } })
    expect(await mayCalculate(member)).toBe(true)
    expect(await mayCalculate(admin)).toBe(false)
    expect(await lastAudited(app, 'grants.changed')).toMatchObject({
      ...{ actor_id: superAdmin.id, subject: 'tool: Calculator' },
      changes: [{ what: 'may_use', before: null, after: 'Achats' }],
    })
    const why = async (of: TestUser) => {
      const { body } = await call(superAdmin, 'GET', `/admin/users/${of.id}/grants?kind=tool&q=calculator`)
      return body
    }
    expect(await why(member)).toMatchObject({
      items: [{ may: true, reason: 'named', grants: [named] }],
      standing: [{ company: 'Atelier', role: 'member', groups: ['Achats'] }],
    })
    expect(await why(admin)).toMatchObject({ items: [{ may: false, reason: 'not_named', decided_by: null }] })
    // A user who leaves the group loses access; the database notifies each process of membership changes.
    await call(superAdmin, 'DELETE', `/admin/groups/${group}/people/${member.id}`)
    await expect.poll(() => mayCalculate(member)).toBe(false)
    // A closed thing stays closed when its only grantee is deleted.
    await call(superAdmin, 'DELETE', `/admin/groups/${group}`)
    await expect.poll(async () => (await why(member)).items[0].reason).toBe('not_named')
    expect(
      (await call(superAdmin, 'GET', '/admin/grants?kind=tool&q=calculator')).body.items[0].grants,
    ).toEqual([{ decided_by: null, effect: 'allow', who: 'nobody', id: '', name: null }])
    await decide(superAdmin, null, {})
    expect(await mayCalculate(admin)).toBe(true)
  })

  it('lets a company narrow access for its users, never widen it [AD-05]', async () => {
    const group = await aGroup('Juridique', [member])
    await decide(superAdmin, null, { allow: [{ who: 'role', id: 'member' }] })
    expect(await decide(admin, companyId, { allow: [{ who: 'group', id: group }] })).toMatchObject({
      status: 200,
    })
    const other = await aUser(app, { role: 'member', companyId })
    expect(await Promise.all([member, other, stranger, admin].map(mayCalculate))).toEqual([
      true,
      false,
      true,
      false,
    ])
    const { body } = await call(admin, 'GET', `/admin/users/${other.id}/grants?kind=tool&q=calculator`)
    expect(body.items[0]).toMatchObject({ may: false, decided_by: { id: companyId, name: 'Atelier' } })
    // Closed for the installation: the company's grant opens nothing.
    await decide(superAdmin, null, { allow: [{ who: 'company', id: elsewhere }] })
    expect(await Promise.all([member, stranger].map(mayCalculate))).toEqual([false, true])
    // Administrators do not see grants for other companies.
    const seen = await call(admin, 'GET', '/admin/grants?kind=tool&q=calculator')
    expect(seen.body.items[0].grants).toMatchObject([
      { who: 'others', name: null },
      { who: 'group', name: 'Juridique' },
    ])
    await Promise.all([decide(superAdmin, null, {}), decide(admin, companyId, {})])
  })

  it('accepts changes only from those in charge, for existing things and permitted grantees', async () => {
    const abroad = await aGroup('Étranger', [], elsewhere)
    const [own, theirs] = [
      { who: 'company', id: companyId },
      { who: 'company', id: elsewhere },
    ]
    expect((await decide(admin, null, {})).status).toBe(403)
    expect((await decide(admin, elsewhere, {})).status).toBe(403)
    expect((await decide(member, companyId, {})).status).toBe(403)
    expect((await decide(admin, companyId, { allow: [theirs] })).status).toBe(422)
    expect((await decide(admin, companyId, { refuse: [{ who: 'group', id: abroad }] })).status).toBe(422)
    expect((await decide(superAdmin, null, { allow: [own], refuse: [own] })).status).toBe(422)
    expect((await decide(superAdmin, null, {}, { kind: 'tool', id: 'telescope' })).status).toBe(404)
    expect((await call(admin, 'GET', `/admin/users/${stranger.id}/grants?kind=tool`)).status).toBe(403)
    expect(await mayCalculate(stranger)).toBe(true)
  })

  it('lists things shared in administered companies besides built-in ones', async () => {
    const { db } = app.deps
    const share = async (company: string, name: string) => {
      const { id } = (await call(admin, 'POST', '/assistants', { name, agent_type: 'single_turn' })).body
      const row = { assistant_id: id, company_id: company, access: 'use' as const, shared_by: admin.id }
      await db.insertInto('assistant_shares').values(row).execute()
      return id as string
    }
    const [own, theirs] = [await share(companyId, 'Buyer'), await share(elsewhere, 'Smith')]
    const made = await call(admin, 'POST', '/tools', aTool)
    const { set_id } = await db
      .selectFrom('own_tools')
      .select('set_id')
      .where('id', '=', made.body.id)
      .executeTakeFirstOrThrow()
    await db.insertInto('own_tool_shares').values({ set_id, company_id: companyId }).execute()
    const idsOf = async (who: TestUser, kind: string) =>
      (await call(who, 'GET', `/admin/grants?kind=${kind}&limit=100`)).body.items.map(
        ({ id }: { id: string }) => id,
      )
    expect(await idsOf(admin, 'assistant')).toContain(own)
    expect(await idsOf(admin, 'assistant')).not.toContain(theirs)
    expect(await idsOf(superAdmin, 'assistant')).toEqual(expect.arrayContaining([own, theirs]))
    const item = (await call(admin, 'GET', '/admin/grants?kind=assistant&q=buyer')).body.items[0]
    expect(item).toEqual({ kind: 'assistant', id: own, name: 'Buyer', from: 'Atelier', grants: [] })
    expect(await idsOf(admin, 'tool')).toContain(made.body.id)
    const closing = { kind: 'tool', id: made.body.id as string }
    const named = { refuse: [{ who: 'role', id: 'company_admin' }] }
    expect((await decide(admin, companyId, named, closing)).status).toBe(200)
    // The owner may still edit it, but not use it.
    expect((await call(admin, 'PUT', `/tools/${made.body.id}`, { description: 'Another.' })).status).toBe(200)
    expect((await call(admin, 'GET', `/tools/${made.body.id}`)).body.code).toBe('not_granted')
  })

  it('tells users which features are closed to them', async () => {
    await decide(
      superAdmin,
      null,
      { refuse: [{ who: 'company', id: elsewhere }] },
      { kind: 'feature', id: 'exports' },
    )
    expect((await call(stranger, 'GET', '/users/me/closed-features')).body).toEqual(['exports'])
    expect((await call(member, 'GET', '/users/me/closed-features')).body).toEqual([])
  })

  it('is reloaded by every process after a change', async () => {
    const second = await startApp({ address: app.address, jobs: false })
    const has = async () => (await second.deps.grants.closedTo(stranger.id)).has('tool', 'calculator')
    expect(await has()).toBe(false)
    await decide(superAdmin, null, { refuse: [{ who: 'company', id: elsewhere }] })
    await expect.poll(has).toBe(true)
    await decide(superAdmin, null, {})
    await expect.poll(has).toBe(false)
    await second.close()
  })
})
