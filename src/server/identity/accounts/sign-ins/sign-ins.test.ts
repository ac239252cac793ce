import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignIn } from '#shared/identity/accounts/own-account.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { openStream } from '#tests/event-stream.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { readUserAgent } from './read-user-agent.ts'

const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36'
const safariOnIphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

let now = new Date('2026-11-20T10:00:00Z')
let app: TestApp
/** A second process of the same installation. */
let other: TestApp
let otherUrl: string
beforeAll(async () => {
  const clock = { now: () => now }
  app = await startApp({ clock })
  other = await startApp({ clock, address: app.address })
  otherUrl = await other.listen()
})
afterAll(async () => {
  await other.close()
  await app.close()
})

async function signIn(username: string, userAgent: string, remoteAddress: string) {
  const answer = await app.http.inject({
    ...{ method: 'POST', url: '/api/v1/token', remoteAddress },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent },
    payload: new URLSearchParams({ username, password: PASSWORD }).toString(),
  })
  const headers = { authorization: `Bearer ${answer.json().access_token}`, 'user-agent': userAgent }
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return { headers, cookie, remoteAddress }
}
type SignedIn = Awaited<ReturnType<typeof signIn>>

async function aPerson(name: string) {
  await aVisitor(app).signUp(name)
  const desk = await signIn(name, chromeOnWindows, '86.71.20.14')
  const phone = await signIn(name, safariOnIphone, '::ffff:92.184.104.9')
  return { desk, phone }
}

const send = (from: SignedIn, method: 'GET' | 'DELETE', path: string, at = app) =>
  at.http.inject({
    ...{ method, url: `/api/v1${path}`, remoteAddress: from.remoteAddress },
    headers: { ...from.headers, cookie: from.cookie },
  })
const list = async (from: SignedIn) => (await send(from, 'GET', '/users/me/tokens')).json().items as SignIn[]
const statusAt = async (at: TestApp, from: SignedIn) => (await send(from, 'GET', '/users/me', at)).statusCode

describe("a user's sign-ins", () => {
  it('are listed by device with last use and address, the current one first [SN-08]', async () => {
    const { desk, phone } = await aPerson('ada')
    now = new Date(now.getTime() + 2 * 3_600_000)
    const items = await list(phone)
    expect(items).toMatchObject([
      { browser: 'Safari', system: 'iPhone', form: 'phone', address: '92.184.104.9', current: true },
      { browser: 'Chrome', system: 'Windows', form: 'computer', address: '86.71.20.14', current: false },
    ])
    expect(items[0]?.last_used_at).toBe(now.toISOString())
    expect(items[1]?.last_used_at).toBe(new Date(now.getTime() - 2 * 3_600_000).toISOString())
    expect(JSON.stringify(items)).not.toContain(desk.headers.authorization.slice(7))
  })

  it('follow the device that uses them', async () => {
    const { desk } = await aPerson('bob')
    now = new Date(now.getTime() + 5 * 60_000)
    const [moved] = await list({ ...desk, remoteAddress: '80.12.41.177' })
    expect(moved?.address).toBe('80.12.41.177')
  })

  it('end on every process immediately, including open streams [SN-08]', async () => {
    const { desk, phone } = await aPerson('cleo')
    const session = await other.http.inject({
      ...{ method: 'POST', url: '/api/v1/sessions', headers: desk.headers, payload: {} },
    })
    const stream = await openStream(`${otherUrl}/api/v1/sessions/${session.json().id}/events`, {
      headers: desk.headers,
    })
    await stream.until('connection_established')
    const id = (await list(phone)).find(({ current }) => !current)?.id
    const started = performance.now()
    expect((await send(phone, 'DELETE', `/users/me/tokens/${id}`)).statusCode).toBe(200)
    for (const process of [app, other]) expect(await statusAt(process, desk)).toBe(401)
    await stream.until('unauthorized')
    await stream.ended
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await statusAt(other, phone)).toBe(200)
    expect((await send(phone, 'DELETE', `/users/me/tokens/${id}`)).statusCode).toBe(404)
  })

  it('can all be ended except the current one, whose device alone stays known', async () => {
    const { desk, phone } = await aPerson('dora')
    expect((await send(desk, 'DELETE', '/users/me/tokens?except=this')).statusCode).toBe(200)
    expect(await statusAt(other, phone)).toBe(401)
    expect(await list(desk)).toHaveLength(1)
    const known = await app.deps.db
      .selectFrom('known_devices')
      .innerJoin('users', 'users.id', 'user_id')
      .select('device_hash')
      .where('username', '=', 'dora')
      .execute()
    expect(known).toHaveLength(1)
  })

  it('can all be ended, including the current one', async () => {
    const { desk, phone } = await aPerson('emil')
    await send(desk, 'DELETE', '/users/me/tokens')
    for (const from of [desk, phone]) expect(await statusAt(app, from)).toBe(401)
  })

  it('cannot be ended by another user', async () => {
    const { desk } = await aPerson('fay')
    const [theirs] = await list(desk)
    const stranger = await aUser(app)
    const url = `/api/v1/users/me/tokens/${theirs?.id}`
    const answer = await app.http.inject({ method: 'DELETE', url, headers: stranger.headers })
    expect(answer.statusCode).toBe(403)
    expect(await statusAt(app, desk)).toBe(200)
  })
})

it.each([
  [chromeOnWindows, 'Chrome', 'Windows', 'computer'],
  [safariOnIphone, 'Safari', 'iPhone', 'phone'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:141.0) Gecko/20100101 Firefox/141.0',
    'Firefox',
    'macOS',
    'computer',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0',
    'Edge',
    'Windows',
    'computer',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
    'phone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
    'Chrome',
    'Android',
    'tablet',
  ],
  ['curl/8.5.0', 'curl', null, 'program'],
  ['<script>alert(1)</script>', null, null, 'program'],
  [null, null, null, 'program'],
])('recognise %s as %s on %s', (userAgent, browser, system, form) => {
  expect(readUserAgent(userAgent)).toEqual({ browser, system, form })
})
