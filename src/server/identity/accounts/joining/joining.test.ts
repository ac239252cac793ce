import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Invitation } from '#shared/identity/accounts/joining.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aVisitor } from '#tests/visitor.ts'

let now = new Date('2026-11-24T10:00:00Z')
let app: TestApp
let visitor: ReturnType<typeof aVisitor>
let superAdmin: TestUser
let admin: TestUser
let companyId: string
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now } })
  visitor = aVisitor(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  companyId = await aCompany(app, 'Orsane')
  superAdmin = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId })
  await setPolicy('open')
})

const setPolicy = (policy: string, domains: string[] = []) =>
  visitor.send('PUT', '/admin/sign-up', { policy, domains }, superAdmin.token)
const invite = async (who: TestUser, wish: object) => {
  const { status, body } = await visitor.send(
    'POST',
    '/admin/invitations',
    { company_id: companyId, role: 'member', emails: [], ...wish },
    who.token,
  )
  return { status, body: body as unknown as { items: Invitation[]; link: string | null; detail?: string } }
}
const aLink = async (wish: object = {}, who = admin) => {
  const { body } = await invite(who, wish)
  const token = /token=([\w-]{43})$/.exec(body.link ?? '')?.[1] ?? ''
  return { token, id: body.items[0]?.id ?? '' }
}
const membershipsOf = (username: string) =>
  app.deps.db
    .selectFrom('company_members')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['company_id', 'role', 'email_verified_at'])
    .where('username', '=', username)
    .execute()
const list = async (who: TestUser) =>
  (await visitor.send('GET', '/admin/invitations?limit=100', undefined, who.token)).body as unknown as {
    items: Invitation[]
    open: number
  }

describe('the sign-up policy', () => {
  it('admits everyone, the invited, proved addresses of a domain, or no one [SN-10]', async () => {
    expect((await visitor.signUp('open-1')).status).toBe(201)
    await setPolicy('invitation')
    expect(await visitor.signUp('uninvited')).toMatchObject({
      status: 403,
      body: { code: 'sign_up_refused' },
    })
    const { token } = await aLink()
    expect((await visitor.signUp('invited', { invitation: token })).status).toBe(201)

    await setPolicy('domain', ['orsane.eu'])
    for (const email of [
      'a@example.com',
      'a@sub.orsane.eu',
      'a@orsane.eu.example.com',
      'orsane.eu@example.com',
    ])
      expect((await visitor.signUp('stranger', { email })).body.code).toBe('sign_up_refused')
    const proving = await visitor.signUp('ines', { email: 'ines@Orsane.eu' })
    expect(proving).toMatchObject({ status: 201, body: { verification_required: true } })
    expect((await visitor.signIn('ines')).body.code).toBe('email_not_verified')
    const proof = await visitor.mailedToken('ines@orsane.eu', 'verify-email')
    await visitor.send('POST', `/users/verify-email?token=${proof}`)
    expect((await visitor.signIn('ines')).status).toBe(200)

    await setPolicy('closed')
    expect((await visitor.signUp('late')).body.code).toBe('sign_up_refused')
    expect((await visitor.send('GET', '/sign-in-options')).body.sign_up).toBe('closed')
    expect((await visitor.signIn('open-1')).status).toBe(200)
  })

  it('comes from the environment before the settings page, which shows that and changes nothing [SN-10]', async () => {
    const fixed = await startApp({
      config: { ATRIUM_SIGN_UP: 'domain', ATRIUM_SIGN_UP_DOMAINS: 'orsane.eu, orsane.it' },
    })
    const root = await aUser(fixed, { role: 'super_admin' })
    const there = aVisitor(fixed)
    const read = () => there.send('GET', '/admin/sign-up', undefined, root.token)
    const fixed_by = ['ATRIUM_SIGN_UP', 'ATRIUM_SIGN_UP_DOMAINS']
    const rules = { policy: 'domain', domains: ['orsane.eu', 'orsane.it'], is_fixed: true, fixed_by }
    const company = { company: 'own', company_fixed_by: ['ATRIUM_SIGN_UP_COMPANY'] }
    expect((await read()).body).toEqual({ ...rules, ...company })
    const changed = await there.send('PUT', '/admin/sign-up', { policy: 'open', domains: [] }, root.token)
    expect(changed.status).toBe(409)
    expect((await read()).body).toEqual({ ...rules, ...company })
    expect((await there.signUp('stranger')).body.code).toBe('sign_up_refused')
    await fixed.close()
  })

  it('requires a valid domain when it is by domain', async () => {
    expect((await setPolicy('domain')).status).toBe(422)
    expect((await setPolicy('domain', ['a b'])).status).toBe(422)
    expect((await visitor.send('GET', '/admin/sign-up', undefined, superAdmin.token)).body.policy).toBe(
      'open',
    )
  })
})

