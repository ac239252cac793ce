import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { startScriptedSignOn } from '#tests/scripted-sign-on.ts'
import { startWithBrowser } from '#tests/sign-on.ts'
import { aVisitor } from '#tests/visitor.ts'

const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let server: Awaited<ReturnType<typeof startScriptedSignOn>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
beforeAll(async () => {
  server = await startScriptedSignOn()
  const { url } = server
  const client = (name: string) => ({ [`${name}_CLIENT_ID`]: 'atrium', [`${name}_CLIENT_SECRET`]: 'secret' })
  product = await startWithBrowser(() => ({
    ...{ ...client('MICROSOFT'), ...client('GITHUB'), ...client('FACEBOOK'), ...client('OAUTH') },
    ...{ ...client('OIDC'), OIDC_ISSUER: url, OIDC_NAME: 'Orsane', MICROSOFT_ISSUER: url },
    ...{ GITHUB_URL: url, GITHUB_API_URL: `${url}/api`, FACEBOOK_URL: url, FACEBOOK_API_URL: `${url}/graph` },
    ...{ OAUTH_AUTHORIZE_URL: `${url}/authorize`, OAUTH_TOKEN_URL: `${url}/token`, OAUTH_NAME: 'Forge' },
    ...{ OAUTH_PROFILE_URL: `${url}/profile`, OAUTH_ID_FIELD: 'id', APPLE_CLIENT_ID: 'atrium' },
    ...{ APPLE_TEAM_ID: 'TEAM', APPLE_KEY_ID: 'KEY', APPLE_ISSUER: url },
    APPLE_PRIVATE_KEY: String(apple.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ATRIUM_SIGN_ON_TRUSTED: 'facebook',
  }))
  await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  server.close()
})

/** Signs on with a service and returns the user. */
async function who(provider: string) {
  const { query, jar } = await product.visit(`/api/v1/login/${provider}?redirect_uri=${product.url}/login`)
  const code = query.get('token')
  if (!code) return { failure: query.get('sso_error') }
  const { body } = await product.exchange(code, jar)
  return (await aVisitor(product.app).send('GET', '/users/me', undefined, body.access_token)).body
}

const people = async (provider: string) =>
  (await product.app.deps.db.selectFrom('identities').selectAll().where('provider', '=', provider).execute())
    .map(({ subject }) => subject)
    .sort()

it('an unconfigured service is shown as locked and unusable; its settings alone unlock it [AU-05, R-03, SN-01]', async () => {
  const app = await startApp()
  try {
    const { providers } = (await app.http.inject('/api/v1/sign-in-options')).json()
    expect(providers).toEqual(
      ['google', 'microsoft', 'github', 'apple', 'facebook', 'saml'].map((id) =>
        expect.objectContaining({ id, available: false }),
      ),
    )
    for (const { id } of providers) {
      const visit = await app.http.inject(`/login/${id}`)
      const { headers } = await app.http.inject(String(visit.headers.location))
      expect(headers.location).toContain('/login?sso_error=not_configured')
    }
  } finally {
    await app.close()
  }
  const { providers } = (await product.app.http.inject('/api/v1/sign-in-options')).json()
  expect(providers).toEqual([
    { id: 'google', name: 'Google', available: false },
    { id: 'microsoft', name: 'Microsoft', available: true },
    { id: 'github', name: 'GitHub', available: true },
    { id: 'apple', name: 'Apple', available: true },
    { id: 'facebook', name: 'Facebook', available: true },
    { id: 'saml', name: 'SAML', available: false },
    { id: 'oidc', name: 'Orsane', available: true },
    { id: 'oauth', name: 'Forge', available: true },
  ])
})

describe('SN-01 provider-specific claims', () => {
  it('count addresses of Microsoft members but not of guests [SN-01]', async () => {
    server.says({ claims: { sub: 'm-1', email: 'mina@orsane.eu', name: 'Mina' } })
    expect(await who('microsoft')).toMatchObject({ email: 'mina@orsane.eu', full_name: 'Mina' })
    server.says({ claims: { sub: 'm-2', email: 'root@example.com', idp: 'https://sts.windows.net/other/' } })
    expect(await who('microsoft')).toEqual({ failure: 'sign_in_first' })
    server.says({ claims: { sub: 'm-2', email: 'guest@example.com', idp: 'https://sts.windows.net/other/' } })
    expect(await who('microsoft')).toEqual({ failure: 'email_not_proved' })
  })

  it('count the primary address of GitHub if it is proved [SN-01]', async () => {
    const emails = (verified: boolean) => [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'gil@example.com', primary: true, verified },
    ]
    const user = { id: 4711, login: 'gil', name: null }
    server.says({ pages: { '/api/user': user, '/api/user/emails': emails(false) } })
    expect(await who('github')).toEqual({ failure: 'email_not_proved' })
    server.says({ pages: { '/api/user': user, '/api/user/emails': emails(true) } })
    expect(await who('github')).toMatchObject({ email: 'gil@example.com', full_name: 'gil' })
    expect(await people('github')).toEqual(['4711'])
  })

  it('come from a user info call for Facebook and any OAuth 2 server [SN-01]', async () => {
    server.says({
      pages: {
        '/graph/v23.0/me': { id: '99', name: 'Fay', email: 'fay@example.com' },
        '/profile': { id: 7, name: 'Otto', email: 'otto@example.com', email_verified: true },
      },
    })
    expect(await who('facebook')).toMatchObject({ email: 'fay@example.com', full_name: 'Fay' })
    expect(await who('oauth')).toMatchObject({ email: 'otto@example.com', full_name: 'Otto' })
    server.says({ pages: { '/profile': { name: 'Nobody', email: 'otto@example.com' } } })
    expect(await who('oauth')).toEqual({ failure: 'failed' })
  })

  it('include the issuer for any OpenID provider [SN-01]', async () => {
    server.says({ claims: { sub: 'o-1', email: 'olga@example.com', email_verified: true } })
    expect(await who('oidc')).toMatchObject({ email: 'olga@example.com' })
    expect(await people('oidc')).toEqual([`${server.url} o-1`])
  })

  it('come from Apple with a signed client secret and a form post [SN-01]', async () => {
    server.says({ claims: { sub: 'a-1', email: 'ada@example.com', email_verified: 'true' } })
    const start = `${product.url}/api/v1/login/apple?redirect_uri=${product.url}/login`
    const begun = await fetch(start, { redirect: 'manual' })
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const form = (await (await fetch(begun.headers.get('location') ?? '')).json()) as Record<string, string>
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' } })
    const posted = await fetch(`${product.url}/api/v1/login/apple/callback`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, user }),
      headers: { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' },
      redirect: 'manual',
    })
    expect(posted.status).toBe(302)
    const back = await fetch(new URL(posted.headers.get('location') ?? '', product.url), {
      redirect: 'manual',
      headers: { cookie },
    })
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('token') ?? ''
    const [name = '', value = ''] = cookie.split('=')
    const { body } = await product.exchange(code, new Map([[name, value]]))
    const me = await aVisitor(product.app).send('GET', '/users/me', undefined, body.access_token)
    expect(me.body).toMatchObject({ email: 'ada@example.com', full_name: 'Ada Lovelace' })

    const secret =
      server.asked.findLast(({ path }) => path === '/token')?.parameters.get('client_secret') ?? ''
    const [head = '', claims = '', signature = ''] = secret.split('.')
    const key = { key: createPublicKey(apple.privateKey), dsaEncoding: 'ieee-p1363' as const }
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      key,
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    const said = JSON.parse(String(Buffer.from(claims, 'base64url')))
    expect(said).toMatchObject({ iss: 'TEAM', sub: 'atrium', aud: server.url })
  })
})

it("the overview shows super admins each method's settings and callback addresses, but no secrets", async () => {
  const { token } = await aUser(product.app, { role: 'super_admin' })
  const { body } = await aVisitor(product.app).send('GET', '/admin/sign-on', undefined, token)
  const ways = body.ways as { id: string }[]
  expect(ways.find(({ id }) => id === 'oidc')).toEqual({
    ...{ id: 'oidc', name: 'Orsane', available: true, missing: [], unknown_groups: [], metadata: null },
    fixed_by: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    callback: `${product.url}/api/v1/login/oidc/callback`,
  })
  expect(ways.find(({ id }) => id === 'saml')).toMatchObject({
    ...{ available: false, missing: ['SAML_METADATA'] },
    metadata: `${product.url}/api/v1/login/saml/metadata`,
  })
  expect(ways.find(({ id }) => id === 'ldap')).toMatchObject({ missing: ['LDAP_URL', 'LDAP_SEARCH_BASE'] })
  expect(JSON.stringify(body)).not.toContain('secret')
})
