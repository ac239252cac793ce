import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aDirectory } from '#tests/directory.ts'
import { chooseAttributes, readChoice, wants } from './choose-attributes.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
let app: TestApp
let house: Awaited<ReturnType<typeof aDirectory>>
beforeAll(async () => {
  app = await startApp()
  house = await aDirectory(app)
})
afterAll(() => app.close())

let n = 0
const aPerson = async () => (await house.scim('POST', '/Users', { userName: `person${++n}@house.test` })).body
const aGroup = async (...people: string[]) => {
  const members = people.map((value) => ({ value }))
  return (await house.scim('POST', '/Groups', { displayName: `Group ${++n}`, externalId: `g${n}`, members }))
    .body
}
const list = async (kind: 'Users' | 'Groups', filter: string, more = '') =>
  (await house.scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}${more}`)).body

describe('Entra', () => {
  it('checks group membership without reading the members [SN-05]', async () => {
    const [ann, bob] = [await aPerson(), await aPerson()]
    const group = await aGroup(ann.id)
    const ask = (person: string) =>
      list('Groups', `id eq "${group.id}" and members eq "${person}"`, '&excludedAttributes=members')
    expect((await ask(ann.id)).Resources.map(({ id }: { id: string }) => id)).toEqual([group.id])
    expect((await ask(ann.id)).Resources[0]).not.toHaveProperty('members')
    expect((await ask(bob.id)).totalResults).toBe(0)
    expect((await list('Groups', `members.value eq "${ann.id.toUpperCase()}"`)).totalResults).toBe(1)
    expect((await list('Groups', `externalId eq "${group.externalId}"`)).totalResults).toBe(1)
    expect((await list('Groups', 'members eq "x"')).totalResults).toBe(0)
  })

  it('reads and updates groups and users without excluded attributes [SN-05]', async () => {
    const ann = await aPerson()
    const { id } = await aGroup(ann.id)
    const operation = { op: 'replace', path: 'externalId', value: 'z' }
    for (const { body } of [
      await house.scim('GET', `/Groups/${id}?excludedAttributes=members`),
      await house.scim('PATCH', `/Groups/${id}?excludedAttributes=Members`, { Operations: [operation] }),
    ]) {
      expect(body).toMatchObject({ id, displayName: expect.any(String), meta: expect.any(Object) })
      expect(body).not.toHaveProperty('members')
    }
    expect((await house.scim('GET', `/Groups/${id}`)).body.members).toHaveLength(1)
    const only = await house.scim('GET', `/Users/${ann.id}?attributes=userName,name.familyName`)
    expect(Object.keys(only.body).sort()).toEqual(['id', 'name', 'schemas', 'userName'])
    expect(Object.keys(only.body.name)).toEqual(['familyName'])
    const [listed] = (await list('Users', `id eq "${ann.id}"`, '&excludedAttributes=emails,name')).Resources
    expect(listed).not.toHaveProperty('emails')
    expect(listed).toMatchObject({ userName: ann.userName, active: true })
  })

  it('can query and set a manager, which is not stored [SN-05]', async () => {
    const ann = await aPerson()
    for (const name of ['manager', `${enterprise}:manager`])
      expect((await list('Users', `id eq "${ann.id}" and ${name} eq "x"`)).totalResults).toBe(0)
    const set = { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: '../Users/x', value: 'x' }] }
    expect((await house.patch(ann.id, set)).status).toBe(200)
  })

  it('names members with the schema prefix, singly and without a list [SN-05]', async () => {
    const [ann, bob] = [await aPerson(), await aPerson()]
    const { id } = await aGroup()
    const change = (...Operations: object[]) => house.scim('PATCH', `/Groups/${id}`, { Operations })
    const ids = ({ body }: { body: { members: { value: string }[] } }) =>
      body.members.map(({ value }) => value).sort()
    const path = `${core}:Group:members`
    const added = await change(
      { op: 'Add', path, value: [{ $ref: null, value: ann.id }] },
      { op: 'add', path: 'members', value: { value: bob.id } },
    )
    expect(ids(added)).toEqual([ann.id, bob.id].sort())
    expect(ids(await change({ op: 'Remove', path: `${path}[value eq "${ann.id}"]` }))).toEqual([bob.id])
    const patched = await house.scim('PUT', `/Groups/${id}`, {
      DisplayName: 'Put',
      MEMBERS: [{ value: ann.id }],
    })
    expect([ids(patched), patched.body.displayName]).toEqual([[ann.id], 'Put'])
  })

  it('can change only the display name and the work address [SN-05]', async () => {
    const { id, userName } = await aPerson()
    const name = { op: 'Replace', value: { 'name.givenName': 'Ann', 'name.familyName': 'Lee' } }
    expect((await house.patch(id, name)).body.displayName).toBe('Ann Lee')
    const shown = await house.patch(id, { op: 'Replace', path: 'displayName', value: 'Ann van Lee' })
    expect(shown.body).toMatchObject({ displayName: 'Ann van Lee', name: { familyName: 'van Lee' } })
    const home = { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@mail.test' }
    const type = { op: 'Add', path: 'emails[type eq "work"].primary', value: true }
    const whole = { op: 'Add', path: 'emails[type eq "work"]', value: { value: userName, type: 'work' } }
    expect((await house.patch(id, home, type, whole)).body.emails).toMatchObject([{ value: userName }])
    expect(await house.refusal()).toBeUndefined()
  })

  it('quotes values as in JSON [SN-05]', async () => {
    const userName = 'DOM\\ann "and" co'
    await house.scim('POST', '/Users', { userName, emails: [{ value: 'quoted@house.test' }] })
    expect(
      (await list('Users', `userName eq ${JSON.stringify(userName)} and active eq true`)).totalResults,
    ).toBe(1)
    expect((await list('Users', 'userName eq "DOM\\x"')).totalResults).toBe(0)
  })
})

describe('the attribute selection', () => {
  const chosen = (attributes: string, excludedAttributes = '') =>
    readChoice({ attributes, excludedAttributes })
  const resource = {
    schemas: ['s'],
    id: '1',
    emails: [{ value: 'a', type: 'work' }],
    name: { formatted: 'A' },
  }

  it('always includes id and schemas, in any case [SN-05]', () => {
    expect(chooseAttributes(resource, chosen('title'))).toEqual({ schemas: ['s'], id: '1' })
    expect(chooseAttributes(resource, chosen('', 'id,schemas,emails,name'))).toEqual({
      schemas: ['s'],
      id: '1',
    })
  })

  it('selects sub-attributes by names in any case, with schema prefixes [SN-05]', () => {
    const { emails } = resource
    expect(chooseAttributes(resource, chosen(` ${core}:User:EMAILS , x`)).emails).toEqual(emails)
    expect(chooseAttributes(resource, chosen('emails.value')).emails).toEqual([{ value: 'a' }])
    expect(chooseAttributes(resource, chosen('', 'Emails.Value')).emails).toEqual([{ type: 'work' }])
    expect(chooseAttributes(resource, chosen('name', 'name')).name).toEqual({ formatted: 'A' })
    expect([wants(chosen('a'), 'members'), wants(chosen(''), 'members')]).toEqual([false, true])
    expect(wants(chosen('members.value'), 'members')).toBe(true)
  })
})
