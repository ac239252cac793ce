import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { startLdapServer } from '#tests/ldap-server.ts'
import { aVisitor } from '#tests/visitor.ts'

let ldap: Awaited<ReturnType<typeof startLdapServer>>
let app: TestApp
let root: TestUser
beforeAll(async () => {
  ldap = await startLdapServer()
  app = await startApp({ jobs: false })
  root = await aUser(app, { role: 'super_admin', username: 'root' })
}, 60_000)
afterAll(async () => {
  await app.close()
  await ldap.close()
})

const draft = (more: object = {}, rest: object = {}) => ({
  ...{ name: 'Orsane LDAP', is_enabled: true, trusts_addresses: false, rules: [], secret: 'reader', ...rest },
  settings: {
    ...{ kind: 'ldap', url: ldap.secure, ca: readFileSync(ldap.ca, 'utf8') },
    ...{ bind_dn: ldap.settings.LDAP_BIND_DN, search_base: ldap.settings.LDAP_SEARCH_BASE },
    ...{ user_filter: '(uid={login})', group_base: ldap.settings.LDAP_GROUP_BASE },
    ...{ group_filter: '(member={dn})', id_attribute: 'entryUUID', email_attribute: 'mail' },
    ...{ name_attribute: 'displayName', groups_attribute: 'memberOf', ...more },
  },
})
const send = async (method: 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) => {
  const url = `/api/v1/admin/sign-on/providers${path}`
  const answer = await app.http.inject({ method, url, headers: root.headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null, text: answer.payload }
}
const test = async (more: object = {}, rest: object = {}) =>
  (await send('POST', '/ldap-00000001/test', draft(more, rest))).body
type Result = { step: string; state: string; problem: string | null }
const stepsOf = ({ results }: { results: Result[] }) =>
  results.map(({ step, state, problem }) => (problem ? `${step} ${state} ${problem}` : `${step} ${state}`))

describe('an LDAP directory set up in the administration', () => {
  it('signs people in by the ordinary form until it is switched off [SN-03]', async () => {
    expect((await aVisitor(app).signIn('lea', 'lea-secret')).status).toBe(401)
    expect((await send('PUT', '/ldap-00000002', draft())).status).toBe(200)
    const { status, body } = await aVisitor(app).signIn('lea', 'lea-secret')
    expect(status).toBe(200)
    const me = await aVisitor(app).send('GET', '/users/me', undefined, String(body.access_token))
    expect(me.body).toMatchObject({ email: 'lea@example.com' })
    expect((await aVisitor(app).signIn('lea', 'wrong')).status).toBe(401)
    await send('PUT', '/ldap-00000002', draft({}, { is_enabled: false }))
    expect((await aVisitor(app).signIn('lea', 'lea-secret')).status).toBe(401)
  })

  it('does not keep others out while it does not answer [SN-03]', async () => {
    await send('PUT', '/ldap-00000003', draft({ url: 'ldaps://localhost:9' }))
    await send('PUT', '/ldap-00000004', draft())
    expect((await aVisitor(app).signIn('max', 'max-secret')).status).toBe(200)
    expect((await aVisitor(app).signIn('max', 'wrong')).body.code).toBe('directory_unavailable')
    await send('DELETE', '/ldap-00000003?people=0')
    await send('DELETE', '/ldap-00000004?people=1')
  })
})

describe('the test of an LDAP directory', () => {
  it('reports the certificate, the account, and what one person gives', async () => {
    const body = await test()
    expect(stepsOf(body)).toEqual([
      ...['connection passed', 'bind passed', 'search passed', 'person passed'],
      expect.stringMatching(/^groups (passed|warning no_groups)$/),
    ])
    const facts = Object.fromEntries(
      body.results.flatMap(({ facts }: { facts: { name: string; value: string }[] }) =>
        facts.map(({ name, value }) => [name, value]),
      ),
    )
    expect(facts).toMatchObject({ certificate: 'localhost', email: expect.stringContaining('@example.com') })
    expect(Number.isNaN(Date.parse(facts.valid_until))).toBe(false)
    expect(JSON.stringify(body)).not.toContain('"reader"')
  })

  it.each<[string, () => [object, object?], string[]]>([
    ['nothing listens', () => [{ url: 'ldaps://localhost:9' }], ['connection failed unreachable']],
    ['the certificate is not trusted', () => [{ ca: '' }], ['connection failed untrusted']],
    [
      'the account is refused',
      () => [{}, { secret: 'w-rong' }],
      ['connection passed', 'bind failed bind_refused'],
    ],
    [
      'the search base is missing',
      () => [{ search_base: 'ou=x,dc=example,dc=com' }],
      ['connection passed', 'bind passed', 'search failed no_entry'],
    ],
    [
      'the filter finds nobody',
      () => [{ user_filter: '(&(uid={login})(objectClass=device))' }],
      ['connection passed', 'bind passed', 'search failed nobody'],
    ],
    [
      'people have no id',
      () => [{ id_attribute: 'carLicense' }],
      ['connection passed', 'bind passed', 'search passed', 'person failed no_id'],
    ],
    [
      'people have no address',
      () => [{ email_attribute: 'carLicense' }],
      ['connection passed', 'bind passed', 'search passed', 'person warning no_email'],
    ],
  ])('says that %s', async (_, change, wanted) => {
    const [more, rest] = change()
    const body = await test(more, rest)
    expect(stepsOf(body).slice(0, wanted.length)).toEqual(wanted)
    expect(JSON.stringify(body)).not.toContain('w-rong')
  })
})
