import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { startSignOn } from '#tests/sign-on.ts'
import { aVisitor } from '#tests/visitor.ts'
import { takeTurn } from '../rate-limit-store.ts'

type Product = Awaited<ReturnType<typeof startSignOn>>

let product: Product
beforeAll(async () => {
  product = await startSignOn({ ATRIUM_BETA: 'on' })
  await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(() => product.close())

const person = (name: string) => ({ sub: `sub-${name}`, email: `${name}@example.com`, email_verified: true })
const letIn = (email: string) =>
  product.app.deps.db.updateTable('users').set({ beta_access: true }).where('email', '=', email).execute()
const users = (email: string) =>
  product.app.deps.db.selectFrom('users').select(['id', 'username']).where('email', '=', email).execute()

/** Signs on a new user who gets beta access after a first attempt. */
async function newcomer(name: string): Promise<string> {
  product.google.signInAs(person(name))
  await product.signOn()
  await letIn(`${name}@example.com`)
  const { query, jar } = await product.signOn()
  return (await product.exchange(query.get('token') ?? '', jar)).body.access_token
}

describe('sign-on admission', () => {
  it('returns with a beta error from a closed beta until access is granted [AU-22]', async () => {
    product.google.signInAs(person('beta'))
    expect((await product.signOn()).query.get('sso_error')).toMatch(/beta/)
    await letIn('beta@example.com')
    expect((await product.signOn()).query.get('token')).toBeTruthy()
    expect(await users('beta@example.com')).toHaveLength(1)
  })

  it("is not blocked by strangers' wrong passwords, and makes the device known", async () => {
    const { id, email } = await aUser(product.app, { username: 'locked', beta: true })
    for (let at = 0; at < 100; at += 1) await takeTurn(product.app.deps, 'sign_in_account_day', id)
    product.google.signInAs({ sub: 'sub-locked', email, email_verified: true })
    const { query, jar } = await product.signOn()
    expect((await product.exchange(query.get('token') ?? '', jar)).status).toBe(200)
    const known = product.app.deps.db.selectFrom('known_devices').select('user_id').where('user_id', '=', id)
    expect(await known.execute()).toHaveLength(1)
  })

  it('gives a new user a free username [AU-04]', async () => {
    await aUser(product.app, { username: 'Grace' })
    product.google.signInAs({ sub: 'sub-grace', email: 'grace@elsewhere.org', email_verified: true })
    await product.signOn()
    expect(await users('grace@elsewhere.org')).toMatchObject([{ username: 'grace2' }])
  })

  it('creates one account for two concurrent returns [AU-04]', async () => {
    product.google.signInAs(person('twin'))
    const visits = await Promise.all([product.signOn(), product.signOn(), product.signOn()])
    expect(visits.map(({ query }) => query.get('sso_error'))).toEqual(visits.map(() => 'beta_required'))
    expect(await users('twin@example.com')).toHaveLength(1)
  })
})

describe('the sign-on return', () => {
  it('works once and only in the browser that started it [RT-21]', async () => {
    const start = `${product.url}/api/v1/login/google?redirect_uri=${product.url}/login`
    const asked = await fetch(start, { redirect: 'manual' })
    const state = new URL(asked.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const cookie = asked.headers.getSetCookie()[0] ?? ''
    expect(cookie).toMatch(/HttpOnly.*SameSite=Lax/i)
    const back = (headers: Record<string, string>) =>
      fetch(`${product.url}/api/v1/login/google/callback?error=access_denied&state=${state}`, {
        redirect: 'manual',
        headers,
      }).then((answer) => answer.headers.get('location'))
    expect(await back({ cookie: `atrium_sign_on=${'x'.repeat(43)}` })).toContain('sso_error=expired')
    expect(await back({ cookie: cookie.split(';')[0] ?? '' })).toContain('sso_error=cancelled')
    expect(await back({ cookie: cookie.split(';')[0] ?? '' })).toContain('sso_error=expired')
    const kept = await product.app.deps.db.selectFrom('sign_on_states').select('state_hash').execute()
    expect(kept.some(({ state_hash }) => state_hash.toString('base64url') === state)).toBe(false)
  })

  it('keeps the query of the return page and removes misleading parameters [AU-06]', async () => {
    const redirect = encodeURIComponent(`${product.url}/login?lng=fr&token=planted&sso_error=planted`)
    const { query } = await product.visit(`/api/v1/login/apple?redirect_uri=${redirect}`)
    expect(Object.fromEntries(query)).toEqual({ lng: 'fr', sso_error: 'not_configured' })
  })

  it.each(['https://evil.example.com/', '//evil.example.com', 'javascript:alert(1)', 'login'])(
    'refuses to return to %s [AU-06, G-67]',
    async (redirect) => {
      const path = `/api/v1/login/google?redirect_uri=${encodeURIComponent(redirect)}`
      const { statusCode, headers } = await product.app.http.inject(path)
      expect([statusCode, headers.location]).toEqual([400, undefined])
    },
  )
})

describe('connected services', () => {
  it('are listed and can be removed unless they are the only way in [AU-27, G-28]', async () => {
    const token = await newcomer('helen')
    const { send } = aVisitor(product.app)
    const list = await send('GET', '/users/me/sign-on-connections', undefined, token)
    expect(list.body).toMatchObject({
      has_password: false,
      items: [{ provider: 'google', email: 'helen@example.com' }],
    })
    const path = '/users/me/sign-on-connections'
    expect((await send('DELETE', `${path}/google`, undefined, token)).status).toBe(409)
    const changed = await send('POST', '/users/me/change-password', { new_password: 'my first one' }, token)
    expect(changed.status).toBe(200)
    expect((await send('DELETE', `${path}/github`, undefined, token)).status).toBe(404)
    expect((await send('DELETE', `${path}/google`, undefined, token)).status).toBe(200)
    const others = [{ provider: 'google', name: 'Google' }]
    expect((await send('GET', path, undefined, token)).body).toEqual({
      has_password: true,
      items: [],
      others,
    })
    expect((await aVisitor(product.app).signIn('helen', 'my first one')).status).toBe(200)
  })
})

it('delay neither the start nor a visitor when unreachable [AU-04, G-36]', async () => {
  let asked = 0
  const silent = createServer(() => {
    asked += 1
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const app = await startApp({
    config: { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: 'atrium', GOOGLE_CLIENT_SECRET: 'secret' },
  })
  try {
    expect(asked).toBe(0)
    const started = performance.now()
    const visit = await app.http.inject('/api/v1/login/google')
    expect(visit.headers.location).toBe(`${app.deps.publicUrl()}/login?sso_error=failed`)
    expect(asked).toBe(1)
    expect(performance.now() - started).toBeLessThan(30_000)
  } finally {
    await app.close()
    silent.close()
    silent.closeAllConnections()
  }
})

it('cannot create the first administrator without the setup code [AU-04]', async () => {
  const open = await startSignOn({ HOST: '0.0.0.0' })
  try {
    open.google.signInAs(person('stranger'))
    expect((await open.signOn()).query.get('sso_error')).toBe('setup_code_required')
    expect(await open.app.deps.db.selectFrom('users').select('id').execute()).toEqual([])
  } finally {
    await open.close()
  }
})
