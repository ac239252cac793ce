import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { limits, takeTurn } from '../rate-limit-store.ts'
import { countGuess } from './guesses.ts'

let app: TestApp
let visitor: ReturnType<typeof aVisitor>
let now = new Date('2026-03-01T12:00:00Z')
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now } })
  visitor = aVisitor(app)
  await visitor.signUp('root')
  await visitor.signUp('ada')
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.deps.db.deleteFrom('rate_limits').execute()
})

type Browser = { address?: string; cookie?: string }

/** Signs in from an IP address, optionally as a known device. */
async function signIn(username: string, password: string, { address = '10.0.0.1', cookie }: Browser = {}) {
  const answer = await app.http.inject({
    ...{ method: 'POST', url: '/api/v1/token', remoteAddress: address },
    payload: new URLSearchParams({ username, password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(cookie && { cookie }) },
  })
  const set = String(answer.headers['set-cookie'] ?? '')
  return {
    status: answer.statusCode,
    set,
    cookie: set.split(';')[0] ?? '',
    wait: Number(answer.headers['retry-after']),
  }
}

it('ten wrong passwords from one address do not block another address', async () => {
  const stranger = { address: '10.9.9.9' }
  for (let at = 0; at < 10; at += 1) expect((await signIn('ada', 'guess', stranger)).status).toBe(401)
  expect((await signIn('ada', PASSWORD, stranger)).status).toBe(429)
  expect((await signIn('ada', PASSWORD, { address: '10.0.0.2' })).status).toBe(200)
})

it('a known device can sign in while strangers are locked out', async () => {
  const { cookie, set } = await signIn('ada', PASSWORD)
  expect(set).toMatch(/^atrium_device=[\w-]{43};.*HttpOnly; SameSite=Strict/)
  const shared = { address: '10.0.0.1' }
  for (let at = 0; at < 100; at += 1) await takeTurn(app.deps, 'sign_in_address', shared.address)
  for (let at = 0; at < 10; at += 1) await signIn('ada', 'guess', shared)
  expect((await signIn('ada', PASSWORD, shared)).status).toBe(429)
  const back = await signIn('ada', PASSWORD, { ...shared, cookie })
  expect(back.status).toBe(200)
  // The secret is rotated each time, and the old one becomes invalid.
  expect(back.cookie).not.toBe(cookie)
  expect((await signIn('ada', PASSWORD, { ...shared, cookie })).status).toBe(429)
  expect((await signIn('ada', PASSWORD, { ...shared, cookie: back.cookie })).status).toBe(200)
})

it('a known device has ten attempts too, and is known only for its own users', async () => {
  const { cookie } = await signIn('ada', PASSWORD, { address: '10.0.0.3' })
  for (let at = 0; at < 10; at += 1) expect((await signIn('ada', 'guess', { cookie })).status).toBe(401)
  expect((await signIn('ada', PASSWORD, { cookie })).status).toBe(429)
  await visitor.signUp('bea')
  await signIn('bea', PASSWORD, { address: '10.0.0.3' })
  for (let at = 0; at < 11; at += 1) await signIn('bea', 'guess', { address: '10.0.0.4' })
  expect((await signIn('bea', PASSWORD, { address: '10.0.0.4', cookie })).status).toBe(429)
})

it('a device is known for two users, and a user has a limited number of devices', async () => {
  await visitor.signUp('cleo')
  const first = await signIn('ada', PASSWORD)
  const both = await signIn('cleo', PASSWORD, { cookie: first.cookie })
  for (const name of ['ada', 'cleo']) for (let at = 0; at < 11; at += 1) await signIn(name, 'guess')
  expect((await signIn('ada', PASSWORD)).status).toBe(429)
  const again = await signIn('ada', PASSWORD, { cookie: both.cookie })
  expect(again.status).toBe(200)
  expect((await signIn('cleo', PASSWORD, { cookie: again.cookie })).status).toBe(200)
  for (let at = 0; at < 14; at += 1) {
    now = new Date(now.getTime() + 1000)
    await signIn('cleo', PASSWORD, { address: `10.2.0.${at}` })
  }
  const { db } = app.deps
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'cleo')
    .executeTakeFirstOrThrow()
  const kept = await db.selectFrom('known_devices').select('device_hash').where('user_id', '=', id).execute()
  expect(kept).toHaveLength(10)
  expect(kept.every(({ device_hash }) => device_hash.length === 32)).toBe(true)
})

it('attempts from many addresses face growing waits and a limit of a hundred a day', async () => {
  const waits: number[] = []
  let tried = 0
  for (let at = 0; (waits.at(-1) ?? 0) <= 15 * 60; at += 1) {
    const guess = { who: 'dora', address: `10.3.0.${at}`, known: null }
    const refused = await countGuess(app.deps, guess).then(
      () => null,
      (error: AppError) => error,
    )
    if (!refused) tried += 1
    else waits.push(refused.retryAfterSeconds ?? 0)
    now = new Date(now.getTime() + (refused?.retryAfterSeconds ?? 0) * 1000)
    if (tried < 21) expect(waits).toEqual([])
  }
  expect(tried).toBe(limits.sign_in_account_day.most)
  expect([...new Set(waits.slice(0, -1))]).toEqual([15, 30, 60, 120, 240, 480, 900])
  expect(waits).toEqual(waits.toSorted((one, other) => one - other))
  expect(waits.slice(0, -1).reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(6 * 3600)
  now = new Date(now.getTime() + 86_400_000)
  await countGuess(app.deps, { who: 'dora', address: '10.4.0.1', known: null })
})

it('a refused attempt does not use up the attempts of others', async () => {
  await visitor.signUp('emil')
  for (let at = 0; at < 150; at += 1) await signIn('emil', 'guess', { address: '10.5.0.1' })
  expect((await signIn('emil', PASSWORD, { address: '10.5.0.2' })).status).toBe(200)
})

it('a new password forgets all devices and ends all lock-outs', async () => {
  await visitor.signUp('fay')
  const { cookie } = await signIn('fay', PASSWORD, { address: '10.6.0.1' })
  for (let at = 0; at < 11; at += 1) await signIn('fay', 'guess', { address: '10.6.0.2' })
  await visitor.send('POST', '/users/request-password-reset', { email: 'fay@example.com' })
  const token = await visitor.mailedToken('fay@example.com', 'reset-password')
  await visitor.send('POST', '/users/reset-password', { token, new_password: 'a new password' })
  expect((await signIn('fay', 'guess', { address: '10.6.0.2' })).status).toBe(401)
  for (let at = 0; at < 10; at += 1) await signIn('fay', 'guess', { address: '10.6.0.2' })
  expect((await signIn('fay', 'a new password', { address: '10.6.0.2', cookie })).status).toBe(429)
})

it('wrong current passwords block changing it in that session, but block no sign-in [AU-27, SV-84]', async () => {
  const { token } = await aUser(app, { username: 'gil' })
  const change = (current_password: string, new_password: string) =>
    visitor.send('POST', '/users/me/change-password', { current_password, new_password }, token)
  await visitor.send('POST', '/users/me/change-password', { new_password: PASSWORD }, token)
  for (let at = 0; at < 10; at += 1) expect((await change('guess', 'another one')).status).toBe(422)
  expect((await change(PASSWORD, 'another one')).status).toBe(429)
  expect((await signIn('gil', PASSWORD)).status).toBe(200)
})
