import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { anAuthenticator } from '#tests/authenticator.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aNetwork } from '#tests/company-network.ts'
import { startLdapServer } from '#tests/ldap-server.ts'
import { startSignOn } from '#tests/sign-on.ts'
import { PASSWORD } from '#tests/visitor.ts'
import { codeAt, stepAt } from '../accounts/second-factor/totp.ts'

const DESK = '192.0.2.7'
const HOME = '203.0.113.9'

let house = ''
let service: Awaited<ReturnType<typeof startSignOn>>
let ldap: Awaited<ReturnType<typeof startLdapServer>>
let app: TestApp
beforeAll(async () => {
  ldap = await startLdapServer()
  service = await startSignOn({ ...ldap.settings, LDAP_URL: ldap.secure, LDAP_CA: ldap.ca })
  app = service.app
  await aUser(app, { role: 'super_admin' })
}, 60_000)
afterAll(async () => {
  await service.close()
  await ldap.close()
})
beforeEach(async () => {
  house = await aCompany(app)
})

async function send(path: string, payload: object | string, remoteAddress: string, token?: string) {
  const isForm = typeof payload === 'string'
  const answer = await app.http.inject({
    ...{ method: 'POST', url: `/api/v1${path}`, payload, remoteAddress },
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })
  return { status: answer.statusCode, body: answer.json() }
}
const signIn = (username: string, address: string, password = PASSWORD) =>
  send('/token', new URLSearchParams({ username, password }).toString(), address)
const refused = { status: 403, body: { code: 'outside_networks' } }

/** Makes a person a member of the company and restricts signing in to the office. */
async function restrict(username: string): Promise<void> {
  const { db } = app.deps
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('company_members')
    .values({ company_id: house, user_id: user.id, role: 'member' })
    .execute()
  await aNetwork(app, house, { restricts: 'sign_in', network: '192.0.2.0/24' })
}

let people = 0
async function aPerson() {
  const username = `person-${++people}`
  await send('/users/', { username, email: `${username}@example.com`, password: PASSWORD }, HOME)
  const token: string = (await signIn(username, HOME)).body.access_token
  return { username, token, post: (path: string, body: object) => send(path, body, HOME, token) }
}

it('with a password works in the networks and is refused and logged outside', async () => {
  const { username } = await aPerson()
  await restrict(username)
  const answer = await signIn(username, HOME)
  expect(answer).toMatchObject(refused)
  expect(answer.body.detail).toContain(HOME)
  expect(await lastAudited(app, 'session.refused')).toMatchObject({
    actor_name: username,
    company_id: house,
    changes: [{ what: 'networks', before: null, after: 'outside' }],
  })
  expect((await signIn(username, HOME, 'wrong')).body.code).toBe('wrong_credentials')
  expect((await signIn(username, DESK)).status).toBe(200)
  expect((await signIn(username, `::ffff:${DESK}`)).status).toBe(200)
})

it('with a second factor is refused outside at either step', async () => {
  const { username, post } = await aPerson()
  const { secret } = (await post('/users/me/second-factor/app', { current_password: PASSWORD })).body
  const code = (steps: number) => codeAt(secret, stepAt(new Date()) + steps)
  await post('/users/me/second-factor/app/confirm', { code: code(-1) })
  await restrict(username)
  expect(await signIn(username, HOME)).toMatchObject(refused)
  const { ticket } = (await signIn(username, DESK)).body.second_step
  expect(await send('/token/second-factor', { ticket, code: code(0) }, HOME)).toMatchObject(refused)
  expect((await send('/token/second-factor', { ticket, code: code(1) }, DESK)).status).toBe(200)
})

it('with a passkey is refused outside', async () => {
  const { username, post } = await aPerson()
  const key = anAuthenticator({ origin: service.url })
  const asked = (await post('/users/me/passkeys/options', { current_password: PASSWORD })).body
  const made = { challenge: asked.challenge, name: 'Notebook', response: key.create(asked.options) }
  expect((await post('/users/me/passkeys', made)).status).toBe(201)
  await restrict(username)
  const give = async (address: string) => {
    const { challenge, options } = (await send('/token/passkey/options', {}, address)).body
    return send('/token/passkey', { challenge, response: key.sign(options) }, address)
  }
  expect(await give(HOME)).toMatchObject(refused)
  expect((await give(DESK)).status).toBe(200)
})

it('with a sign-on service is refused outside', async () => {
  service.google.signInAs({
    sub: 'g-1',
    email: 'grace@example.com',
    email_verified: true,
    name: 'Grace',
    locale: 'fr',
  })
  const first = await service.signOn()
  const signedIn = await service.exchange(first.query.get('token') ?? '', first.jar)
  const headers = { authorization: `Bearer ${signedIn.body.access_token}` }
  const me = (await app.http.inject({ url: '/api/v1/users/me', headers })).json()
  await restrict(me.username)
  // The browser of the test comes from 127.0.0.1.
  const again = await service.signOn()
  expect(await service.exchange(again.query.get('token') ?? '', again.jar)).toMatchObject(refused)
})

it('with a directory is refused outside', async () => {
  const inside = await signIn('lea', DESK, 'lea-secret')
  expect(inside.status).toBe(200)
  await restrict('lea')
  expect(await signIn('lea', HOME, 'lea-secret')).toMatchObject(refused)
  expect((await signIn('lea', DESK, 'lea-secret')).status).toBe(200)
})

it('is open to super admins from everywhere', async () => {
  const { username } = await aPerson()
  await restrict(username)
  const other = await aCompany(app)
  const { id } = await app.deps.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  expect(await signIn(username, HOME)).toMatchObject(refused)
  await app.deps.db
    .insertInto('company_members')
    .values({ company_id: other, user_id: id, role: 'super_admin' })
    .execute()
  expect((await signIn(username, HOME)).status).toBe(200)
})
