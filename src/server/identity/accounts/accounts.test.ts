import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aSession, aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'

let app: TestApp
let visitor: ReturnType<typeof aVisitor>
beforeAll(async () => {
  app = await startApp()
  visitor = aVisitor(app)
  await visitor.signUp('root')
  for (const name of ['ada', 'bob', 'cleo', 'dora', 'emil']) await visitor.signUp(name)
})
afterAll(() => app.close())

const tokenOf = async (name: string, password = PASSWORD) =>
  String((await visitor.signIn(name, password)).body.access_token)
const me = (token: string) => visitor.send('GET', '/users/me', undefined, token)

describe('signing in and out', () => {
  it('accepts a username or email in any case and returns a bearer token [AU-01, AU-02, SV-01]', async () => {
    for (const name of ['ada', 'ADA', 'Ada@Example.com']) {
      const { status, body } = await visitor.signIn(name)
      expect([status, body.token_type]).toEqual([200, 'bearer'])
      expect((await me(String(body.access_token))).body.username).toBe('ada')
    }
    const { rows } = await app.deps.db
      .selectFrom('access_tokens')
      .select('token_hash')
      .execute()
      .then((found) => ({ rows: found }))
    expect(rows.every(({ token_hash }) => token_hash.length === 32)).toBe(true)
  })

  it('returns the same error for a wrong password and an unknown name [AU-19, AU-21]', async () => {
    const [wrong, unknown] = [
      await visitor.signIn('ada', 'not the password'),
      await visitor.signIn('nobody-at-all'),
    ]
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
    expect(wrong.body.detail).toBe('Login failed. Please check your credentials.')
  })

  it('locks the account temporarily after ten failures and states the wait [AU-19]', async () => {
    for (let i = 0; i < 10; i += 1) expect((await visitor.signIn('bob', 'guess')).status).toBe(401)
    const locked = await visitor.signIn('bob')
    expect(locked.status).toBe(429)
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('invalidates the token on sign-out: later use gets 401 [AU-29, AU-32]', async () => {
    const [one, other] = [await tokenOf('ada'), await tokenOf('ada')]
    expect((await visitor.send('DELETE', '/token', undefined, one)).status).toBe(200)
    expect((await me(one)).status).toBe(401)
    expect((await me(other)).status).toBe(200)
    await visitor.send('DELETE', '/users/me/tokens', undefined, other)
    expect((await me(other)).status).toBe(401)
  })

  it('accepts cookies and query tokens only for event streams opened by GET [AU-31, ST-29]', async () => {
    const user = await aUser(app)
    const { id } = await aSession(app, user)
    const url = await app.listen()
    const open = async (path: string, headers: Record<string, string> = {}) => {
      const controller = new AbortController()
      const { status } = await fetch(`${url}/api/v1${path}`, { headers, signal: controller.signal })
      controller.abort()
      return status
    }
    const stream = `/sessions/${id}/task-stream`
    expect(await open(stream, { cookie: `sse_auth_token=${user.token}` })).toBe(200)
    expect(await open(stream, { cookie: `token=${user.token}` })).toBe(200)
    expect(await open(`${stream}?token=${user.token}`)).toBe(200)
    expect(await open(stream)).toBe(401)
    expect(await open('/users/me', { cookie: `sse_auth_token=${user.token}; token=${user.token}` })).toBe(401)
    expect(await open(`/users/me?token=${user.token}`)).toBe(401)
  })
})

describe('passwords', () => {
  it('can be reset once by a mailed link, which signs out everywhere [AU-12, AU-13, SV-04, SV-05]', async () => {
    const before = await tokenOf('cleo')
    const known = await visitor.send('POST', '/users/request-password-reset', { email: 'cleo@example.com' })
    const unknown = await visitor.send('POST', '/users/request-password-reset', {
      email: 'nobody@example.com',
    })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const token = await visitor.mailedToken('cleo@example.com', 'reset-password')
    const reset = (new_password: string) =>
      visitor.send('POST', '/users/reset-password', { token, new_password })
    expect((await reset('short')).status).toBe(422)
    expect((await reset('a new password')).status).toBe(200)
    expect((await reset('another password')).body.code).toBe('token_invalid')
    expect((await me(before)).status).toBe(401)
    expect((await visitor.signIn('cleo')).status).toBe(401)
    expect((await visitor.signIn('cleo', 'a new password')).status).toBe(200)
  })

  it('can be changed with the current one, which ends all other tokens [AU-10, AU-27, SV-84]', async () => {
    const [mine, other] = [await tokenOf('dora'), await tokenOf('dora')]
    const change = (current_password: string, new_password: string) =>
      visitor.send('POST', '/users/me/change-password', { current_password, new_password }, mine)
    expect((await change('wrong', 'a new password')).status).toBeGreaterThanOrEqual(400)
    expect((await change(PASSWORD, 'short')).status).toBe(422)
    expect((await change(PASSWORD, 'a new password')).status).toBe(200)
    expect([(await me(mine)).status, (await me(other)).status]).toEqual([200, 401])
    expect((await visitor.signIn('dora', 'a new password')).status).toBe(200)
  })
})

describe('profile', () => {
  it('merges given fields by PUT or PATCH [AU-26, SV-08, G-22]', async () => {
    const token = await tokenOf('emil')
    await visitor.send(
      'PUT',
      '/users/me/preferences',
      { bio: 'Buyer', preferences: { welcome: true } },
      token,
    )
    const changed = await visitor.send(
      'PATCH',
      '/users/me/preferences/',
      { language: 'fr', preferences: { tour: 1 } },
      token,
    )
    expect(changed.body).toMatchObject({
      bio: 'Buyer',
      language: 'fr',
      preferences: { welcome: true, tour: 1 },
    })
    expect((await me(token)).body).toMatchObject({ bio: 'Buyer', language: 'fr' })
    expect((await visitor.send('PUT', '/users/me/preferences', { language: 'de' }, token)).status).toBe(422)
  })

  it('lists own companies for admins, all for super admins, and 403 for others [AU-25, AU-33, SV-09, G-69]', async () => {
    const mine = await aCompany(app, 'Mine')
    await aCompany(app, 'Other')
    const list = async (token: string) =>
      visitor.send('GET', '/users/_internal/companies_for_select', undefined, token)
    const admin = await aUser(app, { role: 'company_admin', companyId: mine })
    expect((await list(admin.token)).body).toEqual([{ id: mine, name: 'Mine' }])
    const all = (await list(await tokenOf('root'))).body as unknown as { name: string }[]
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['Mine', 'Other']))
    expect((await list((await aUser(app)).token)).status).toBe(403)
  })

  it('lists the available ways to sign in [G-36]', async () => {
    const { body } = await visitor.send('GET', '/sign-in-options')
    expect(body.providers).toEqual(
      ['Google', 'Microsoft', 'GitHub', 'Apple', 'Facebook', 'SAML'].map((name) => ({
        ...{ id: name.toLowerCase(), name },
        available: false,
      })),
    )
    const visit = await app.http.inject({
      url: `/api/v1/login/github?redirect_uri=${app.deps.publicUrl()}/login`,
    })
    expect(visit.headers.location).toContain('sso_error=not_configured')
  })
})
