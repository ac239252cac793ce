import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../tests/support/app.ts'
import { aUser } from '../../../../tests/support/builders.ts'
import { startOpenIdServer } from '../../../../tests/support/openid-server.ts'
import { aVisitor } from '../../../../tests/support/visitor.ts'

let app: TestApp
let url: string
let google: Awaited<ReturnType<typeof startOpenIdServer>>

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  google = await startOpenIdServer(`${url}/api/v1/login/google/callback`)
  app = await startApp({
    config: {
      GOOGLE_ISSUER: google.issuer,
      GOOGLE_CLIENT_ID: 'atrium',
      GOOGLE_CLIENT_SECRET: 'secret',
      ATRIUM_PUBLIC_URL: url,
    },
  })
  await app.http.listen({ host: '127.0.0.1', port })
  await aUser(app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await app.close()
  google.close()
})

/** Follows redirects with cookies, as a browser does, until the login page of the product; answers its query. */
async function visit(
  path: string,
): Promise<{ query: URLSearchParams; jar: Map<string, string>; hops: number }> {
  const jar = new Map<string, string>()
  let next = new URL(path, url)
  for (let hops = 1; hops < 20; hops += 1) {
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`${next}: ${answer.status} ${await answer.text()}`)
    next = new URL(location, next)
    if (next.pathname === '/login' && next.origin === url) return { query: next.searchParams, jar, hops }
  }
  throw new Error('too many redirects')
}

const signOn = () => visit(`/login/google?redirect_uri=${url}/login`)

async function exchange(code: string, jar: Map<string, string>) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/json', cookie }
  const answer = await fetch(`${url}/api/v1/token/exchange`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  })
  return { status: answer.status, body: (await answer.json()) as { access_token: string } }
}

describe('Google', () => {
  it('AU-04 AU-06 SV-11 RT-21 G-67 leads there and back, with a code that gives a token once, in the same browser', async () => {
    google.signInAs({
      sub: 'g-1',
      email: 'grace@example.com',
      email_verified: true,
      name: 'Grace Hopper',
      locale: 'fr',
    })
    const { query, jar } = await signOn()
    expect(query.get('sso_error')).toBeNull()
    const code = query.get('token') ?? ''
    expect((await exchange(code, new Map())).status).toBe(400)
    const { status, body } = await exchange(code, jar)
    expect(status).toBe(200)
    expect((await exchange(code, jar)).status).toBe(400)
    const me = await aVisitor(app).send('GET', '/users/me', undefined, body.access_token)
    expect(me.body).toMatchObject({
      username: 'grace',
      email: 'grace@example.com',
      full_name: 'Grace Hopper',
      language: 'fr',
    })
  })

  it('AU-04 the same person comes back to the same account', async () => {
    google.signInAs({ sub: 'g-1', email: 'grace@example.com', email_verified: true })
    await signOn()
    const users = await app.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'grace@example.com')
      .execute()
    expect(users).toHaveLength(1)
  })

  it('AU-04 links an account whose address both sides have proved, and never one that has not', async () => {
    const proved = await aUser(app, { username: 'proved' })
    google.signInAs({ sub: 'g-2', email: proved.email, email_verified: true })
    expect((await signOn()).query.get('token')).toBeTruthy()
    expect(
      await app.deps.db
        .selectFrom('identities')
        .select('user_id')
        .where('subject', '=', 'g-2')
        .executeTakeFirst(),
    ).toEqual({ user_id: proved.id })

    const open = await aUser(app, { username: 'open', verified: false })
    google.signInAs({ sub: 'g-3', email: open.email, email_verified: true })
    expect((await signOn()).query.get('sso_error')).toBe('email_not_proved')
    google.signInAs({ sub: 'g-4', email: proved.email, email_verified: false })
    expect((await signOn()).query.get('sso_error')).toBe('email_not_proved')
  })

  it('AU-22 RT-22 says why it did not work', async () => {
    const { query } = await visit(`/api/v1/login/google/callback?state=unknown&code=x`)
    expect(query.get('sso_error')).toBe('expired')
  })

  it('AU-06 leads nowhere but back to the product', async () => {
    const answer = await fetch(`${url}/api/v1/login/google?redirect_uri=https://evil.example.com/login`, {
      redirect: 'manual',
    })
    expect(answer.status).toBe(400)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
