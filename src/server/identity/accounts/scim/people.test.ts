import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'

const companyId = randomUUID()
const chiefs = `scim: Chiefs => ${companyId}: company_admin`
const others = [
  `oidc: Buyers => ${companyId}: company_admin`,
  `scim: Buyers => ${randomUUID()}: company_admin`,
]

let app: TestApp
let headers: Record<string, string>
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_SIGN_ON_ROLES: [chiefs, ...others].join('; ') } })
  await aUser(app, { role: 'super_admin' })
  await app.deps.db.insertInto('companies').values({ id: companyId, name: 'House' }).execute()
  const admin = await aUser(app, { role: 'company_admin', companyId })
  const url = `/api/v1/admin/companies/${companyId}/directory`
  const made = await app.http.inject({ method: 'POST', url, headers: admin.headers })
  headers = { authorization: `Bearer ${made.json().token}`, 'content-type': 'application/scim+json' }
})
afterAll(() => app.close())

async function scim(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const payload = body && JSON.stringify(body)
  const answer = await app.http.inject({ method, url: `/scim/v2${path}`, headers, payload })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
let n = 0
const aPerson = (more: object = {}) =>
  scim('POST', '/Users', { userName: `person${++n}@house.test`, ...more })
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { Operations })
const account = (id: string) =>
  app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const roleOf = async (id: string) =>
  (
    await app.deps.db
      .selectFrom('company_members')
      .select('role')
      .where('user_id', '=', id)
      .where('company_id', '=', companyId)
      .executeTakeFirst()
  )?.role ?? null
const aGroup = async (displayName: string, ...people: string[]) =>
  (await scim('POST', '/Groups', { displayName, members: people.map((value) => ({ value })) })).body

describe('an account created by a directory', () => {
  it('gets a valid username from the name, with a number if it is taken [SN-05]', async () => {
    const nameOf = async (more: object) => (await account((await aPerson(more)).body.id)).username
    const emails = (value: string) => [{ value }]
    expect(await nameOf({ userName: 'zoe.lang@house.test' })).toBe('zoe.lang')
    expect(await nameOf({ userName: 'zoe.lang@other.test' })).toBe('zoe.lang2')
    expect(await nameOf({ userName: 'Zoé Löw#1', emails: emails('z1@house.test') })).toBe('ZoeLow1')
    expect(await nameOf({ userName: '@x', emails: emails('mailed@house.test') })).toBe('mailed')
    expect(await nameOf({ userName: 'zo@house.test' })).toBe('user-zo')
    expect(await nameOf({ userName: `${'q'.repeat(40)}@house.test` })).toBe('q'.repeat(24))
  })

  it('gets name and language, with English for an unsupported one [SN-05]', async () => {
    const of = async (more: object) => {
      const { full_name, language } = await account((await aPerson(more)).body.id)
      return { full_name, language }
    }
    const name = { givenName: ' Ann', familyName: 'Lee ' }
    expect(await of({ name, displayName: 'A. Lee', locale: 'FR-ca' })).toEqual({
      ...{ full_name: 'Ann Lee', language: 'fr' },
    })
    expect(await of({ displayName: ' A. Lee ', locale: 'de' })).toEqual({
      full_name: 'A. Lee',
      language: 'en',
    })
    expect(await of({ locale: 'en' })).toEqual({ full_name: null, language: 'en' })
    expect((await of({ displayName: 'x'.repeat(101) })).full_name).toBe('x'.repeat(100))
  })

  it('requires a name and an address and is created once [SN-05]', async () => {
    const refused = async (body: object) => (await scim('POST', '/Users', body)).body
    expect(await refused({ userName: ' ', emails: [{ value: 'a@house.test' }] })).toMatchObject({
      ...{ status: '400', scimType: 'invalidValue', detail: 'A user needs a userName.' },
    })
    for (const body of [{ userName: 'nobody' }, { userName: 'a', emails: [{ value: 'no address' }] }])
      expect(await refused(body)).toMatchObject({
        detail: 'A user needs an e-mail address, in emails or as userName.',
      })
    const { userName } = (await aPerson()).body
    expect(await refused({ userName, emails: [{ value: 'other@house.test' }] })).toMatchObject({
      ...{ status: '409', scimType: 'uniqueness', detail: 'A user of this name is there already.' },
    })
  })

  it('can be created inactive and activated by its directory [SN-05]', async () => {
    const { id, active } = (await aPerson({ active: false })).body
    expect([active, await roleOf(id)]).toEqual([false, null])
    const opened = await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect([opened.body.active, await roleOf(id)]).toEqual([true, 'member'])
    expect((await account(id)).deactivated_at).toBeNull()
    // Repeating the request changes nothing.
    const { body } = await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(body.active).toBe(true)
  })

  it('keeps its address, and loses its name on request [SN-05]', async () => {
    const { id, userName } = (await aPerson({ displayName: 'Ann Lee' })).body
    const moved = await patch(`/Users/${id}`, {
      op: 'replace',
      path: 'emails',
      value: [{ value: 'n@house.test' }],
    })
    expect(moved).toMatchObject({ status: 200, body: { emails: [{ value: userName }] } })
    const same = await scim('PUT', `/Users/${id}`, {
      ...{ userName, emails: [{ value: userName.toUpperCase() }], displayName: 'Bea Lee' },
    })
    expect(same.status).toBe(200)
    expect((await scim('GET', `/Users/${randomUUID()}`)).status).toBe(404)
    const gone = await scim('DELETE', `/Users/${id}`)
    expect([gone.status, (await scim('GET', `/Users/${id}`)).status]).toEqual([204, 404])
    expect((await account(id)).deactivated_at).not.toBeNull()
  })
})

