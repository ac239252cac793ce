import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aVisitor } from '#tests/visitor.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_BETA: 'off', ATRIUM_BILLING: 'on' } })
})
afterAll(() => app.close())

const call = async (
  who: { headers: Record<string, string> },
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
) => {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who.headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null }
}

let [companyId, elsewhere] = ['', '']
let superAdmin: TestUser
let admin: TestUser
beforeEach(async () => {
  companyId = await aCompany(app)
  elsewhere = await aCompany(app)
  superAdmin = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId })
})

/** Creates a company member who has signed in by password. */
async function aPerson(name: string, companies = [companyId]) {
  const visitor = aVisitor(app)
  await visitor.signUp(name)
  const signIn = async () => {
    const { status, body } = await visitor.signIn(name)
    return { status, code: body.code, headers: { authorization: `Bearer ${body.access_token}` } }
  }
  const signedIn = await signIn()
  const { body: me } = await call(signedIn, 'GET', '/users/me')
  for (const company_id of companies)
    await app.deps.db
      .insertInto('company_members')
      .values({ company_id, user_id: me.id, role: 'member' })
      .execute()
  return { ...signedIn, id: me.id as string, email: me.email as string, signIn, visitor }
}
const me = async (who: { headers: Record<string, string> }) => (await call(who, 'GET', '/users/me')).status

describe('an administrator', () => {
  it('can sign out a whole company, except the device that asks and super admins', async () => {
    const [ada, bob, eve] = [await aPerson('ada2'), await aPerson('bob2'), await aPerson('eve2', [elsewhere])]
    await app.deps.db
      .insertInto('company_members')
      .values({ company_id: companyId, user_id: superAdmin.id, role: 'member' })
      .execute()
    const { status, body } = await call(admin, 'POST', `/admin/companies/${companyId}/sign-out`)
    expect([status, body.people]).toEqual([200, 3])
    expect(await Promise.all([ada, bob, eve, admin, superAdmin].map(me))).toEqual([401, 401, 200, 200, 200])
    expect(await lastAudited(app, 'session.ended')).toMatchObject({
      actor_id: admin.id,
      company_id: companyId,
    })
    expect((await ada.signIn()).status).toBe(200)
    expect((await call(admin, 'POST', `/admin/companies/${elsewhere}/sign-out`)).status).toBe(403)
  })

  it('can end all sessions of a user, who may sign in again [AD-03]', async () => {
    const ada = await aPerson('ada')
    expect((await call(admin, 'POST', `/admin/users/${ada.id}/sign-out`)).status).toBe(204)
    expect(await me(ada)).toBe(401)
    expect(await me(await ada.signIn())).toBe(200)
    expect(await lastAudited(app, 'session.ended')).toMatchObject({ actor_id: admin.id, subject_id: ada.id })
  })

  it('can deactivate a user immediately, API keys included, and reactivate them without loss [AD-03]', async () => {
    const bob = await aPerson('bob')
    const { secret } = await anApiKey(app, bob as unknown as TestUser, { scopes: ['chats'] })
    const key = { headers: { authorization: `Bearer ${secret}` } }
    expect((await call(key, 'GET', '/sessions')).status).toBe(200)
    const gone = await call(admin, 'POST', `/admin/users/${bob.id}/deactivate`)
    expect(gone).toMatchObject({ status: 200, body: { id: bob.id, is_active: false } })
    expect(await me(bob)).toBe(401)
    expect((await call(key, 'GET', '/sessions')).status).toBe(401)
    expect(await bob.signIn()).toMatchObject({ status: 403, code: 'account_deactivated' })
    expect(await lastAudited(app, 'account.deactivated')).toMatchObject({ subject_id: bob.id })
    const found = await call(superAdmin, 'GET', '/admin/users?state=deactivated&limit=100')
    expect(found.body.items.map(({ id }: { id: string }) => id)).toEqual([bob.id])
    expect(await call(admin, 'POST', `/admin/users/${bob.id}/reactivate`)).toMatchObject({
      ...{ status: 200, body: { is_active: true } },
    })
    expect(await lastAudited(app, 'account.reactivated')).toMatchObject({ subject_id: bob.id })
    expect(await me(await bob.signIn())).toBe(200)
    expect((await call(key, 'GET', '/sessions')).status).toBe(200)
  })

  it('can remove a lost second factor, and the user is notified [AD-03]', async () => {
    const cleo = await aPerson('cleo')
    await app.deps.db
      .insertInto('passkeys')
      .values({
        ...{ user_id: cleo.id, credential_id: crypto.randomUUID(), name: 'Notebook', counter: 0 },
        ...{ public_key: Buffer.from('x'), created_at: new Date() },
      })
      .execute()
    const shown = await call(admin, 'GET', '/admin/users?q=cleo')
    expect(shown.body.items[0]).toMatchObject({ has_second_factor: true })
    expect((await call(admin, 'DELETE', `/admin/users/${cleo.id}/second-factor`)).status).toBe(204)
    expect((await call(admin, 'GET', '/admin/users?q=cleo')).body.items[0].has_second_factor).toBe(false)
    expect(await me(cleo)).toBe(401)
    await expect.poll(() => cleo.visitor.mails(cleo.email).length, { timeout: 10_000 }).toBeGreaterThan(0)
  })

  it('can mail a password reset link, and learns when no mail server is configured [AD-03]', async () => {
    const dora = await aPerson('dora')
    const sent = await call(admin, 'POST', `/admin/users/${dora.id}/password-reset`)
    expect(sent).toEqual({ status: 200, body: { is_mailed: false } })
    const token = await dora.visitor.mailedToken(dora.email, 'reset-password')
    const form = { token, new_password: 'another horse 7' }
    expect((await dora.visitor.send('POST', '/users/reset-password', form)).status).toBe(200)
    expect((await dora.visitor.signIn('dora', form.new_password)).status).toBe(200)
  })

  it('cannot manage an account that also belongs to another company', async () => {
    await aUser(app, { role: 'member', companyId: elsewhere })
    const emil = await aPerson('emil', [companyId, elsewhere])
    for (const [method, path] of [
      ['POST', 'deactivate'],
      ['POST', 'reactivate'],
      ['DELETE', 'second-factor'],
    ] as const)
      expect((await call(admin, method, `/admin/users/${emil.id}/${path}`)).status, path).toBe(403)
    expect(await me(emil)).toBe(200)
    expect((await call(superAdmin, 'POST', `/admin/users/${emil.id}/deactivate`)).status).toBe(200)
  })

  it('can deactivate neither a super admin nor themselves', async () => {
    await app.deps.db
      .insertInto('company_members')
      .values({ company_id: companyId, user_id: superAdmin.id, role: 'member' })
      .execute()
    for (const path of ['deactivate', 'sign-out'])
      expect((await call(admin, 'POST', `/admin/users/${superAdmin.id}/${path}`)).status).toBe(403)
    expect((await call(superAdmin, 'POST', `/admin/users/${superAdmin.id}/deactivate`)).status).toBe(409)
  })
})
