import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { letAdministratorIn } from '../second-factor/let-administrator-in.ts'
import { makeOneTimeToken } from '../tokens/one-time-token-store.ts'

let app: TestApp
let visitor: ReturnType<typeof aVisitor>
/** Made the first account with an address that was never proved. */
const first = { name: 'first', email: 'first@example.com' }
beforeAll(async () => {
  app = await startApp()
  visitor = aVisitor(app)
  expect((await visitor.signUp(first.name)).status).toBe(201)
})
afterAll(() => app.close())

const account = (username: string) =>
  app.deps.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
const set = (token: string, new_password: string) =>
  visitor.send('POST', '/users/reset-password', { token, new_password })
const prove = (token: string) => visitor.send('POST', `/users/verify-email?token=${token}`)

/** Creates a company administrator with a password and an unproved address. */
async function anAdministrator(companyId?: string): Promise<TestUser> {
  const user = await aUser(app, { role: 'company_admin', verified: false, ...(companyId && { companyId }) })
  const password_hash = await hashPassword(PASSWORD)
  await app.deps.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
  return user
}

describe('an administrator whose address was never proved', () => {
  it.each([
    ['a new password', '/users/request-password-reset'],
    ['a verification', '/users/resend-verification-email'],
  ])('is not opened by a mail that asks for %s', async (_, path) => {
    const admin = await anAdministrator()
    for (const email of [first.email, admin.email]) {
      expect((await visitor.send('POST', path, { email })).status).toBe(200)
      await expect
        .poll(() => visitor.mails(email).join(), { timeout: 20_000 })
        .toContain('cannot be opened by mail')
      expect(visitor.mails(email).join()).not.toContain('token=')
    }
  })

  it('is not opened by a link that was mailed before the role was given', async () => {
    const admin = await anAdministrator()
    const reset = await makeOneTimeToken(app.deps, 'reset_password', admin)
    expect(await set(reset, 'taken over')).toMatchObject({ status: 400, body: { code: 'token_invalid' } })
    const verify = await makeOneTimeToken(app.deps, 'verify_email', admin)
    expect(await prove(verify)).toMatchObject({ status: 400, body: { code: 'token_invalid' } })
    expect((await account(admin.username)).email_verified_at).toBeNull()
    expect((await visitor.signIn(admin.username)).status).toBe(200)
  })

  it('gets a link from another administrator, and from the machine, which prove nothing', async () => {
    const companyId = await aCompany(app)
    const [admin, helper] = [await anAdministrator(companyId), await anAdministrator(companyId)]
    const path = `/admin/users/${admin.id}/password-reset`
    expect((await visitor.send('POST', path, {}, helper.token)).status).toBe(200)
    const mailed = await visitor.mailedToken(admin.email, 'reset-password')
    expect((await set(mailed, 'helped by a colleague')).status).toBe(200)
    const { path: printed } = await letAdministratorIn(app.deps, first.name)
    expect((await set(printed.split('token=')[1] ?? '', 'helped by the machine')).status).toBe(200)
    for (const [name, password] of [
      [admin.username, 'helped by a colleague'],
      [first.name, 'helped by the machine'],
    ] as const) {
      expect((await account(name)).email_verified_at).toBeNull()
      expect((await visitor.signIn(name, password)).status).toBe(200)
    }
  })

  it('gets no link from an administrator of only one of its companies', async () => {
    const house = await aCompany(app)
    await aUser(app, { role: 'member', companyId: house })
    const [admin, companyId] = [await anAdministrator(house), await aCompany(app)]
    await app.deps.db
      .insertInto('company_members')
      .values({ company_id: companyId, user_id: admin.id, role: 'member' })
      .execute()
    const helper = await anAdministrator(companyId)
    const path = `/admin/users/${admin.id}/password-reset`
    expect((await visitor.send('POST', path, {}, helper.token)).status).toBe(403)
  })

  it('proves the address by saving it, and then resets the password by mail', async () => {
    const required = await startApp({ config: { ATRIUM_EMAIL_VERIFICATION: 'required' } })
    const guest = aVisitor(required)
    await guest.signUp('boss')
    const token = String((await guest.signIn('boss')).body.access_token)
    const email = 'boss@example.com'
    await guest.send('POST', '/users/me/change-email', { email, current_password: PASSWORD }, token)
    const link = await guest.mailedToken(email, 'verify-email')
    expect((await guest.send('POST', `/users/verify-email?token=${link}`)).status).toBe(200)
    await guest.send('POST', '/users/request-password-reset', { email })
    const reset = await guest.mailedToken(email, 'reset-password')
    const done = await guest.send('POST', '/users/reset-password', {
      token: reset,
      new_password: 'my next one',
    })
    expect(done.status).toBe(200)
    await required.close()
  })

  it('still signs in when addresses must be proved from now on', async () => {
    const admin = await anAdministrator()
    const twin = await startApp({
      ...{ address: app.address, jobs: false, config: { ATRIUM_EMAIL_VERIFICATION: 'required' } },
    })
    expect((await aVisitor(twin).signIn(admin.username)).status).toBe(200)
    await twin.close()
  })
})

describe('an administrator who waits for the first proof', () => {
  it('enters by the mailed link, because the account was never used', async () => {
    const admin = await anAdministrator()
    await app.deps.db.updateTable('users').set({ proof_due: true }).where('id', '=', admin.id).execute()
    await visitor.send('POST', '/users/request-password-reset', { email: admin.email })
    const token = await visitor.mailedToken(admin.email, 'reset-password')
    expect((await set(token, 'my first one')).status).toBe(200)
    expect((await visitor.signIn(admin.username, 'my first one')).status).toBe(200)
  })
})