describe('a group', () => {
  it('has a name without direction controls and invisible characters, like its people [SN-05]', async () => {
    const hidden = 'Fin\u202eance\u200b team'
    const { body: group } = await scim('POST', '/Groups', { displayName: hidden })
    expect(group.displayName).toBe('Finance team')
    const patch = { Operations: [{ op: 'replace', path: 'displayName', value: `${hidden} two` }] }
    expect((await scim('PATCH', `/Groups/${group.id}`, patch)).body.displayName).toBe('Finance team two')
    expect((await scim('POST', '/Groups', { displayName: '\u200b\u202e' })).status).toBe(400)
    const { body: ann } = await scim('POST', '/Users', { userName: 'hidden@house.test', displayName: hidden })
    const put = await scim('PUT', `/Users/${ann.id}`, {
      userName: 'hidden@house.test',
      displayName: `${hidden} b`,
    })
    expect([ann.displayName, put.body.displayName]).toEqual(['Finance team', 'Finance team b'])
  })

  it('grants the role of its rule, if the rule is for SCIM and this company [SN-05]', async () => {
    const { id } = (await aPerson()).body
    await aGroup('Buyers', id)
    expect(await roleOf(id)).toBe('member')
    const group = await aGroup('Chiefs', id)
    expect(await roleOf(id)).toBe('company_admin')
    expect((await scim('DELETE', `/Groups/${group.id}`)).status).toBe(204)
    expect([(await scim('GET', `/Groups/${group.id}`)).status, await roleOf(id)]).toEqual([404, 'member'])
  })

  it('can be changed by operations with and without a path [SN-05]', async () => {
    const [one, two] = [(await aPerson()).body.id, (await aPerson()).body.id]
    const group = await aGroup('Team', one)
    const path = `/Groups/${group.id}`
    const ids = ({ body }: { body: { members: { value: string }[] } }) =>
      body.members.map(({ value }) => value).sort()
    expect(ids(await patch(path, { op: 'add', path: 'members', value: [{ value: two }] }))).toEqual(
      [one, two].sort(),
    )
    expect(ids(await patch(path, { op: 'remove', path: `members[value eq "${one}"]` }))).toEqual([two])
    expect(ids(await patch(path, { op: 'replace', path: 'Members', value: [{ value: one }] }))).toEqual([one])
    expect(ids(await patch(path, { op: 'remove', path: 'members', value: [{ value: two }] }))).toEqual([one])
    expect(ids(await patch(path, { op: 'remove', path: 'members' }))).toEqual([])
    expect(ids(await patch(path, { op: 'replace', path: 'members', value: null }))).toEqual([])
    const object = { displayName: ' Crew ', externalId: 'e1', id: group.id, schemas: [] }
    const renamed = await patch(path, { op: 'replace', value: object })
    expect(renamed.body).toMatchObject({ displayName: 'Crew', externalId: 'e1' })
    expect((await patch(path, { op: 'remove', path: 'externalId' })).body).not.toHaveProperty('externalId')
    expect((await patch(path, { op: 'replace' })).status).toBe(200)
  })

  it('is replaced by PUT [SN-05]', async () => {
    const { id } = (await aPerson()).body
    const group = await aGroup('First', id)
    const put = await scim('PUT', `/Groups/${group.id}`, { displayName: 'Second', externalId: 'e2' })
    expect(put.body).toMatchObject({ displayName: 'Second', externalId: 'e2', members: [] })
    const back = await scim('PUT', `/Groups/${group.id}`, { displayName: 'Second', members: [{ value: id }] })
    expect(back.body.members).toMatchObject([{ value: id }])
    expect(back.body).not.toHaveProperty('externalId')
  })

  it('has a unique name and only the attributes of groups [SN-05]', async () => {
    const group = await aGroup('Alone')
    const path = `/Groups/${group.id}`
    const taken = {
      status: 409,
      body: { scimType: 'uniqueness', detail: 'A group of this name is there already.' },
    }
    expect(await scim('POST', '/Groups', { displayName: 'Alone' })).toMatchObject(taken)
    const other = await aGroup('Other')
    const rename = { op: 'replace', path: 'displayName', value: 'Alone' }
    expect(await patch(`/Groups/${other.id}`, rename)).toMatchObject(taken)
    expect(await patch(path, { op: 'replace', path: 'owner', value: 'x' })).toMatchObject({
      ...{ status: 400, body: { scimType: 'invalidPath', detail: 'A group has no owner.' } },
    })
    for (const displayName of ['', ' ', 'x'.repeat(201), 5])
      expect((await scim('POST', '/Groups', { displayName })).status).toBe(400)
    expect((await patch(path, { op: 'replace', path: 'displayName', value: '' })).status).toBe(400)
    expect((await patch(`/Groups/${randomUUID()}`, rename)).status).toBe(404)
  })
})