describe('an invitation', () => {
  it('by mail creates one account with the proved address, company and role [SN-09]', async () => {
    await setPolicy('closed')
    const { body } = await invite(admin, { role: 'company_admin', emails: ['Sofia@Orsane.eu'] })
    expect(body.link).toBeNull()
    const token = await visitor.mailedToken('sofia@orsane.eu', 'invitation')
    expect((await visitor.send('POST', '/invitations/read', { token })).body).toMatchObject({
      ...{ company: 'Orsane', role: 'company_admin', email: 'sofia@orsane.eu', invited_by: admin.username },
    })
    const other = await visitor.signUp('sofia', { invitation: token, email: 'else@orsane.eu' })
    expect(other.status).toBe(403)
    expect((await visitor.signUp('sofia', { invitation: token, email: 'sofia@orsane.eu' })).status).toBe(201)
    const members = await membershipsOf('sofia')
    expect(members).toMatchObject([{ company_id: companyId, role: 'company_admin' }])
    expect(members[0]?.email_verified_at).not.toBeNull()
    const again = await visitor.signUp('sofia2', { invitation: token, email: 'sofia@orsane.eu' })
    expect(again.body.code).toBe('token_invalid')
    expect((await list(admin)).items[0]).toMatchObject({ state: 'accepted', email: 'sofia@orsane.eu' })
  })

  it('by link works for its holder, is stored as a hash, and admits one of two concurrent users [SN-09]', async () => {
    const { token } = await aLink()
    const kept = await app.deps.db.selectFrom('invitations').select('token_hash').execute()
    expect(JSON.stringify(kept)).not.toContain(token)
    const both = await Promise.all(['jo', 'jack'].map((name) => visitor.signUp(name, { invitation: token })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  it('ends when it expires, is withdrawn, or its author may no longer invite [SN-09]', async () => {
    const before = now
    const ended = await aLink({ days: 2 })
    now = new Date(now.getTime() + 2 * 86_400_000 + 1)
    const read = async (token: string) => (await visitor.send('POST', '/invitations/read', { token })).status
    expect(await read(ended.token)).toBe(400)
    expect((await list(admin)).items[0]?.state).toBe('ended')
    const withdrawn = await aLink()
    expect(await read(withdrawn.token)).toBe(200)
    const path = `/admin/invitations/${withdrawn.id}`
    expect((await visitor.send('DELETE', path, undefined, admin.token)).status).toBe(200)
    expect(await read(withdrawn.token)).toBe(400)
    const unbacked = await aLink()
    await app.deps.db
      .updateTable('company_members')
      .set({ role: 'member' })
      .where('user_id', '=', admin.id)
      .execute()
    expect(await read(unbacked.token)).toBe(400)
    expect((await visitor.signUp('unbacked', { invitation: unbacked.token })).body.code).toBe('token_invalid')
    now = before
  })

  it('grants only companies and roles its author administers [SN-09]', async () => {
    const elsewhere = await aCompany(app)
    expect((await invite(admin, { company_id: elsewhere })).status).toBe(403)
    expect((await invite(admin, { role: 'super_admin' })).status).toBe(403)
    expect((await invite(superAdmin, { role: 'super_admin' })).status).toBe(201)
    expect((await invite(superAdmin, { company_id: randomUUID() })).status).toBe(404)
    const stranger = await aUser(app, { role: 'company_admin', companyId: elsewhere })
    const { id } = await aLink()
    expect((await list(stranger)).items).toEqual([])
    expect((await visitor.send('DELETE', `/admin/invitations/${id}`, undefined, stranger.token)).status).toBe(
      403,
    )
    expect((await list(admin)).items.map(({ company }) => company.name)).toContain('Orsane')
  })

  it('adds an existing account to the company and never lowers a role', async () => {
    const claire = await aUser(app)
    const accept = (token: string, who: TestUser) =>
      visitor.send('POST', '/invitations/accept', { token }, who.token)
    const { token } = await aLink({ role: 'company_admin' })
    expect((await accept(token, claire)).status).toBe(200)
    expect(await membershipsOf(claire.username)).toMatchObject([{ role: 'company_admin' }])
    expect((await accept((await aLink()).token, claire)).status).toBe(200)
    expect(await membershipsOf(claire.username)).toMatchObject([{ role: 'company_admin' }])
    await invite(admin, { emails: ['other@orsane.eu'] })
    const mailed = await visitor.mailedToken('other@orsane.eu', 'invitation')
    expect((await accept(mailed, claire)).status).toBe(403)
  })

  it('can be mailed again with a new link, which invalidates the old one', async () => {
    const { body } = await invite(admin, { emails: ['twice@orsane.eu'] })
    const first = await visitor.mailedToken('twice@orsane.eu', 'invitation')
    await visitor.send('POST', `/admin/invitations/${body.items[0]?.id}/send`, {}, admin.token)
    await expect.poll(() => visitor.mailedToken('twice@orsane.eu', 'invitation')).not.toBe(first)
    const second = await visitor.mailedToken('twice@orsane.eu', 'invitation')
    expect((await visitor.send('POST', '/invitations/read', { token: first })).status).toBe(400)
    expect((await visitor.send('POST', '/invitations/read', { token: second })).status).toBe(200)
  })
})
