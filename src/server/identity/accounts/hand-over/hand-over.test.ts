import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConnector } from '#tests/access/connector-things.ts'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { startScriptedSignOn } from '#tests/scripted-sign-on.ts'
import { startWithBrowser } from '#tests/sign-on.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { connectIdentity } from '../sign-on/sign-on-user-store.ts'

let server: Awaited<ReturnType<typeof startScriptedSignOn>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
let visitor: ReturnType<typeof aVisitor>
let chief: TestUser
beforeAll(async () => {
  server = await startScriptedSignOn()
  product = await startWithBrowser(() => ({
    ...{ OIDC_ISSUER: server.url, OIDC_CLIENT_ID: 'atrium', OIDC_CLIENT_SECRET: 'secret' },
  }))
  visitor = aVisitor(product.app)
  chief = await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  server.close()
})

const db = () => product.app.deps.db

/** Signs up an accomplice with a foreign address and adds them to an attacker's company. */
async function anAccomplice(username: string, email = `${username}@victim.example`) {
  expect((await visitor.signUp(username, { email })).status).toBe(201)
  const token = String((await visitor.signIn(username)).body.access_token)
  const { body } = await visitor.send('GET', '/users/me', undefined, token)
  const id = String(body.id)
  const companyId = await aCompany(product.app)
  const attacker = await aUser(product.app, { role: 'company_admin', companyId })
  await db().insertInto('company_members').values({ company_id: companyId, user_id: id }).execute()
  return { id, token, email, attacker, companyId }
}

/** Signs the address's owner on through the company's identity provider. */
async function ownerSignsOn(sub: string, email: string, proof: object = { email_verified: true }) {
  server.says({ claims: { sub, email, ...proof } })
  const { query, jar } = await product.visit(`/api/v1/login/oidc?redirect_uri=${product.url}/login`)
  const code = query.get('token')
  const token = code ? (await product.exchange(code, jar)).body.access_token : null
  return { token, failure: query.get('sso_error'), notice: query.get('notice') }
}

const isProved = async (id: string) => {
  const user = db().selectFrom('users').select('email_verified_at').where('id', '=', id)
  return (await user.executeTakeFirstOrThrow()).email_verified_at !== null
}
const whoIs = async (token: string | null) =>
  (await visitor.send('GET', '/users/me', undefined, token ?? 'none')).body.id

describe('an address registered by someone else', () => {
  it('cannot be proved by an administrator', async () => {
    const { id, attacker } = await anAccomplice('acc-proof')
    for (const admin of [attacker, chief]) {
      const answer = await visitor.send('PATCH', `/admin/users/${id}`, { verified: true }, admin.token)
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'verified' }] } })
    }
    expect(await isProved(id)).toBe(false)
  })

  it('is not proved by an invitation link that was not mailed to it', async () => {
    const company_id = await aCompany(product.app)
    const wish = { company_id, role: 'member', emails: [] }
    const { body } = await visitor.send('POST', '/admin/invitations', wish, chief.token)
    const invitation = new URL(String(body.link)).searchParams.get('token')
    await visitor.signUp('acc-link', { email: 'link@victim.example', invitation })
    const again = await visitor.signUp('acc-twice', { email: 'twice@victim.example', invitation })
    expect(again.body.code).toBe('token_invalid')
    const token = String((await visitor.signIn('acc-link')).body.access_token)
    expect(await isProved(String(await whoIs(token)))).toBe(false)
  })

  it('loses its proof when the account changes its address', async () => {
    const { id, token } = await anAccomplice('acc-change', 'own@attacker.example')
    await db().updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', id).execute()
    const change = { email: 'changed@victim.example', current_password: PASSWORD }
    expect((await visitor.send('POST', '/users/me/change-email', change, token)).status).toBe(200)
    expect(await isProved(id)).toBe(false)
  })
})

