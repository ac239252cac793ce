import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { startScriptedSignOn } from '#tests/scripted-sign-on.ts'
import { startWithBrowser } from '#tests/sign-on.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { endTokens } from '../tokens/access-token-store.ts'

let server: Awaited<ReturnType<typeof startScriptedSignOn>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
beforeAll(async () => {
  server = await startScriptedSignOn()
  product = await startWithBrowser(() => ({
    ...{ OIDC_ISSUER: server.url, OIDC_CLIENT_ID: 'atrium', OIDC_CLIENT_SECRET: 'secret' },
  }))
  await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  server.close()
})

const signOn = (jar?: Map<string, string>) =>
  product.visit(`/api/v1/login/oidc?redirect_uri=${product.url}/login`, jar)
const saysIt = (sub: string, email: string, email_verified: boolean) =>
  server.says({ claims: { sub, email, email_verified } })
const linkedTo = async (sub: string) =>
  (
    await product.app.deps.db
      .selectFrom('identities')
      .select('user_id')
      .where('subject', '=', `${server.url} ${sub}`)
      .executeTakeFirst()
  )?.user_id

/** Creates a user with a password and an unproved address. */
async function aPerson(username: string) {
  const { signUp, signIn } = aVisitor(product.app)
  await signUp(username)
  const { body } = await signIn(username)
  const token = String(body.access_token)
  const { body: me } = await aVisitor(product.app).send('GET', '/users/me', undefined, token)
  return { token, id: String(me.id), email: String(me.email) }
}

async function connect(token: string, current_password: string, redirect = `${product.url}/login`) {
  const answer = await fetch(`${product.url}/api/v1/users/me/sign-on-connections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ provider: 'oidc', redirect_uri: redirect, current_password }),
  })
  const [name = '', value = ''] = (answer.headers.getSetCookie()[0]?.split(';')[0] ?? '').split('=')
  const { url = '' } = (await answer.json()) as { url?: string }
  return { status: answer.status, url, jar: new Map(name ? [[name, value]] : []) }
}

describe('SN-12 an account is linked by mail only when the service proved it', () => {
  it.each([
    ['the service did not', true, false],
    ['neither did', false, false],
  ])('requires signing in first and links nothing where %s [SN-12]', async (what, here, there) => {
    const { id, email } = await aUser(product.app, { username: `p-${what.length}`, verified: here })
    saysIt(id, email, there)
    expect((await signOn()).query.get('sso_error')).toBe('sign_in_first')
    expect(await linkedTo(id)).toBeUndefined()
  })

  it('links the account where both proved the address [SN-12]', async () => {
    const { id, email } = await aUser(product.app, { username: 'both' })
    saysIt(id, email.toUpperCase(), true)
    expect((await signOn()).query.get('token')).toBeTruthy()
    expect(await linkedTo(id)).toBe(id)
  })
})

describe('SN-12 a signed-in user connecting a service', () => {
  it('confirms their identity first and can sign on with it afterwards [SN-12]', async () => {
    const { token, id } = await aPerson('ines')
    saysIt('ines', 'ines@elsewhere.org', false)
    expect(await connect(token, 'not mine')).toMatchObject({ status: 422, url: '' })
    const { status, url, jar } = await connect(token, PASSWORD)
    expect(status).toBe(200)
    expect((await product.visit(url, new Map(jar))).query.get('connected')).toBe('oidc')
    expect(await linkedTo('ines')).toBe(id)

    const { query, jar: browser } = await signOn()
    const { body } = await product.exchange(query.get('token') ?? '', browser)
    const me = await aVisitor(product.app).send('GET', '/users/me', undefined, body.access_token)
    expect(me.body.id).toBe(id)
    const list = await aVisitor(product.app).send('GET', '/users/me/sign-on-connections', undefined, token)
    expect(list.body).toMatchObject({ items: [{ provider: 'oidc', name: 'OpenID' }], others: [] })
  })

  it('connects nothing when their sign-ins end while the service answers', async () => {
    const { token, id } = await aPerson('late')
    saysIt('late', 'late@elsewhere.org', false)
    const { url, jar } = await connect(token, PASSWORD)
    let back: ReturnType<typeof product.visit> | undefined
    await product.app.deps.db.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      back = product.visit(url, new Map(jar))
      // The service has answered by then, and the connection waits for the lock.
      await sleep(1_000)
      await endTokens({ db: trx }, id)
    })
    expect((await back)?.query.get('sso_error')).toBe('expired')
    expect(await linkedTo('late')).toBeUndefined()
  })

  it("cannot connect another account's identity or use another browser [SN-12]", async () => {
    const owner = await aPerson('owner')
    saysIt('owned', 'owned@elsewhere.org', true)
    const first = await connect(owner.token, PASSWORD)
    expect((await product.visit(first.url)).query.get('sso_error')).toBe('expired')
    const second = await connect(owner.token, PASSWORD)
    await product.visit(second.url, second.jar)
    expect(await linkedTo('owned')).toBe(owner.id)
    const thief = await aPerson('thief')
    const third = await connect(thief.token, PASSWORD)
    expect((await product.visit(third.url, third.jar)).query.get('sso_error')).toBe('connected_elsewhere')
    expect(await linkedTo('owned')).toBe(owner.id)
  })

  it('returns only to this product, and only for configured services', async () => {
    const { token } = await aPerson('lena')
    expect((await connect(token, PASSWORD, 'https://evil.example.com/')).status).toBe(400)
    const path = '/users/me/sign-on-connections'
    const asked = { provider: 'github', redirect_uri: `${product.url}/login`, current_password: PASSWORD }
    expect((await aVisitor(product.app).send('POST', path, asked, token)).status).toBe(422)
  })
})
