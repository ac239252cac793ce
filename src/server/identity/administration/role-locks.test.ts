import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aDirectory } from '#tests/directory.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { lockAccount } from '../accounts/accounts.ts'
import { isCompany, lockPerson, lockRoles, superAdmins } from './store.ts'

let app: TestApp
let root: TestUser
let companyId: string
beforeAll(async () => {
  app = await startApp()
  root = await aUser(app, { role: 'super_admin' })
  companyId = await aCompany(app)
})
afterAll(() => app.close())

async function setMember(admin: TestUser, userId: string): Promise<number> {
  const payload = { membership: { company_id: companyId, role: 'member' } }
  const { headers } = admin
  const url = `/api/v1/admin/users/${userId}`
  return (await app.http.inject({ method: 'PATCH', url, headers, payload })).statusCode
}

describe('concurrent changes of roles', () => {
  it('by super admins each succeed', async () => {
    const others = await Promise.all(
      Array.from({ length: 6 }, () => aUser(app, { role: 'super_admin', companyId })),
    )
    const answers = await Promise.all(others.map(({ id }) => setMember(root, id)))
    expect(answers).toEqual(others.map(() => 200))
  })

  it('wait for each other if one is an invitation accepted by a super admin', async () => {
    const { id, headers } = await aUser(app, { role: 'super_admin', companyId })
    const wish = { company_id: companyId, role: 'member', emails: [] }
    const invite = { method: 'POST', headers: root.headers } as const
    const made = await app.http.inject({ ...invite, url: '/api/v1/admin/invitations', payload: wish })
    const token = made.json().link.split('token=')[1]
    let accepted: Promise<number> | undefined
    await app.deps.db.transaction().execute(async (trx) => {
      await superAdmins(trx)
      const url = '/api/v1/invitations/accept'
      const request = { method: 'POST', url, headers, payload: { token } } as const
      accepted = app.http.inject(request).then(({ statusCode }) => statusCode)
      await sleep(1_000)
      await lockPerson(trx, id)
    })
    expect(await accepted).toBe(200)
  })

  it.each<
    [
      string,
      (companyId: string, into: string) => { method: 'POST' | 'DELETE'; url: string; payload?: object },
    ]
  >([
    ['merged', (from, into) => ({ method: 'POST', url: `/${from}/merge`, payload: { into } })],
    ['deleted', (from) => ({ method: 'DELETE', url: `/${from}`, payload: { name: 'Ended' } })],
  ])('wait for each other if a company is %s meanwhile', async (_, requestFor) => {
    const [from, into] = [await aCompany(app, 'Ended'), await aCompany(app)]
    const chief = await aUser(app, { role: 'super_admin', companyId: from })
    let done: Promise<number> | undefined
    await app.deps.db.transaction().execute(async (trx) => {
      await superAdmins(trx)
      const { url, ...request } = requestFor(from, into)
      const { headers } = root
      const sent = app.http.inject({ ...request, headers, url: `/api/v1/admin/companies${url}` })
      done = sent.then(({ statusCode }) => statusCode)
      await sleep(1_000)
      await lockPerson(trx, chief.id)
      await isCompany(trx, from)
    })
    expect(await done).toBe(204)
  })

  it('wait for each other if an invited person signs up meanwhile', async () => {
    const invited = await aCompany(app)
    const wish = { company_id: invited, role: 'member', emails: [] }
    const invite = { method: 'POST', headers: root.headers } as const
    const made = await app.http.inject({ ...invite, url: '/api/v1/admin/invitations', payload: wish })
    const invitation = made.json().link.split('token=')[1]
    let done: Promise<number> | undefined
    await app.deps.db.transaction().execute(async (trx) => {
      await lockRoles(trx)
      await trx.selectFrom('companies').select('id').where('id', '=', invited).forUpdate().execute()
      const payload = { username: 'invited', email: 'invited@x.test', password: 'correct horse', invitation }
      const sent = app.http.inject({ method: 'POST', url: '/api/v1/users/', payload })
      done = sent.then(({ statusCode }) => statusCode)
      await sleep(2_500)
      await trx.updateTable('invitations').set({ role: 'member' }).where('company_id', '=', invited).execute()
    })
    expect(await done).toBe(201)
  })

  it.each<[string, (trx: Transaction<Tables>, id: string) => Promise<void>]>([
    ['of a role', lockRoles],
    ['of the account', lockAccount],
  ])('wait for each other if a key is revoked during a change %s', async (_, lock) => {
    const { id } = await aUser(app, { role: 'member', companyId })
    const { key } = await anApiKey(app, { id })
    let done: Promise<number> | undefined
    await app.deps.db.transaction().execute(async (trx) => {
      await lock(trx, id)
      const url = `/api/v1/admin/outside-access/keys/${key.id}`
      const sent = app.http.inject({ method: 'DELETE', url, headers: root.headers })
      done = sent.then(({ statusCode }) => statusCode)
      await sleep(1_000)
      await trx.updateTable('access_keys').set({ name: 'x' }).where('user_id', '=', id).execute()
    })
    expect(await done).toBe(204)
  })

  it('by a directory and an administrator each succeed', async () => {
    const names = ['One', 'Two', 'Three', 'Four']
    app.deps.config.ATRIUM_SIGN_ON_ROLES.push(
      ...names.map((group) => ({ provider: 'scim', companyId, group, role: 'company_admin' as const })),
    )
    const house = await aDirectory(app, companyId)
    const people = await Promise.all(
      names.map((name) => house.scim('POST', '/Users', { userName: `${name}@roles.test` })),
    )
    const groups = await Promise.all(
      names.map((displayName) => house.scim('POST', '/Groups', { displayName })),
    )
    const ids = people.map(({ body }) => String(body.id))
    const members = ids.map((value) => ({ value }))
    const add = (value: object[]) => ({ Operations: [{ op: 'add', path: 'members', value }] })
    const answers = await Promise.all([
      ...groups.map(({ body }, i) =>
        house.scim('PATCH', `/Groups/${body.id}`, add(i % 2 ? members : [...members].reverse())),
      ),
      ...people.map(({ body }) =>
        house.scim('PUT', `/Users/${body.id}`, { userName: body.userName, displayName: 'Ann Roles' }),
      ),
      ...ids.map(async (id) => ({ status: await setMember(house.admin, id) })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})
