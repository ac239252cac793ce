import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aToken, aUser, type TestUser } from '#tests/builders.ts'
import { openStream } from '#tests/event-stream.ts'
import { recordUsage } from '../../../money/billing/billing.ts'
import { letIn } from '../second-factor/let-in.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const rules = ['company_admin', 'member'] as const
const companyId = '3f0c1b1e-6a55-4c0e-9a39-0d2f4ec9a001'

let app: TestApp
let url: string
let admin: TestUser
let token: string
beforeAll(async () => {
  const roles = [
    `scim: Buyers => ${companyId}: ${rules[1]}`,
    `scim: Heads => ${companyId}: ${rules[0]}`,
  ].join('; ')
  app = await startApp({ config: { ATRIUM_SIGN_ON_ROLES: roles } })
  url = await app.listen()
  await aUser(app, { role: 'super_admin' })
  await app.deps.db.insertInto('companies').values({ id: companyId, name: 'Orsane' }).execute()
  admin = await aUser(app, { role: 'company_admin', companyId })
  token = (await api('POST', `/admin/companies/${companyId}/directory`, admin)).body.token
})
afterAll(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Answer = { status: number; body: any; headers: Headers }
async function api(method: string, path: string, who: TestUser): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers: who.headers })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers }
}
async function scim(method: string, path: string, body?: unknown, bearer = token): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    ...(body ? { 'content-type': 'application/scim+json' } : {}),
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${url}/scim/v2${path}`, { method, headers, ...sent })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers }
}
let n = 0
/** A user in Okta's format. */
const aBody = (more: object = {}) => {
  const userName = `ines.brunet${++n}@orsane.eu`
  return {
    ...{ schemas: [`${core}:User`], userName, name: { givenName: 'Inès', familyName: 'Brunet' } },
    ...{ emails: [{ primary: true, value: userName, type: 'work' }], displayName: 'Inès Brunet' },
    ...{ locale: 'fr-FR', externalId: `00u${n}`, groups: [], password: 'x1y2', active: true, ...more },
  }
}
const made = async (more: object = {}) => (await scim('POST', '/Users', aBody(more))).body
const patch = (id: string, ...Operations: object[]) =>
  scim('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations })
const signIn = (id: string) =>
  letIn(app.deps, id, { visit: { userAgent: null, address: '127.0.0.1' }, device: null })

describe("a company's SCIM directory", () => {
  it('is connected by a token that an administrator creates, sees once and can revoke [SN-05]', async () => {
    const other = await aCompany(app)
    const path = `/admin/companies/${other}/directory`
    const boss = await aUser(app, { role: 'company_admin', companyId: other })
    expect((await api('POST', path, admin)).status).toBe(403)
    const { status, body } = await api('POST', path, boss)
    expect([status, body.url]).toEqual([201, `${url}/scim/v2`])
    expect((await scim('GET', '/Users', undefined, body.token)).body.totalResults).toBe(1)
    expect(JSON.stringify((await api('GET', path, boss)).body)).not.toContain(body.token)
    const second = (await api('POST', path, boss)).body.token
    expect((await scim('GET', '/Users', undefined, body.token)).status).toBe(401)
    expect((await api('DELETE', path, boss)).status).toBe(204)
    const refused = await scim('GET', '/Users', undefined, second)
    expect(refused).toMatchObject({
      status: 401,
      body: { schemas: [expect.stringContaining('2.0:Error')], status: '401' },
    })
    const written = await app.deps.db.selectFrom('users').select('id').where('id', '=', boss.id).execute()
    expect(written).toHaveLength(1)
  })

  it('describes its features and stored attributes [SN-05]', async () => {
    const { body, headers } = await scim('GET', '/ServiceProviderConfig')
    expect(headers.get('content-type')).toContain('application/scim+json')
    expect(body).toMatchObject({ patch: { supported: true }, filter: { supported: true, maxResults: 200 } })
    expect(
      (await scim('GET', '/ResourceTypes')).body.Resources.map(
        ({ endpoint }: { endpoint: string }) => endpoint,
      ),
    ).toEqual(['/Users', '/Groups'])
    expect((await scim('GET', '/Schemas')).body.totalResults).toBe(2)
    expect((await scim('GET', '/Nothing')).status).toBe(404)
  })

  it('lets Okta find, create, read, change and page users [SN-05]', async () => {
    const body = aBody()
    const filter = (text: string) =>
      scim('GET', `/Users?filter=${encodeURIComponent(text)}&startIndex=1&count=100`)
    expect((await filter(`userName eq "${body.userName}"`)).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const { status, body: user, headers } = await scim('POST', '/Users', body)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${url}/scim/v2/Users/${user.id}`)
    expect(user).toMatchObject({
      userName: body.userName,
      externalId: body.externalId,
      active: true,
      preferredLanguage: 'fr',
    })
    expect(JSON.stringify(user)).not.toContain('x1y2')
    expect(await scim('POST', '/Users', body)).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    expect((await filter(`userName eq "${body.userName.toUpperCase()}"`)).body.Resources[0].id).toBe(user.id)
    expect((await filter(`externalId eq "${body.externalId}" and active eq true`)).body.totalResults).toBe(1)
    expect((await filter(`emails[type eq "work"].value eq "${body.userName}"`)).body.totalResults).toBe(1)
    expect(await filter('title co "boss"')).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    })
    const put = await scim('PUT', `/Users/${user.id}`, {
      ...body,
      name: { givenName: 'Inès', familyName: 'Martin' },
    })
    expect(put.body.name.formatted).toBe('Inès Martin')
    const moved = await scim('PUT', `/Users/${user.id}`, {
      ...body,
      emails: [{ value: 'x@evil.example', primary: true }],
    })
    expect(moved).toMatchObject({ status: 200, body: { emails: [{ value: body.userName }] } })
    await made()
    const first = (await scim('GET', '/Users?startIndex=1&count=1')).body
    const next = (await scim('GET', '/Users?startIndex=2&count=1')).body
    expect(first).toMatchObject({ itemsPerPage: 1, totalResults: next.totalResults })
    expect(first.Resources[0].id).not.toBe(next.Resources[0].id)
    expect((await scim('POST', '/Users', { userName: 'nobody' })).body.scimType).toBe('invalidValue')
    expect((await scim('GET', '/Users/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })

  it('lets Entra patch by path, by object, and with words for booleans [SN-05]', async () => {
    const { id } = await made()
    const named = await patch(
      id,
      { op: 'Replace', path: 'name.familyName', value: 'Moreau' },
      { op: 'Add', path: `${core}:User:displayName`, value: 'Inès Moreau' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Achats',
      },
      { op: 'Replace', value: { externalId: 'abc', 'name.givenName': 'Agnès' } },
    )
    expect(named.body).toMatchObject({ displayName: 'Agnès Moreau', externalId: 'abc' })
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
    expect((await patch(id, { op: 'replace', value: { active: true } })).body.active).toBe(true)
    expect((await patch(id, { op: 'swap', path: 'active', value: true })).body.scimType).toBe('invalidSyntax')
    expect((await patch(id, { op: 'replace', path: 'active', value: 'maybe' })).body.scimType).toBe(
      'invalidValue',
    )
  })

  it('ends the sessions, streams and keys of a deactivated user, who cannot return [SN-05]', async () => {
    const { id, userName } = await made()
    const bearer = { headers: { authorization: `Bearer ${await aToken(app, id)}` } }
    const user = { id, username: 'x', email: userName, token: '', ...bearer } as TestUser
    const key = await anApiKey(app, user, { scopes: ['chats'] })
    const stream = await openStream(`${url}/api/v1/users/me/events`, bearer)
    const as = (headers: { authorization: string }) => fetch(`${url}/api/v1/sessions`, { headers })
    expect([(await as(bearer.headers)).status, (await as(key.headers)).status]).toEqual([200, 200])
    await patch(id, { op: 'replace', value: { active: false } })
    expect([(await as(bearer.headers)).status, (await as(key.headers)).status]).toEqual([401, 401])
    await stream.ended
    await expect(signIn(id)).rejects.toThrow('This account is deactivated.')
    expect((await scim('GET', `/Users/${id}`)).body.active).toBe(false)
    await patch(id, { op: 'replace', path: 'active', value: true })
    expect(await signIn(id)).toMatchObject({ token: expect.any(String) })
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    await expect(signIn(id)).rejects.toThrow('This account is deactivated.')
  })

  it('cannot reach users of other companies, and only removes membership of shared users [SN-05]', async () => {
    const stranger = await aUser(app, { role: 'member' })
    expect((await scim('GET', `/Users/${stranger.id}`)).status).toBe(404)
    expect((await patch(stranger.id, { op: 'replace', value: { active: false } })).status).toBe(404)
    const grab = await scim(
      'POST',
      '/Users',
      aBody({ userName: stranger.email, emails: [{ value: stranger.email }] }),
    )
    expect(grab).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    const { id } = await made()
    const elsewhere = { company_id: await aCompany(app), user_id: id, role: 'member' }
    await app.deps.db.insertInto('company_members').values(elsewhere).execute()
    await patch(id, { op: 'replace', value: { active: false } })
    expect(await signIn(id)).toMatchObject({ token: expect.any(String) })
    const left = await app.deps.db
      .selectFrom('company_members')
      .select('company_id')
      .where('user_id', '=', id)
      .execute()
    expect(left).toEqual([{ company_id: elsewhere.company_id }])
  })

  it('grants and revokes roles by group rules, in the dialects of Okta and Entra [SN-05]', async () => {
    const [one, two] = [await made(), await made()]
    const roleOf = async (id: string) =>
      (
        await app.deps.db
          .selectFrom('company_members')
          .select('role')
          .where('user_id', '=', id)
          .executeTakeFirst()
      )?.role
    const { status, body: heads } = await scim('POST', '/Groups', {
      displayName: 'Heads',
      members: [{ value: one.id, display: 'x' }],
    })
    expect([status, await roleOf(one.id), await roleOf(two.id)]).toEqual([201, 'company_admin', 'member'])
    const change = (...Operations: object[]) =>
      scim('PATCH', `/Groups/${heads.id}`, { schemas: [patchOp], Operations })
    await change({ op: 'Add', path: 'members', value: [{ value: two.id }] })
    expect(await roleOf(two.id)).toBe('company_admin')
    await change({ op: 'remove', path: `members[value eq "${one.id}"]` })
    await change({ op: 'Remove', path: 'members', value: [{ value: two.id }] })
    expect([await roleOf(one.id), await roleOf(two.id)]).toEqual(['member', 'member'])
    await change({ op: 'replace', value: { id: heads.id, displayName: 'Chiefs' } })
    await change({ op: 'replace', path: 'members', value: [{ value: one.id }] })
    expect(await roleOf(one.id)).toBe('member')
    const put = await scim('PUT', `/Groups/${heads.id}`, {
      displayName: 'Heads',
      members: [{ value: one.id }],
    })
    expect([put.body.members.length, await roleOf(one.id)]).toEqual([1, 'company_admin'])
    expect((await scim('POST', '/Groups', { displayName: 'heads' })).body.scimType).toBe('uniqueness')
    const found = (
      await scim(
        'GET',
        `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Heads"')}`,
      )
    ).body
    expect(found.Resources).toMatchObject([{ id: heads.id, displayName: 'Heads' }])
    expect(found.Resources[0]).not.toHaveProperty('members')
    expect((await scim('DELETE', `/Groups/${heads.id}`)).status).toBe(204)
    expect(await roleOf(one.id)).toBe('member')
  })

  it('is rate-limited, for floods as well as guesses [SN-05]', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 61 }, () => scim('GET', '/Users', undefined, 'atr_scim_guess')),
    )
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    await app.deps.db.updateTable('rate_limits').set({ hits: 3_001 }).execute()
    expect((await scim('GET', '/Users')).status).toBe(429)
    await app.deps.db.deleteFrom('rate_limits').execute()
  })

  it('shows the last change and refusal until it has a new token', async () => {
    const directory = async () => (await api('GET', `/admin/companies/${companyId}/directory`, admin)).body
    const { userName } = await made()
    expect((await directory()).last_change).toEqual({ name: userName, at: expect.any(String) })
    const { status, body } = await scim('POST', '/Users', aBody({ userName }))
    expect(status).toBe(409)
    expect((await directory()).last_refusal).toEqual({ detail: body.detail, at: expect.any(String) })
    token = (await api('POST', `/admin/companies/${companyId}/directory`, admin)).body.token
    expect((await directory()).last_refusal).toBeNull()
  })

  it('creates company groups with working memberships that only the directory can change [SN-05]', async () => {
    const { id: ines } = await made()
    const { db } = app.deps
    const { body: buyers } = await scim('POST', '/Groups', {
      ...{ displayName: 'Night buyers', members: [{ value: ines }] },
    })
    // A group made in the company may have the same name.
    const own = await db
      .insertInto('groups')
      .values({ company_id: companyId, name: 'night buyers' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const listed = async () =>
      (await api('GET', '/admin/groups?q=night', admin)).body.items.map(
        ({ id, name, people, from_directory }: Record<string, unknown>) => ({
          id,
          name,
          people,
          from_directory,
        }),
      )
    expect(await listed()).toEqual(
      expect.arrayContaining([
        { id: own.id, name: 'night buyers', people: 0, from_directory: false },
        { id: buyers.id, name: 'Night buyers', people: 1, from_directory: true },
      ]),
    )
    const path = `/admin/groups/${buyers.id}`
    for (const [method, at] of [
      ['DELETE', path],
      ['PUT', `${path}/people/${admin.id}`],
      ['DELETE', `${path}/people/${ines}`],
    ] as const)
      expect((await api(method, at, admin)).status).toBe(409)
    // Usage is booked for the group and within its budget.
    await sql`insert into budgets (kind, group_id, period, amount, since, spent)
      values ('group', ${buyers.id}, 'month', 10, '2020-01-01', 0)`.execute(db)
    const spend = () => recordUsage(db, anEntry(ines))
    const spent = async () => {
      const { rows } = await sql<{ spent: number }>`
        select spent::float8 from budgets where group_id = ${buyers.id}`.execute(db)
      return rows[0]?.spent
    }
    await spend()
    expect(await spent()).toBe(2)
    await scim('PATCH', `/Groups/${buyers.id}`, {
      schemas: [patchOp],
      Operations: [{ op: 'remove', path: `members[value eq "${ines}"]` }],
    })
    await spend()
    expect(await spent()).toBe(2)
    // A user who leaves the company and returns is a member of the group again.
    await scim('PATCH', `/Groups/${buyers.id}`, {
      schemas: [patchOp],
      Operations: [{ op: 'add', path: 'members', value: [{ value: ines }] }],
    })
    await patch(ines, { op: 'replace', path: 'active', value: false })
    await patch(ines, { op: 'replace', path: 'active', value: true })
    await spend()
    expect(await spent()).toBe(4)
    await scim('PUT', `/Groups/${buyers.id}`, { displayName: 'Late buyers', members: [] })
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['night buyers'])
    await scim('DELETE', `/Groups/${buyers.id}`)
    expect((await api('GET', '/admin/groups?q=late', admin)).body.total).toBe(0)
  })
})

const anEntry = (user_id: string) => ({
  ...{ user_id, session_id: null, run_id: null, step_key: null, attempt: 1, model_name: 'house/large' },
  usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0, estimated: false },
  ...{ price: { amount: 2, unpriced: false }, reason: 'documents' },
})
