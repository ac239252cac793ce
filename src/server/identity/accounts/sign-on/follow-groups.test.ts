import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { parseConfig } from '../../../platform/config/config.ts'
import { listWays } from './list-ways.ts'
import { type Claims, findSignOnUser } from './sign-on.ts'

const house = randomUUID()
const shop = randomUUID()
const rules = [
  `oidc: Staff => ${house}: member`,
  `oidc: Chiefs => ${house}: company_admin`,
  `oidc: Owners => ${house}: super_admin`,
  `ldap: cn=shop,ou=groups,dc=example => ${shop}: company_admin`,
  `oidc: Staff => ${randomUUID()}: super_admin`,
]
let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_SIGN_ON_ROLES: rules.join('; ') } })
  for (const [id, name] of [
    [house, 'House'],
    [shop, 'Shop'],
  ] as const)
    await app.deps.db.insertInto('companies').values({ id, name }).execute()
})
afterAll(() => app.close())

/** Signs a user on with these groups and returns their roles. */
async function signOn(who: string, groups: Claims['groups'], provider = 'oidc') {
  const claims = {
    ...{ subject: who, email: `${who}@example.com`, emailVerified: true, isOfHouse: false },
    ...{ name: null, locale: null, groups },
  }
  const { id } = await findSignOnUser(app.deps, provider, claims, async () => true)
  return rolesOf(id)
}

async function rolesOf(id: string) {
  const members = app.deps.db.selectFrom('company_members').select(['company_id', 'role'])
  const roles = await members.where('user_id', '=', id).execute()
  const of = (company: string) => roles.find(({ company_id }) => company_id === company)?.role ?? null
  return { id, house: of(house), shop: of(shop), companies: roles.length }
}

it('roles follow the groups at each sign-on: upgrade, downgrade and removal [SN-04]', async () => {
  await aUser(app, { role: 'super_admin', username: 'root' })
  expect(await signOn('ann', ['Staff'])).toMatchObject({ house: 'member', shop: null })
  expect(await signOn('ann', ['Staff', 'Chiefs', 'Unknown'])).toMatchObject({ house: 'company_admin' })
  expect(await signOn('ann', ['Staff', 'Owners'])).toMatchObject({ house: 'super_admin' })
  expect(await signOn('ann', ['Staff'])).toMatchObject({ house: 'member' })
  expect(await signOn('ann', [])).toMatchObject({ house: null })
  expect(await signOn('ann', ['staff', ' Staff'])).toMatchObject({ house: null })
})

it('roles of a deactivated account change with the first sign-on after its reactivation [SN-04]', async () => {
  const { id } = await signOn('dea', ['Staff'])
  const setDeactivated = (deactivated_at: Date | null) =>
    app.deps.db.updateTable('users').set({ deactivated_at }).where('id', '=', id).execute()
  await setDeactivated(new Date())
  await expect(signOn('dea', ['Chiefs'])).rejects.toMatchObject({ failure: 'account_deactivated' })
  expect(await rolesOf(id)).toMatchObject({ house: 'member' })
  await setDeactivated(null)
  expect(await signOn('dea', ['Chiefs'])).toMatchObject({ house: 'company_admin' })
})

it('the last active super admin keeps the role even if a deactivated account has it too [SN-04]', async () => {
  const all = await app.deps.db
    .updateTable('company_members')
    .set({ role: 'member' })
    .where('role', '=', 'super_admin')
    .returning(['user_id', 'company_id'])
    .execute()
  const [first, second] = [await signOn('one', ['Owners']), await signOn('two', ['Owners'])]
  const setDeactivated = (deactivated_at: Date | null) =>
    app.deps.db.updateTable('users').set({ deactivated_at }).where('id', '=', second.id).execute()
  await setDeactivated(new Date())
  expect(await signOn('one', [])).toMatchObject({ id: first.id, house: 'super_admin' })
  await setDeactivated(null)
  expect(await signOn('one', [])).toMatchObject({ house: null })
  for (const { user_id, company_id } of all)
    await app.deps.db
      .updateTable('company_members')
      .set({ role: 'super_admin' })
      .where('user_id', '=', user_id)
      .where('company_id', '=', company_id)
      .execute()
})

it('counts a group with and without the slash that Keycloak puts in front [SN-04]', async () => {
  expect(await signOn('kim', ['/Staff'])).toMatchObject({ house: 'member' })
  expect(await signOn('kim', ['/Parent/Staff', 'Staff/'])).toMatchObject({ house: null })
})

