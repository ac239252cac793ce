import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { startSignOn } from '#tests/sign-on.ts'
import { aVisitor } from '#tests/visitor.ts'

let product: Awaited<ReturnType<typeof startSignOn>>
beforeAll(async () => {
  product = await startSignOn()
  await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(() => product.close())

describe('Google', () => {
  it('redirects there and back with a one-time code for a token in the same browser [AU-04, AU-06, SV-11, RT-21, G-67]', async () => {
    product.google.signInAs({
      sub: 'g-1',
      email: 'grace@example.com',
      email_verified: true,
      name: 'Grace Hopper',
      locale: 'fr',
    })
    const { query, jar } = await product.signOn()
    expect(query.get('sso_error')).toBeNull()
    const code = query.get('token') ?? ''
    expect((await product.exchange(code, new Map())).status).toBe(400)
    const { status, body } = await product.exchange(code, jar)
    expect(status).toBe(200)
    expect((await product.exchange(code, jar)).status).toBe(400)
    const me = await aVisitor(product.app).send('GET', '/users/me', undefined, body.access_token)
    expect(me.body).toMatchObject({
      username: 'grace',
      email: 'grace@example.com',
      full_name: 'Grace Hopper',
      language: 'fr',
    })
  })

  it('signs the same user in to the same account [AU-04]', async () => {
    product.google.signInAs({ sub: 'g-1', email: 'grace@example.com', email_verified: true })
    await product.signOn()
    const users = await product.app.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'grace@example.com')
      .execute()
    expect(users).toHaveLength(1)
  })

  it('links an account with a proved address and hands over one with an unproved address [AU-04]', async () => {
    const proved = await aUser(product.app, { username: 'proved' })
    product.google.signInAs({ sub: 'g-2', email: proved.email, email_verified: true })
    expect((await product.signOn()).query.get('token')).toBeTruthy()
    expect(
      await product.app.deps.db
        .selectFrom('identities')
        .select('user_id')
        .where('subject', '=', 'g-2')
        .executeTakeFirst(),
    ).toEqual({ user_id: proved.id })

    const open = await aUser(product.app, { username: 'open', verified: false })
    product.google.signInAs({ sub: 'g-3', email: open.email, email_verified: true })
    expect((await product.signOn()).query.get('notice')).toBe('handed_over')
    product.google.signInAs({ sub: 'g-4', email: proved.email, email_verified: false })
    expect((await product.signOn()).query.get('sso_error')).toBe('sign_in_first')
  })

  it('reports why a sign-on failed [AU-22, RT-22]', async () => {
    const { query } = await product.visit(`/api/v1/login/google/callback?state=unknown&code=x`)
    expect(query.get('sso_error')).toBe('expired')
  })

  it('brings back the page that was wanted, also when it failed', async () => {
    const page = '/documents?type=pdf#top'
    product.google.signInAs({ sub: 'g-5', email: 'wants@example.com', email_verified: true })
    const back = encodeURIComponent(`${product.url}/login?from=${encodeURIComponent(page)}`)
    const { query } = await product.visit(`/api/v1/login/google?redirect_uri=${back}`)
    expect(query.get('token')).toBeTruthy()
    expect(query.get('from')).toBe(page)
    const failed = await product.visit(`/api/v1/login/github?redirect_uri=${back}`)
    expect(failed.query.get('sso_error')).toBe('not_configured')
    expect(failed.query.get('from')).toBe(page)
  })

  it('redirects only back to the product [AU-06]', async () => {
    const answer = await fetch(
      `${product.url}/api/v1/login/google?redirect_uri=https://evil.example.com/login`,
      {
        redirect: 'manual',
      },
    )
    expect(answer.status).toBe(400)
  })
})
