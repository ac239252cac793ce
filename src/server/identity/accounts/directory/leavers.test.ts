import { Writable } from 'node:stream'
import { Attribute, Change, Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { startLdapServer } from '#tests/ldap-server.ts'
import { aVisitor } from '#tests/visitor.ts'
import { parseConfig } from '../../../platform/config/config.ts'
import { createLog } from '../../../platform/log.ts'
import { checkPeople } from './check-people.ts'
import { createDirectory } from './directory.ts'
import { environmentDirectory } from './directory-settings.ts'

let ldap: Awaited<ReturnType<typeof startLdapServer>>
let app: TestApp
let chief: TestUser
let admin: Client
const logged: string[] = []
const log = createLog(
  'warn',
  new Writable({
    write: (chunk: Buffer, _: unknown, done: () => void) => {
      logged.push(chunk.toString())
      done()
    },
  }),
)
const settings = (more: Record<string, string> = {}) => ({
  ...{ ...ldap.settings, LDAP_URL: ldap.secure, LDAP_CA: ldap.ca },
  ...more,
})
beforeAll(async () => {
  ldap = await startLdapServer()
  app = await startApp({ config: settings(), jobs: false, log })
  chief = await aUser(app, { role: 'super_admin', username: 'root' })
  // The test's own certificate; the server listens only locally.
  admin = new Client({ url: ldap.secure, tlsOptions: { rejectUnauthorized: false } })
  await admin.bind('cn=admin,dc=example,dc=com', 'reader')
}, 60_000)
afterAll(async () => {
  await admin.unbind()
  await app.close()
  await ldap.close()
})

const dn = (uid: string) => `uid=${uid},ou=people,dc=example,dc=com`
const addPerson = (uid: string, mail = `${uid}@example.com`) =>
  admin.add(dn(uid), {
    ...{ objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, mail, userPassword: `${uid}-secret` },
  })
const check = (more: Record<string, string> = {}) =>
  checkPeople(
    app.deps,
    createDirectory(environmentDirectory(parseConfig(settings(more)))!, { log: app.deps.log }),
  )
const signIn = (uid: string) => aVisitor(app).signIn(uid, `${uid}-secret`)
const me = (token: unknown) => aVisitor(app).send('GET', '/users/me', undefined, String(token))

/** Creates a directory user who is signed in and has an API key. */
async function aColleague(uid: string, mail?: string) {
  await addPerson(uid, mail)
  const { body } = await signIn(uid)
  const { id } = (await me(body.access_token)).body as { id: string }
  const key = await anApiKey(app, { id }, { scopes: ['usage'] })
  const withKey = async () =>
    (await app.http.inject({ url: '/api/v1/users/me/billing', headers: key.headers })).statusCode
  return { id, token: body.access_token, withKey }
}

describe('a user who left the directory', () => {
  it('loses sessions and API keys at the next check, without affecting others', async () => {
    const [leaver, stays] = [await aColleague('leaver'), await aColleague('stays')]
    await check()
    expect([(await me(leaver.token)).status, await leaver.withKey()]).toEqual([200, 200])
    await admin.del(dn('leaver'))
    await check()
    expect([(await me(leaver.token)).status, await leaver.withKey()]).toEqual([401, 401])
    expect([(await me(stays.token)).status, await stays.withKey()]).toEqual([200, 200])
    const { body } = await aVisitor(app).send('GET', '/admin/audit?limit=5', undefined, chief.token)
    expect(body.items).toContainEqual(
      expect.objectContaining({
        did: 'account.deactivated',
        subject: 'leaver',
        actor: { id: null, name: 'LDAP' },
      }),
    )
  })

  it('cannot return through a mailed link', async () => {
    const { id, token } = await aColleague('mailed')
    await admin.del(dn('mailed'))
    await check()
    const user = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    expect(user?.deactivated_at).not.toBeNull()
    expect((await me(token)).status).toBe(401)
    expect((await signIn('mailed')).status).toBe(401)
  })

  it('loses sessions when the entry is disabled, and returns when it is enabled', async () => {
    const { token } = await aColleague('disabled')
    const filter = '(&(|(uid={login})(mail={login}))(!(description=disabled)))'
    const set = (operation: 'add' | 'delete') =>
      admin.modify(
        dn('disabled'),
        new Change({ operation, modification: new Attribute({ type: 'description', values: ['disabled'] }) }),
      )
    await set('add')
    await check({ LDAP_USER_FILTER: filter })
    expect((await me(token)).status).toBe(401)
    await set('delete')
    await check({ LDAP_USER_FILTER: filter })
    expect((await signIn('disabled')).status).toBe(200)
  })

  it('keeps the state that an administrator set since', async () => {
    const { id, token } = await aColleague('decided')
    await admin.del(dn('decided'))
    await check()
    expect((await aVisitor(app).send('POST', `/admin/users/${id}/reactivate`, {}, chief.token)).status).toBe(
      200,
    )
    await check()
    const user = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    expect(user?.deactivated_at).toBeNull()
    expect((await me(token)).status).toBe(401)
  })

  it('stays signed in when the directory is unreachable or empty', async () => {
    const { token } = await aColleague('kept')
    await expect(check({ LDAP_URL: 'ldaps://localhost:9' })).rejects.toMatchObject({
      code: 'directory_unavailable',
    })
    await check({ LDAP_USER_FILTER: '(&(uid={login})(objectClass=device))' })
    expect(logged.join()).toContain('The directory shows no people at all')
    expect((await me(token)).status).toBe(200)
  })
})

describe('a reassigned address', () => {
  it("gives no access to the previous owner's account; an administrator can release it", async () => {
    const old = await aColleague('old', 'desk@example.com')
    await admin.del(dn('old'))
    await addPerson('new', 'desk@example.com')
    const barred = await signIn('new')
    expect(barred).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Ask an administrator to release the address') },
    })
    const path = `/admin/users/${old.id}/release-address`
    const freed = await aVisitor(app).send('POST', path, {}, chief.token)
    expect(freed).toMatchObject({ status: 200, body: { email: `${old.id}@released.invalid` } })
    const { status, body } = await signIn('new')
    expect(status).toBe(200)
    const mine = await me(body.access_token)
    expect(mine.body).toMatchObject({ email: 'desk@example.com' })
    expect(mine.body.id).not.toBe(old.id)
  })

  it('gives no access even when the directory is trusted with addresses', async () => {
    const trusting = await startApp({
      config: settings({ ATRIUM_SIGN_ON_TRUSTED: 'ldap' }),
      jobs: false,
      log,
    })
    try {
      await aUser(trusting, { role: 'super_admin' })
      await addPerson('first', 'shared@example.com')
      expect((await aVisitor(trusting).signIn('first', 'first-secret')).status).toBe(200)
      await admin.del(dn('first'))
      await addPerson('second', 'shared@example.com')
      expect((await aVisitor(trusting).signIn('second', 'second-secret')).status).toBe(409)
    } finally {
      await trusting.close()
    }
  })
})

