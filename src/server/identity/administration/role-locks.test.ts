import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aDirectory } from '#tests/directory.ts'
import { lockPerson, superAdmins } from './store.ts'

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
