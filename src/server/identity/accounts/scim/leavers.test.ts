import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aToken } from '#tests/builders.ts'
import { aVerifiedDomain } from '#tests/company-domain.ts'
import { aDirectory } from '#tests/directory.ts'
import { hashSecret } from '../tokens/access-token-store.ts'
import { leavesByPatch, leavesByPut } from './leaves.ts'

let app: TestApp
let house: Awaited<ReturnType<typeof aDirectory>>
beforeAll(async () => {
  app = await startApp()
  house = await aDirectory(app)
  await aVerifiedDomain(app, house.companyId, 'house.test')
  await aVerifiedDomain(app, house.companyId, 'new-house.test')
})
afterAll(() => app.close())

const account = (id: string) =>
  app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
let n = 0
async function aPerson(more: object = {}) {
  const { body } = await house.scim('POST', '/Users', { userName: `leaver${++n}@house.test`, ...more })
  const headers = { authorization: `Bearer ${await aToken(app, body.id)}` }
  const isIn = async () => (await app.http.inject({ url: '/api/v1/sessions', headers })).statusCode === 200
  return { id: body.id as string, userName: body.userName as string, isIn }
}
const elsewhere = [{ value: 'x@elsewhere.test', type: 'work', primary: true }]

describe('a user deactivated by the directory', () => {
  it('is locked out by a PUT, whatever else it contains [SN-05]', async () => {
    const other = await aPerson()
    const rests = [
      { emails: elsewhere },
      { emails: [{ value: 'no address' }] },
      { emails: [{ value: other.userName }] },
      { userName: other.userName },
      { userName: '' },
      { userName: 5 },
      { displayName: { not: 'a text' } },
      { name: 'x'.repeat(5_000) },
      { externalId: 'x'.repeat(1_000) },
    ]
    for (const rest of rests)
      for (const active of [false, 'False']) {
        const ann = await aPerson()
        const put = await house.scim('PUT', `/Users/${ann.id}`, { userName: ann.userName, active, ...rest })
        expect(put, JSON.stringify(rest)).toMatchObject({ status: 200, body: { id: ann.id, active: false } })
        expect([await ann.isIn(), (await account(ann.id)).email]).toEqual([false, ann.userName])
      }
    expect(await house.refusal()).toContain('externalId')
  })

  it('is locked out by a PATCH, whatever else it contains, in any order and dialect [SN-05]', async () => {
    const other = await aPerson()
    const wrong = [
      { op: 'replace', path: 'userName', value: other.userName },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@elsewhere.test' },
      { op: 'replace', path: 'displayName', value: 5 },
      { op: 'move', path: 'title' },
      { op: 'replace', value: { emails: 'none', name: [] } },
      { op: 'replace', value: 'active' },
      { op: 'replace', path: 'name.givenName', value: [] },
      { op: 'replace', path: 'externalId', value: {} },
    ]
    const leaving = [
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'replace', value: { active: false } },
      { op: 'replace', path: 'active', value: [{ value: 'False' }] },
      { op: 'replace', value: { active: 0 } },
      { op: 'replace', path: '"active"', value: false },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User', value: { active: false } },
      { op: 'replace', value: [{ active: false }] },
    ]
    for (const [i, rest] of wrong.entries()) {
      const leaves = leaving[i % leaving.length] ?? {}
      for (const operations of [
        [leaves, rest],
        [rest, leaves],
      ]) {
        const ann = await aPerson()
        const patched = await house.patch(ann.id, ...operations)
        expect(patched, JSON.stringify(operations)).toMatchObject({ status: 200, body: { active: false } })
        expect(await ann.isIn()).toBe(false)
      }
    }
  })

  it('can exchange no authorization code of a program any more', async () => {
    const ann = await aPerson()
    const [code_hash, expires_at] = [hashSecret(ann.id), new Date(Date.now() + 60_000)]
    const program = { client_id: 'x', client_name: 'x', redirect_uri: 'x', challenge: 'x', scopes: [] }
    const code = { code_hash, user_id: ann.id, ...program, expires_at }
    await app.deps.db.insertInto('program_codes').values(code).execute()
    await house.setActive(ann.id, false)
    const left = app.deps.db.selectFrom('program_codes').select('user_id').where('user_id', '=', ann.id)
    expect(await left.execute()).toEqual([])
  })

  it('is locked out by attributes below the name of their schema [SN-05]', async () => {
    const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
    const below = {
      [core]: { active: false, displayName: 'Ann Below' },
    }
    const inFront = { [`${core}:active`]: false, [`${core.toLowerCase()}:displayName`]: 'Ann Below' }
    const people = []
    for (const attributes of [below, inFront, { [core]: [below[core]] }]) {
      const [put, patched] = [await aPerson(), await aPerson()]
      await house.scim('PUT', `/Users/${put.id}`, { userName: put.userName, ...attributes })
      await house.patch(patched.id, { op: 'replace', value: attributes })
      people.push(put, patched)
    }
    for (const path of [core, `"${core.toLowerCase()}"`]) {
      const ann = await aPerson()
      await house.patch(ann.id, { op: 'replace', path, value: below[core] })
      people.push(ann)
    }
    const listed = await aPerson()
    await house.patch(listed.id, { op: 'replace', value: [below[core]] })
    for (const { id, isIn } of [...people, listed]) {
      const { body } = await house.scim('GET', `/Users/${id}`)
      expect([await isIn(), body.active, body.displayName]).toEqual([false, false, 'Ann Below'])
    }
  })

  it('also gets the allowed changes of the same request [SN-05]', async () => {
    const ann = await aPerson()
    const userName = `gone${++n}@house.test`
    const body = { userName, active: false, emails: [{ value: userName }], displayName: 'Ann Gone' }
    expect((await house.scim('PUT', `/Users/${ann.id}`, body)).body).toMatchObject({
      ...{ active: false, userName, displayName: 'Ann Gone', emails: [{ value: userName }] },
    })
  })

  it('is determined by the last value of active in the body [SN-05]', () => {
    expect([leavesByPut({ ACTIVE: 'false' }), leavesByPut({ active: true }), leavesByPut({})]).toEqual([
      ...[true, false, false],
    ])
    for (const none of [null, 5, 'x', [], { active: null }, { active: {} }, { active: [{ value: true }] }])
      expect(leavesByPut(none)).toBe(false)
    const patch = (...Operations: unknown[]) => leavesByPatch({ Operations })
    const [off, on] = [false, true].map((value) => ({ op: 'replace', path: 'active', value }))
    expect([patch(off), patch(off, on), patch(on, off)]).toEqual([true, false, true])
    expect(patch(off, { op: 'replace', path: 'active', value: 'maybe' })).toBe(true)
    expect(patch({ op: 'remove', path: 'active', value: false })).toBe(false)
    for (const none of [null, 5, {}, { op: 'add', value: 'x' }, { path: 5 }]) expect(patch(none)).toBe(false)
    expect(leavesByPatch({ operations: [off] })).toBe(true)
    for (const none of [null, {}, { Operations: 'x' }]) expect(leavesByPatch(none)).toBe(false)
  })
})