describe('a directory failure', () => {
  it.each([
    [
      'nothing listens',
      () => ({ LDAP_URL: 'ldaps://localhost:9' }),
      'Nothing listens at ldaps://localhost:9',
    ],
    ['of a certificate', () => ({ LDAP_CA: ldap.otherCa }), 'Its certificate is not trusted'],
    ['of the account that searches', () => ({ LDAP_BIND_PASSWORD: 'w-rong' }), 'Check LDAP_BIND_DN'],
    [
      'of a base that is not there',
      () => ({ LDAP_SEARCH_BASE: 'ou=x,dc=example,dc=com' }),
      'no entry at LDAP_SEARCH',
    ],
    ['of a filter', () => ({ LDAP_USER_FILTER: '(uid{login})' }), 'cannot read the filter'],
    ['of an id', () => ({ LDAP_ID_ATTRIBUTE: 'carLicense' }), 'gives people no carLicense'],
  ])('is logged with its cause: %s', async (_, more, cause) => {
    logged.length = 0
    const directory = createDirectory(environmentDirectory(parseConfig(settings(more())))!, { log })
    await expect(directory.find('lea', 'lea-secret')).rejects.toMatchObject({ code: 'directory_unavailable' })
    expect(logged.join()).toContain(cause)
    expect(logged.join()).not.toMatch(/lea-secret|w-rong/)
  })
})
