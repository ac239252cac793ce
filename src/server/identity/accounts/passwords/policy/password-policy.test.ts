import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PasswordPolicy } from '#shared/identity/accounts/password-policy.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aVisitor } from '#tests/visitor.ts'

const DEFAULTS: PasswordPolicy = {
  ...{
    min_length: 8,
    refuses_common: true,
    min_kinds: 0,
    history: 0,
    max_age_days: null,
    applies: 'next_change',
  },
}

let app: TestApp
let visitor: ReturnType<typeof aVisitor>
let root: TestUser
let now = new Date('2026-03-01T12:00:00Z')
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now } })
  visitor = aVisitor(app)
  root = await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())
beforeEach(() => setPolicy({}))

async function setPolicy(policy: Partial<PasswordPolicy>) {
  await app.deps.db.deleteFrom('rate_limits').execute()
  const answer = await visitor.send('PUT', '/admin/password-policy', { ...DEFAULTS, ...policy }, root.token)
  expect(answer.status).toBe(200)
}

const join = (username: string, password: string) =>
  visitor.send('POST', '/users', { username, email: `${username}@example.org`, password })

async function signIn(username: string, password: string): Promise<string> {
  const form = new URLSearchParams({ username, password }).toString()
  const { status, body } = await visitor.send('POST', '/token', form)
  expect(status).toBe(200)
  return String(body.access_token)
}

async function aPerson(username: string, password: string): Promise<string> {
  expect((await join(username, password)).status).toBe(201)
  await app.deps.db
    .updateTable('users')
    .set({ email_verified_at: now, proof_due: false })
    .where('username', '=', username)
    .execute()
  return signIn(username, password)
}

const change = (token: string, current_password: string, new_password: string) =>
  visitor.send('POST', '/users/me/change-password', { current_password, new_password }, token)