it('the rules of a stored provider count for its own people only [SN-04]', async () => {
  const id = 'oidc-ab12cd34'
  const group = (name: string, company_id: string) => ({ group: name, company_id, role: 'company_admin' })
  const settings = {
    ...{ kind: 'oidc', issuer: 'https://i.test', client_id: 'a', scopes: 'openid', groups_claim: 'groups' },
    ...{ asks_graph: false, signs_out: false },
  }
  const row = { id, name: 'Orsane', is_enabled: true, trusts_addresses: false }
  const rules = JSON.stringify([group('/Leads', house)])
  await app.deps.db
    .insertInto('sign_on_providers')
    .values({ ...row, settings: JSON.stringify(settings), rules })
    .execute()
  expect(await signOn('lou', ['Leads'], id)).toMatchObject({ house: 'company_admin' })
  expect(await signOn('mo', ['Leads'])).toMatchObject({ house: null })
  expect(await signOn('lou', 'too_many', id)).toMatchObject({ house: 'company_admin' })
  expect(await signOn('lou', [], id)).toMatchObject({ house: null })
})

it("a manual role never exceeds the groups' role; other companies are not affected [SN-04]", async () => {
  const { id } = await signOn('bob', ['Staff'])
  const raised = { role: 'company_admin' as const }
  await app.deps.db.updateTable('company_members').set(raised).where('user_id', '=', id).execute()
  expect(await signOn('bob', ['Staff'])).toMatchObject({ house: 'member', companies: 2 })
})

it('only the service named in the rule counts [SN-04]', async () => {
  expect(await signOn('cleo', ['cn=shop,ou=groups,dc=example'])).toMatchObject({ shop: null })
  const inShop = await signOn('cleo-ldap', ['cn=shop,ou=groups,dc=example'], 'ldap')
  expect(inShop).toMatchObject({ shop: 'company_admin', house: null })
  expect(await signOn('dan', ['Owners'], 'google')).toMatchObject({ house: null })
})

it('the last super admin is kept, and each change is audited [SN-04]', async () => {
  const { id } = await signOn('eve', ['Owners'])
  await app.deps.db
    .deleteFrom('company_members')
    .where('role', '=', 'super_admin')
    .where('user_id', '!=', id)
    .execute()
  expect(await signOn('eve', ['Staff'])).toMatchObject({ house: 'super_admin' })
  await aUser(app, { role: 'super_admin', username: 'second' })
  expect(await signOn('eve', ['Staff'])).toMatchObject({ house: 'member' })
  const { rows } = await sql<{ changes: unknown }>`
    select changes from audit_entries where actor_name = 'OpenID' and subject_id = ${id} order by at`.execute(
    app.deps.db,
  )
  expect(rows.map(({ changes }) => changes)).toEqual([
    [{ what: 'role', before: null, after: 'super_admin' }],
    [{ what: 'role', before: 'super_admin', after: 'member' }],
  ])
})

it('roles stay while the groups are unknown, and the log and the page of the ways say why', async () => {
  const { id } = await signOn('flo', ['Chiefs'])
  expect(await signOn('flo', 'too_many')).toMatchObject({ house: 'company_admin' })
  expect(await signOn('flo', 'not_sent')).toMatchObject({ house: 'company_admin' })
  expect(await signOn('gil', 'too_many')).toMatchObject({ house: null })
  await signOn('hal', 'too_many', 'google')
  const { rows } = await sql<{ changes: unknown }>`
    select changes from audit_entries where did = 'sign_on.groups_unknown' and subject_id = ${id} order by at`.execute(
    app.deps.db,
  )
  const service = { what: 'service', before: null, after: 'oidc' }
  expect(rows.map(({ changes }) => changes)).toEqual([
    [service, { what: 'groups', before: null, after: 'too_many' }],
    [service, { what: 'groups', before: null, after: 'not_sent' }],
  ])
  const { ways } = await listWays(app.deps)
  const unknown = (way: string) => ways.find(({ id: found }) => found === way)?.unknown_groups
  expect(unknown('google')).toEqual([])
  expect(unknown('oidc')).toMatchObject([
    { reason: 'not_sent', people: 1 },
    { reason: 'too_many', people: 2 },
  ])
  expect(await signOn('flo', [])).toMatchObject({ house: null })
})

it.each([
  'oidc Staff',
  'oidc: Staff => here: member',
  `oidc: Staff => ${house}: king`,
  `oidc: => ${house}: member`,
])('an invalid rule prevents the start: %s', (rule) => {
  expect(() => parseConfig({ ATRIUM_SIGN_ON_ROLES: rule })).toThrow('must be rules such as')
})