describe('the owner of an address registered by someone else', () => {
  it('receives the account, and every earlier way into it ends', async () => {
    const { id, token, email } = await anAccomplice('acc-all')
    const key = await anApiKey(product.app, { id })
    await connectIdentity(
      product.app.deps,
      'google',
      {
        ...{ subject: 'g-acc', email: 'accomplice@attacker.example', emailVerified: true, isOfHouse: false },
        ...{ name: null, locale: null, groups: [] },
      },
      id,
    )
    await db()
      .insertInto('passkeys')
      .values({
        ...{ user_id: id, credential_id: 'c-acc', name: 'Key', public_key: Buffer.from('k'), counter: 0 },
        ...{ transports: '[]', created_at: new Date() },
      })
      .execute()
    await db()
      .insertInto('sign_on_states')
      .values({
        ...{ state_hash: Buffer.from('state-acc'), provider: 'github', redirect_uri: product.url },
        ...{ code_verifier: 'v', nonce: 'n', user_id: id, expires_at: new Date(Date.now() + 600_000) },
      })
      .execute()

    await db().insertInto('former_passwords').values({ user_id: id, password_hash: 'h' }).execute()

    const owner = await ownerSignsOn('owner-all', email)
    expect(await whoIs(owner.token)).toBe(id)
    expect(owner.notice).toBe('handed_over')
    expect(await isProved(id)).toBe(true)
    expect((await visitor.signIn('acc-all')).status).toBe(401)
    expect((await visitor.signIn(email)).status).toBe(401)
    expect(await whoIs(token)).toBeUndefined()
    const called = await fetch(`${product.url}/v1/models`, { headers: key.headers })
    expect(called.status).toBe(401)
    for (const table of ['passkeys', 'sign_on_states', 'former_passwords'] as const) {
      const left = await db().selectFrom(table).selectAll().where('user_id', '=', id).execute()
      expect(left, table).toEqual([])
    }
    const linked = await db().selectFrom('identities').select('provider').where('user_id', '=', id).execute()
    expect(linked).toEqual([{ provider: 'oidc' }])
  })

  it('is notified together with the previous user, and the handover is audited', async () => {
    const { id, email } = await anAccomplice('acc-told')
    await connectIdentity(
      product.app.deps,
      'google',
      {
        ...{ subject: 'g-told', email: 'told@attacker.example', emailVerified: true, isOfHouse: false },
        ...{ name: null, locale: null, groups: [] },
      },
      id,
    )
    await ownerSignsOn('owner-told', email)
    for (const to of [email, 'told@attacker.example'])
      await expect.poll(() => visitor.mails(to).join()).toContain('was handed over to you')
    const { body } = await visitor.send('GET', '/admin/audit?limit=50', undefined, chief.token)
    const entries = (body.items as { did: string; subject: string }[]).filter(
      (one) => one.subject === 'acc-told',
    )
    expect(entries.map(({ did }) => did)).toEqual(
      expect.arrayContaining(['account.handed_over', 'sign_on.connected']),
    )
  })

  it('keeps their password once the address is proved', async () => {
    const { id } = await aUser(product.app, { username: 'proved' })
    expect(await whoIs((await ownerSignsOn('owner-proved', 'PROVED@example.com')).token)).toBe(id)
    expect((await ownerSignsOn('owner-proved', 'proved@example.com')).notice).toBeNull()
  })

  it.each([
    ['false', { email_verified: false }],
    ['nothing', {}],
    ['no', { email_verified: 'no' }],
    ['1', { email_verified: 1 }],
  ])('receives nothing when the service says %s about the proof', async (said, proof) => {
    const { email } = await anAccomplice(`acc-${said}`)
    expect((await ownerSignsOn(`owner-${said}`, email, proof)).failure).toBe('sign_in_first')
    expect((await visitor.signIn(`acc-${said}`)).status).toBe(200)
  })

  it("never receives an administrator's account, whose address may be made up", async () => {
    const boss = await aUser(product.app, { role: 'company_admin', username: 'made-up', verified: false })
    expect((await ownerSignsOn('owner-boss', boss.email)).failure).toBe('sign_in_first')
    expect(await whoIs(boss.token)).toBe(boss.id)
  })

  it('is matched by the address in another case, but not by a look-alike', async () => {
    const { id, email } = await anAccomplice('acc-wide')
    expect(await whoIs((await ownerSignsOn('owner-wide', email.replace('a', 'ａ'))).token)).toBe(id)
    expect((await ownerSignsOn('look-alike', email.replace('c', '\u0441'))).failure).toBe('email_not_proved')
    expect((await ownerSignsOn('zero', email.replace('acc', 'ac\u200Bc'))).failure).toBe('email_not_proved')
  })

  it("ends the registrant's keys and services by a password reset", async () => {
    const { id, email } = await anAccomplice('acc-reset')
    const key = await anApiKey(product.app, { id })
    const own = {
      ...{ subject: 'g-reset', email: null, emailVerified: false, isOfHouse: false },
      ...{ name: null, locale: null, groups: [] },
    }
    await connectIdentity(product.app.deps, 'google', own, id)
    const { connectorId } = await aConnector(product.app, { id })
    const row = { connector_id: connectorId, sealed: 'tokens', signed_in_at: new Date() }
    await db().insertInto('connector_sign_ins').values(row).execute()
    await sql`insert into personal_accounts values (${id}, 'imap', 'own@attacker.example', 'sealed', now())`.execute(
      db(),
    )
    await visitor.send('POST', '/users/request-password-reset', { email })
    const token = await visitor.mailedToken(email, 'reset-password')
    const done = await visitor.send('POST', '/users/reset-password', { token, new_password: 'my own one' })
    expect(done.status).toBe(200)
    expect((await visitor.signIn('acc-reset', 'my own one')).status).toBe(200)
    expect((await fetch(`${product.url}/v1/models`, { headers: key.headers })).status).toBe(401)
    const signIns = db().selectFrom('connector_sign_ins').selectAll().where('connector_id', '=', connectorId)
    expect(await signIns.execute()).toEqual([])
    expect((await sql`select from personal_accounts where user_id = ${id}`.execute(db())).rows).toEqual([])
    expect(await db().selectFrom('identities').select('user_id').where('user_id', '=', id).execute()).toEqual(
      [],
    )
  })
})