describe('the policy for passwords', () => {
  it.each([
    [{}, 'Password1!', 'password_common'],
    [{}, 'zoe-2026!!', 'password_personal'],
    [{}, 'Atrium2026!', 'password_personal'],
    [{ min_length: 20 }, 'quiet harbour 19', 'password_too_short'],
    [{ min_kinds: 4 }, 'quiet harbour 19', 'password_kinds_missing'],
  ])('refuses at sign-up with %o the password %s', async (policy, password, code) => {
    await setPolicy(policy)
    const answer = await join('zoe', password)
    expect(answer).toMatchObject({ status: 422, body: { code } })
    expect(answer.body.detail).toMatch(/^[^.]+\.( [^.]+\.)?$/)
  })

  it('counts characters, not code units, for the minimum length', async () => {
    await setPolicy({ min_length: 12 })
    expect((await join('uma', '🐎🌧🏠🎻🍐🧵🪁🚲')).body.code).toBe('password_too_short')
  })

  it('applies to a change and a reset link, and leaves a refused link usable', async () => {
    const token = await aPerson('ben', 'quiet harbour 19')
    expect((await change(token, 'quiet harbour 19', 'Password1!')).body.code).toBe('password_common')
    await visitor.send('POST', '/users/request-password-reset', { email: 'ben@example.org' })
    const link = await visitor.mailedToken('ben@example.org', 'reset-password')
    const reset = (new_password: string) =>
      visitor.send('POST', '/users/reset-password', { token: link, new_password })
    expect((await reset('ben-2026!')).body.code).toBe('password_personal')
    expect((await reset('slow tram to Ghent')).status).toBe(200)
  })

  it('refuses the last passwords', async () => {
    await setPolicy({ history: 2 })
    const first = await aPerson('cal', 'quiet harbour 19')
    expect((await change(first, 'quiet harbour 19', 'quiet harbour 19')).body.code).toBe(
      'password_used_before',
    )
    expect((await change(first, 'quiet harbour 19', 'slow tram to Ghent')).status).toBe(200)
    expect((await change(first, 'slow tram to Ghent', 'quiet harbour 19')).body.code).toBe(
      'password_used_before',
    )
    expect((await change(first, 'slow tram to Ghent', 'green lamp, wet road')).status).toBe(200)
    expect((await change(first, 'green lamp, wet road', 'quiet harbour 19')).status).toBe(200)
  })

  it('asks for a new password at the next sign-in when the old one no longer fits', async () => {
    const before = await aPerson('dan', 'quiet harbour 19')
    await setPolicy({ min_length: 24 })
    expect(
      (await visitor.send('GET', '/sessions', undefined, await signIn('dan', 'quiet harbour 19'))).status,
    ).toBe(200)
    await setPolicy({ min_length: 24, applies: 'now' })
    expect((await visitor.send('GET', '/sessions', undefined, before)).status).toBe(200)
    const token = await signIn('dan', 'quiet harbour 19')
    expect((await visitor.send('GET', '/users/me', undefined, token)).body.password_due).toBe(
      'password_too_short',
    )
    const refused = await visitor.send('GET', '/sessions', undefined, token)
    expect(refused).toMatchObject({ status: 403, body: { code: 'password_change_required' } })
    expect((await change(token, 'quiet harbour 19', 'a lamp, a wet road, a slow tram')).status).toBe(200)
    expect((await visitor.send('GET', '/sessions', undefined, token)).status).toBe(200)
    expect((await visitor.send('GET', '/users/me', undefined, token)).body).not.toHaveProperty('password_due')
  })

  it('asks for no new password any more when the rules fit again', async () => {
    await aPerson('fay', 'quiet harbour 19')
    await setPolicy({ min_length: 24, applies: 'now' })
    await signIn('fay', 'quiet harbour 19')
    await setPolicy({ min_length: 12, applies: 'now' })
    const token = await signIn('fay', 'quiet harbour 19')
    expect((await visitor.send('GET', '/sessions', undefined, token)).status).toBe(200)
  })

  it('applies to invited people and leaves a refused invitation usable', async () => {
    const wish = { company_id: await aCompany(app), role: 'member', emails: [] }
    const { body } = await visitor.send('POST', '/admin/invitations', wish, root.token)
    const invitation = new URL(String(body.link)).searchParams.get('token')
    const accept = (password: string) =>
      visitor.send('POST', '/users', { username: 'gus', email: 'gus@example.org', password, invitation })
    expect((await accept('Password1!')).body.code).toBe('password_common')
    expect((await accept('quiet harbour 19')).status).toBe(201)
  })

  it('asks for a new password when the old one is too old', async () => {
    await aPerson('eve', 'quiet harbour 19')
    await setPolicy({ max_age_days: 90 })
    now = new Date(now.getTime() + 91 * 86_400_000)
    const again = await aUser(app, { role: 'super_admin' })
    root = again
    const token = await signIn('eve', 'quiet harbour 19')
    expect((await visitor.send('GET', '/users/me', undefined, token)).body.password_due).toBe(
      'password_too_old',
    )
    await change(token, 'quiet harbour 19', 'slow tram to Ghent')
    expect((await visitor.send('GET', '/sessions', undefined, token)).status).toBe(200)
  })

  it('shows the rules before signing in, and is changed by super admins within its bounds only', async () => {
    await setPolicy({ min_length: 14, history: 3 })
    const { body } = await visitor.send('GET', '/sign-in-options')
    expect(body.password_rules).toEqual({ min_length: 14, refuses_common: true, min_kinds: 0, history: 3 })
    const admin = await aUser(app, { role: 'company_admin' })
    const put = (policy: object, token: string) =>
      visitor.send('PUT', '/admin/password-policy', { ...DEFAULTS, ...policy }, token)
    expect((await put({}, admin.token)).status).toBe(403)
    expect((await put({ min_length: 7 }, root.token)).status).toBe(422)
    expect((await put({ min_length: 65 }, root.token)).status).toBe(422)
  })
})
