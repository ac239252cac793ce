import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Restricts } from '#shared/identity/networks/networks.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { runCommand } from '#tests/command.ts'
import { aNetwork } from '#tests/company-network.ts'
import { databaseUrl } from '#tests/database-url.ts'
import { aDirectory } from '#tests/directory.ts'
import { clearNetworks } from './networks.ts'

const OFFICE = '192.0.2.0/24'
const DESK = '192.0.2.7'
const HOME = '203.0.113.9'

let app: TestApp
let house = ''
let admin: TestUser
let chief: TestUser
beforeAll(async () => {
  app = await startApp()
  chief = await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  house = await aCompany(app, 'Orsane')
  admin = await aUser(app, { role: 'company_admin', companyId: house })
})

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
async function send(who: TestUser, method: Method, path: string, payload?: object, remoteAddress = DESK) {
  const { headers } = who
  const answer = await app.http.inject({
    method,
    url: `/api/v1${path}`,
    headers,
    remoteAddress,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
const path = (companyId = house) => `/admin/companies/${companyId}/networks`
const add = (who: TestUser, network: string, restricts: Restricts = 'sign_in', address = DESK) =>
  send(who, 'POST', path(), { restricts, network, note: 'Office' }, address)
const list = async () => (await send(chief, 'GET', path())).body.items as { id: string; network: string }[]
/** Stores the address from which a person signed in. */
const signedInFrom = (user: TestUser, address: string) =>
  app.deps.db.updateTable('access_tokens').set({ address }).where('user_id', '=', user.id).execute()
const audited = async (did: string) =>
  (await send(chief, 'GET', `/admin/audit?did=${did}`)).body.items as { subject: string; changes: object[] }[]

describe('the networks of a company', () => {
  it('are added, noted and removed with entries in the audit log', async () => {
    const made = await add(admin, '192.0.2.99/24')
    expect(made).toMatchObject({ status: 201, body: { network: OFFICE, note: 'Office', has_caller: true } })
    const one = `${path()}/${made.body.id}`
    expect((await send(admin, 'PATCH', one, { note: 'Paris' })).body.note).toBe('Paris')
    const read = await send(admin, 'GET', path())
    expect(read.body).toMatchObject({ address: DESK, is_proxy: false, items: [{ note: 'Paris' }] })
    expect((await send(admin, 'DELETE', one)).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await send(admin, 'DELETE', one)).status).toBe(404)
    const [added] = await audited('network.added')
    expect(added).toMatchObject({ subject: OFFICE, company: 'Orsane', address: DESK })
    expect(added?.changes).toContainEqual({ what: 'restricts', before: null, after: 'sign_in' })
    expect((await audited('network.changed'))[0]?.changes).toEqual([
      { what: 'note', before: 'Office', after: 'Paris' },
    ])
    expect((await audited('network.removed'))[0]).toMatchObject({ subject: OFFICE })
  })

  it('may be IPv6, single addresses and IPv4-mapped, each once', async () => {
    await add(admin, OFFICE)
    expect((await add(admin, '2001:db8:1::9/48')).body.network).toBe('2001:db8:1::/48')
    expect((await add(admin, '198.51.100.4')).body.network).toBe('198.51.100.4/32')
    expect((await add(admin, '::ffff:198.51.100.4')).status).toBe(409)
    expect((await add(admin, '198.51.100.4', 'administration')).status).toBe(409)
    expect(await add(admin, 'the office')).toMatchObject({
      ...{ status: 422, body: { code: 'invalid', errors: [{ path: 'network' }] } },
    })
  })

  it('say when the address is that of an unknown proxy', async () => {
    const headers = { ...admin.headers, 'x-forwarded-for': HOME }
    const answer = await app.http.inject({ url: `/api/v1${path()}`, headers, remoteAddress: '10.0.0.2' })
    expect(answer.json()).toMatchObject({ address: '10.0.0.2', is_proxy: true })
  })
})

describe('the last administrator', () => {
  it('cannot save a list without their own address, which the answer names', async () => {
    for (const restricts of ['sign_in', 'administration'] as const) {
      const refused = await add(admin, '198.51.100.0/24', restricts)
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'conflict', errors: [{ path: 'network' }] },
      })
      expect(refused.body.detail).toContain(DESK)
    }
    expect(await list()).toEqual([])
    const own = await add(admin, OFFICE)
    await add(admin, '198.51.100.0/24')
    expect((await send(admin, 'DELETE', `${path()}/${own.body.id}`)).status).toBe(409)
    expect(await list()).toHaveLength(2)
  })

  it('may remove the last network, which restricts nothing any more', async () => {
    const { body } = await add(admin, OFFICE)
    expect((await send(admin, 'DELETE', `${path()}/${body.id}`)).status).toBe(204)
    expect((await send(admin, 'GET', '/users/me', undefined, HOME)).status).toBe(200)
  })

  it('stays inside when two remove the network of the other concurrently', async () => {
    const second = await aUser(app, { role: 'company_admin', companyId: house })
    const [one, other] = [await add(admin, OFFICE), await add(admin, '198.51.100.0/24')]
    await add(admin, '10.0.0.0/8')
    const answers = await Promise.all([
      send(admin, 'DELETE', `${path()}/${other.body.id}`),
      send(second, 'DELETE', `${path()}/${one.body.id}`, undefined, '198.51.100.4'),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  it('must have signed in from the networks that a super admin of another company sets', async () => {
    expect((await add(chief, OFFICE)).status).toBe(409)
    await signedInFrom(admin, '::ffff:192.0.2.7')
    expect((await add(chief, '2001:db8::/32')).status).toBe(409)
    expect((await add(chief, OFFICE)).status).toBe(201)
    await signedInFrom(admin, '[fe80::7%eth0]:4711')
    expect((await add(chief, 'fe80::/64')).status).toBe(201)
    await signedInFrom(admin, '192.0.2.7:4711')
    const [office] = await list()
    const note = { note: 'Lyon' }
    expect((await send(chief, 'PATCH', `${path()}/${office?.id}`, note, HOME)).status).toBe(200)
    const empty = await aCompany(app)
    const anywhere = { restricts: 'sign_in', network: '10.0.0.0/8', note: '' }
    expect((await send(chief, 'POST', path(empty), anywhere)).status).toBe(201)
  })

  type Leave = (who: TestUser) => Promise<{ status: number; body: { detail?: string } | null }>
  const role =
    (name: string | null): Leave =>
    (who) =>
      send(chief, 'PATCH', `/admin/users/${who.id}`, { membership: { company_id: house, role: name } })
  const ways: [string, Leave][] = [
    ['demoted', role('member')],
    ['removed from the company', role(null)],
    ['deactivated', (who) => send(chief, 'POST', `/admin/users/${who.id}/deactivate`, {})],
    [
      'erased by a super admin',
      (who) => send(chief, 'POST', `/admin/users/${who.id}/erasure`, { email: who.email }),
    ],
    ['gone by themselves', (who) => send(who, 'POST', '/users/me/erasure', { email: who.email })],
  ]

  it.each(ways)('who can enter is not %s', async (_, leave) => {
    await add(admin, OFFICE)
    const second = await aUser(app, { role: 'company_admin', companyId: house })
    await signedInFrom(second, HOME)
    const refused = await leave(admin)
    expect(refused.status).toBe(409)
    expect(refused.body?.detail).toContain('last administrator of Orsane')
    await signedInFrom(second, DESK)
    expect((await leave(admin)).status).toBeLessThan(300)
    expect((await leave(second)).status).toBe(409)
  })

  it('who can enter stays when several are demoted by one statement', async () => {
    await add(admin, OFFICE)
    await signedInFrom(admin, DESK)
    await signedInFrom(await aUser(app, { role: 'company_admin', companyId: house }), DESK)
    const demote = sql`update company_members set role = 'member' where company_id = ${house}`
    await expect(demote.execute(app.deps.db)).rejects.toMatchObject({ code: 'ATENT' })
  })

  it('may leave a company without networks', async () => {
    for (const [, leave] of ways) {
      const other = await aUser(app, { role: 'company_admin', companyId: house })
      expect((await leave(other)).status).toBeLessThan(300)
    }
  })

  it('is kept when a directory deactivates them', async () => {
    const directory = await aDirectory(app, house)
    const { body } = await directory.scim('POST', '/Users', { userName: 'ann@orsane.test' })
    await sql`update company_members set role = 'member' where company_id = ${house} and user_id <> ${body.id}`.execute(
      app.deps.db,
    )
    await role('company_admin')({ id: body.id } as TestUser)
    await aNetwork(app, house, { restricts: 'sign_in', network: OFFICE })
    const refused = await directory.setActive(body.id, false)
    expect(refused.status).toBe(409)
    expect(await directory.scim('GET', `/Users/${body.id}`)).toMatchObject({ body: { active: true } })
    await clearNetworks(app.deps, house)
    expect((await directory.setActive(body.id, false)).status).toBe(200)
  })

  it('does not keep their company from being merged or deleted', async () => {
    await add(admin, OFFICE)
    const into = await aCompany(app, 'Other')
    expect((await send(chief, 'POST', `/admin/companies/${house}/merge`, { into })).status).toBe(204)
    expect((await send(admin, 'GET', '/users/me', undefined, HOME)).status).toBe(200)
    const other = await aUser(app, { role: 'company_admin', companyId: into })
    await aNetwork(app, into, { restricts: 'sign_in', network: OFFICE })
    expect((await send(chief, 'DELETE', `/admin/companies/${into}`, { name: 'Other' })).status).toBe(204)
    expect((await send(other, 'GET', '/users/me', undefined, HOME)).status).toBe(200)
  })
})

describe('the way out on the server', () => {
  it('removes the networks of one company by name or id, with an entry in the audit log', async () => {
    const name = `Locked ${house}`
    await app.deps.db.updateTable('companies').set({ name }).where('id', '=', house).execute()
    const other = await aCompany(app, 'Kessler')
    await aNetwork(app, other, { network: OFFICE })
    await aNetwork(app, house, { restricts: 'sign_in', network: OFFICE })
    expect((await send(admin, 'GET', '/users/me', undefined, HOME)).status).toBe(403)
    expect(await clearNetworks(app.deps, name.toUpperCase())).toEqual({ company: name, count: 1 })
    await expect.poll(async () => (await send(admin, 'GET', '/users/me', undefined, HOME)).status).toBe(200)
    expect((await send(chief, 'GET', path(other))).body.items).toHaveLength(1)
    expect((await audited('network.cleared'))[0]).toMatchObject({
      ...{ subject: name, company: name, actor: { id: null, name: 'Atrium' } },
      changes: [{ what: 'networks', before: '1', after: null }],
    })
    await expect(clearNetworks(app.deps, 'nowhere')).rejects.toMatchObject({ code: 'not_found' })
    await expect(clearNetworks(app.deps, 'orsane')).rejects.toMatchObject({ code: 'conflict' })
    expect(await clearNetworks(app.deps, house)).toEqual({ company: name, count: 0 })
  })

  it('is a command that works while the server runs', async () => {
    const name = `Moved ${house}`
    await app.deps.db.updateTable('companies').set({ name }).where('id', '=', house).execute()
    await aNetwork(app, house, { restricts: 'sign_in', network: OFFICE })
    const env = { DATABASE_URL: databaseUrl(app.address), ATRIUM_DATA_DIR: app.dataDir }
    const done = await runCommand(['scripts/clear-networks.ts', ...name.split(' ')], env)
    expect(done).toMatchObject({ code: 0, said: expect.stringContaining(`Removed networks of ${name}: 1.`) })
    await expect.poll(async () => (await send(admin, 'GET', '/users/me', undefined, HOME)).status).toBe(200)
    expect((await runCommand(['scripts/clear-networks.ts'], env)).code).toBe(1)
  })
})
