import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { startScriptedSignOn } from '#tests/scripted-sign-on.ts'
import { startWithBrowser } from '#tests/sign-on.ts'
import { aVisitor } from '#tests/visitor.ts'

let server: Awaited<ReturnType<typeof startScriptedSignOn>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
let root: TestUser
beforeAll(async () => {
  server = await startScriptedSignOn()
  product = await startWithBrowser(() => ({}))
  root = await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  server.close()
})

const draft = (more: object = {}, settings: object = {}) => ({
  ...{ name: 'Orsane SSO', is_enabled: true, trusts_addresses: false, rules: [], secret: 'client-secret' },
  settings: {
    ...{ kind: 'oidc', issuer: server.url, client_id: 'atrium', scopes: 'openid email profile' },
    ...{ groups_claim: 'groups', asks_graph: false, signs_out: false, ...settings },
  },
  ...more,
})
async function send(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object, who = root) {
  const url = `/api/v1/admin/sign-on/providers${path}`
  const answer = await product.app.http.inject({
    method,
    url,
    headers: who.headers,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null, text: answer.payload }
}
let n = 0
const anId = (kind = 'oidc') => `${kind}-${String(++n).padStart(8, '0')}`
async function aProvider(more: object = {}, settings: object = {}) {
  const id = anId()
  const { status } = await send('PUT', `/${id}`, draft(more, settings))
  expect(status).toBe(200)
  return id
}
async function who(id: string) {
  const { query, jar } = await product.visit(`/api/v1/login/${id}?redirect_uri=${product.url}/login`)
  const code = query.get('token')
  if (!code) return { failure: query.get('sso_error') }
  const { body } = await product.exchange(code, jar)
  return (await aVisitor(product.app).send('GET', '/users/me', undefined, body.access_token)).body
}
const offered = async () =>
  ((await product.app.http.inject('/api/v1/sign-in-options')).json().own_providers ?? []).map(
    ({ id }: { id: string }) => id,
  )

describe('a provider set up in the administration', () => {
  it('signs people in as soon as it is saved, without a restart [SN-01]', async () => {
    const id = await aProvider()
    expect(await offered()).toContain(id)
    server.says({ claims: { sub: 's-1', email: 'sofia@orsane.eu', email_verified: true, name: 'Sofia' } })
    expect(await who(id)).toMatchObject({ email: 'sofia@orsane.eu', full_name: 'Sofia' })
    const own = await product.app.http.inject({
      url: '/api/v1/users/me/sign-on-connections',
      headers: root.headers,
    })
    expect(own.json().others).toEqual([{ provider: id, name: 'Orsane SSO' }])
    const { body } = await send('GET', '')
    expect(body.address).toBe(`${product.url}/api/v1/login/`)
    expect(body.items.find((one: { id: string }) => one.id === id)).toMatchObject({
      ...{ name: 'Orsane SSO', people: 1, people_without_other: 1 },
    })
  })

  it('takes effect after a change, and is refused once it is switched off [SN-01]', async () => {
    const id = await aProvider()
    server.says({ claims: { sub: 's-2', email: 'lea@orsane.eu', email_verified: true } })
    expect(await who(id)).toMatchObject({ email: 'lea@orsane.eu' })
    await send('PUT', `/${id}`, draft({}, { client_id: 'another' }))
    server.asked.length = 0
    await who(id)
    expect(server.asked.find(({ path }) => path === '/authorize')?.parameters.get('client_id')).toBe(
      'another',
    )
    await send('PUT', `/${id}`, draft({ is_enabled: false }, { client_id: 'another' }))
    expect(await offered()).not.toContain(id)
    expect(await who(id)).toEqual({ failure: 'not_configured' })
  })

  it('never shows its secret, seals it, and keeps it only for the same issuer and client', async () => {
    const id = await aProvider({ secret: 'very-secret-words' })
    const listed = await send('GET', '')
    expect(listed.text).not.toContain('very-secret-words')
    const row = await product.app.deps.db
      .selectFrom('sign_on_providers')
      .select('secret_sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.secret_sealed).not.toContain('very-secret-words')
    expect(product.app.deps.secrets.open(row.secret_sealed!)).toBe('very-secret-words')
    const { secret: _, ...kept } = draft()
    expect((await send('PUT', `/${id}`, kept)).status).toBe(200)
    const elsewhere = await send('PUT', `/${id}`, {
      ...kept,
      settings: { ...kept.settings, issuer: 'https://a.test' },
    })
    expect(elsewhere).toMatchObject({ status: 422, body: { errors: [{ path: 'secret' }] } })
  })

  it('is written to the audit log without its secret', async () => {
    const id = await aProvider({ secret: 'audited-secret' })
    const added = await lastAudited(product.app, 'sign_on.provider_added')
    expect(added).toMatchObject({ subject: 'Orsane SSO' })
    await send('PUT', `/${id}`, draft({ name: 'Orsane', secret: 'audited-secret-2' }))
    const entry = await lastAudited(product.app, 'sign_on.provider_changed')
    expect(entry?.changes).toEqual(
      expect.arrayContaining([
        { what: 'name', before: 'Orsane SSO', after: 'Orsane' },
        { what: 'secret', before: null, after: 'replaced' },
      ]),
    )
    expect(JSON.stringify([added, entry])).not.toContain('audited-secret')
  })

  it('is removed only by a caller who knows how many people lose it', async () => {
    const id = await aProvider()
    server.says({ claims: { sub: 's-9', email: 'ines@orsane.eu', email_verified: true } })
    await who(id)
    expect(await send('DELETE', `/${id}?people=0`)).toMatchObject({
      status: 409,
      body: { detail: '1 people sign in with this provider. Look again before you remove it.' },
    })
    expect((await send('DELETE', `/${id}?people=1`)).status).toBe(204)
    expect(await who(id)).toEqual({ failure: 'not_configured' })
    expect(await lastAudited(product.app, 'sign_on.provider_removed')).toMatchObject({
      changes: expect.arrayContaining([{ what: 'people', before: '1', after: null }]),
    })
  })

  it('refuses an id of another kind, a company that is gone, and a file as metadata', async () => {
    expect((await send('PUT', `/${anId('saml')}`, draft())).status).toBe(422)
    const rules = [{ group: 'Buyers', company_id: crypto.randomUUID(), role: 'member' }]
    expect((await send('PUT', `/${anId()}`, draft({ rules }))).body.errors[0].path).toBe('rules')
    const saml = { kind: 'saml', email_attribute: '', name_attribute: '', groups_attribute: '' }
    const settings = { ...saml, accepts_sha1: false, signs_out: false, metadata: '/etc/passwd' }
    expect((await send('PUT', `/${anId('saml')}`, { ...draft(), settings })).status).toBe(422)
  })

  it('is out of reach of company admins', async () => {
    const admin = await aUser(product.app, { role: 'company_admin' })
    expect((await send('GET', '', undefined, admin)).status).toBe(403)
    expect((await send('PUT', `/${anId()}`, draft(), admin)).status).toBe(403)
  })
})

describe('the test of an OpenID Connect provider', () => {
  const test = async (more: object = {}, settings: object = {}) =>
    (await send('POST', `/${anId()}/test`, draft(more, settings))).body
  const stepsOf = ({ results }: { results: { step: string; state: string; problem: string | null }[] }) =>
    results.map(({ step, state, problem }) => [step, state, problem])

  it('reports issuer, addresses, keys and that the client is known', async () => {
    const body = await test()
    expect(body.works).toBe(true)
    expect(stepsOf(body)).toEqual([
      ['discovery', 'passed', null],
      ['keys', 'passed', null],
      ['client', 'passed', null],
    ])
    const facts = Object.fromEntries(
      body.results.flatMap(({ facts }: { facts: { name: string; value: string }[] }) =>
        facts.map(({ name, value }) => [name, value]),
      ),
    )
    expect(facts).toMatchObject({
      ...{ issuer: server.url, authorization: `${server.url}/authorize`, token: `${server.url}/token` },
      keys: 'k1 (RS256)',
    })
  })

  it('says that nothing answers, that the issuer is another, and that no secret was entered', async () => {
    expect(stepsOf(await test({}, { issuer: 'http://127.0.0.1:9' }))).toEqual([
      ['discovery', 'failed', 'unreachable'],
      ['keys', 'skipped', null],
      ['client', 'skipped', null],
    ])
    expect(stepsOf(await test({}, { issuer: `${server.url}/realms/x` }))[0]).toEqual([
      ...['discovery', 'failed', 'not_found'],
    ])
    const other = server.url.replace('127.0.0.1', 'localhost')
    expect(stepsOf(await test({}, { issuer: other }))[0]).toEqual(['discovery', 'failed', 'wrong_issuer'])
    expect(stepsOf(await test({ secret: null }))[2]).toEqual(['client', 'failed', 'secret_missing'])
  })

  it('says that the provider refuses the client, without repeating the secret', async () => {
    server.says({ refuses: { error: 'invalid_client', error_description: 'bad secret client-secret' } })
    const body = await test()
    server.says({})
    expect(stepsOf(body)[2]).toEqual(['client', 'failed', 'client_refused'])
    expect(body.results[2].detail).toBe('invalid_client: bad secret •••')
    expect(body.works).toBe(false)
  })

  it('asks no private address that the provider names but that was not entered', async () => {
    server.says({ metadata: { jwks_uri: 'http://127.0.0.1:9/jwks' } })
    expect(stepsOf(await test())[1]).toEqual(['keys', 'failed', 'private_host'])
    server.says({ metadata: { token_endpoint: 'http://10.0.0.1/token' } })
    expect(stepsOf(await test())[2]).toEqual(['client', 'failed', 'private_host'])
    server.says({})
  })

  it('warns when the provider has no address to sign out at', async () => {
    expect(stepsOf(await test({}, { signs_out: true }))[0]).toEqual(['discovery', 'warning', 'no_sign_out'])
  })
})

describe('signing out', () => {
  /** Signs on, signs out, and returns where the browser goes then. */
  async function signOut(id: string) {
    const { query, jar } = await product.visit(`/api/v1/login/${id}?redirect_uri=${product.url}/login`)
    const { body } = await product.exchange(query.get('token') ?? '', jar)
    const out = await aVisitor(product.app).send('DELETE', '/token', undefined, body.access_token)
    return out.body.sign_out_url as string | null
  }
  const claims = { sub: 'o-1', email: 'olga@orsane.eu', email_verified: true }

  it('leads to the provider with the id token, and back to the login page [SN-01]', async () => {
    const metadata = { end_session_endpoint: `${server.url}/logout?x=1` }
    server.says({ claims, metadata })
    const id = await aProvider({}, { signs_out: true })
    const url = new URL((await signOut(id)) ?? '')
    expect(url.origin + url.pathname).toBe(`${server.url}/logout`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ x: '1', client_id: 'atrium', post_logout_redirect_uri: `${product.url}/login` },
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    const rows = await product.app.deps.db.selectFrom('sign_on_sessions').select('hint_sealed').execute()
    expect(rows.map(({ hint_sealed: sealed }) => sealed).join()).not.toContain(
      url.searchParams.get('id_token_hint'),
    )
  })

  it('ends here alone when the provider has no such address, or does not sign people out', async () => {
    server.says({ claims })
    expect(await signOut(await aProvider({}, { signs_out: true }))).toBeNull()
    server.says({ claims, metadata: { end_session_endpoint: `${server.url}/logout` } })
    expect(await signOut(await aProvider({}, { signs_out: false }))).toBeNull()
  })
})