describe('an address changed by the directory', () => {
  it('is accepted within verified domains, as proved [SN-05]', async () => {
    const { id } = await aPerson()
    const userName = `renamed${++n}@new-house.test`
    const put = await house.scim('PUT', `/Users/${id}`, {
      userName,
      emails: [{ value: userName, primary: true }],
    })
    expect(put).toMatchObject({ status: 200, body: { userName, emails: [{ value: userName }] } })
    expect(await account(id)).toMatchObject({ email: userName, email_verified_at: expect.any(Date) })
    const next = `renamed${++n}@house.test`
    const patched = await house.patch(id, {
      op: 'Replace',
      path: 'emails[type eq "work"].value',
      value: next,
    })
    expect(patched.body.emails).toMatchObject([{ value: next }])
  })

  it("outside of the company's control is skipped and noted without blocking other changes [SN-05]", async () => {
    const other = await aPerson()
    const ann = await aPerson()
    for (const [value, why] of [
      ['x@elsewhere.test', 'verify the domain'],
      [other.userName.toUpperCase(), 'another account'],
      ['no address', 'is none'],
    ]) {
      const displayName = `Ann ${++n}`
      const body = { userName: ann.userName, active: true, displayName, emails: [{ value, primary: true }] }
      const put = await house.scim('PUT', `/Users/${ann.id}`, body)
      expect(put).toMatchObject({ status: 200, body: { displayName, emails: [{ value: ann.userName }] } })
      expect(await house.refusal()).toContain(why)
    }
    expect((await house.setActive(ann.id, false)).body.active).toBe(false)
  })

  it('never replaces a proved address outside of verified domains [SN-05]', async () => {
    const { id } = await aPerson()
    const own = `private${++n}@mail.test`
    await app.deps.db.updateTable('users').set({ email: own }).where('id', '=', id).execute()
    await house.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value: 'grab@house.test' })
    expect((await account(id)).email).toBe(own)
    expect(await house.refusal()).toContain('its domain is not verified')
  })
})
