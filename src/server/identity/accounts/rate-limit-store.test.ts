import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { countedAddress, type Limit, limits, takeTurn } from './rate-limit-store.ts'
import { removeExpired } from './store.ts'
import { makeOneTimeToken } from './tokens/one-time-token-store.ts'

let app: TestApp
let twin: TestApp
let visitor: ReturnType<typeof aVisitor>
let now = new Date('2026-03-01T12:00:00Z')
const clock = { now: () => now }

beforeAll(async () => {
  app = await startApp({ clock })
  // A second worker would write half of the mails to its own outbox.
  twin = await startApp({ clock, address: app.address, jobs: false })
  visitor = aVisitor(app)
  await visitor.signUp('root')
})
afterAll(async () => {
  await twin.close()
  await app.close()
})
beforeEach(() => app.deps.db.deleteFrom('rate_limits').execute())

const spend = async (limit: Limit, who: string, turns: number = limits[limit].most) => {
  for (let i = 0; i < turns; i += 1) await takeTurn(app.deps, limit, who)
}
const here = '127.0.0.1'

it('counts across processes and restarts when the window has ended [SV-01]', async () => {
  await spend('sign_in_account', 'somebody', 9)
  await takeTurn(twin.deps, 'sign_in_account', 'somebody')
  await expect(takeTurn(twin.deps, 'sign_in_account', 'somebody')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 900,
    detail: 'Too many attempts. Please try again in 15 minutes.',
  })
  await takeTurn(app.deps, 'sign_in_account', 'somebody else')
  now = new Date(now.getTime() + 900_000)
  await takeTurn(app.deps, 'sign_in_account', 'somebody')
})

it('enforces the limit under concurrent attempts [SV-01]', async () => {
  const turns = Array.from({ length: 40 }, (_, i) =>
    takeTurn(i % 2 ? app.deps : twin.deps, 'sign_in_account', 'racer'),
  )
  const let_through = (await Promise.allSettled(turns)).filter(({ status }) => status === 'fulfilled')
  expect(let_through).toHaveLength(10)
})

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s [SV-01]', (ip, counted) => {
  expect(countedAddress(ip)).toBe(counted)
})

describe('rate limits', () => {
  it.each([
    ['SV-01', 'sign_in_address', 'POST', '/token', 'username=a&password=b'],
    ['SV-03', 'sign_up_address', 'POST', '/users', { username: 'x', email: 'x@y.org', password: PASSWORD }],
    ['SV-04', 'mail_address', 'POST', '/users/request-password-reset', { email: 'x@y.org' }],
    ['SV-05', 'reset_address', 'POST', '/users/reset-password', { token: 'x', new_password: PASSWORD }],
    ['SV-06', 'reset_address', 'POST', '/users/verify-email?token=x', undefined],
    ['SV-07', 'mail_address', 'POST', '/users/resend-verification-email', { email: 'x@y.org' }],
  ] as const)('apply by address to %s: %s', async (_, limit, method, path, body) => {
    await spend(limit, here)
    const { status, headers, body: answer } = await visitor.send(method, path, body)
    expect([status, answer.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(60)
  })

  it('apply to mails to one address, known or not [SV-04, SV-07]', async () => {
    for (const email of ['root@example.com', 'nobody@example.com']) {
      const ask = (address: string) =>
        visitor.send('POST', '/users/request-password-reset', { email: address })
      for (let i = 0; i < 5; i += 1) expect((await ask(email)).status).toBe(200)
      expect((await ask(email.toUpperCase())).status).toBe(429)
    }
  })

  it('lock an unknown name exactly like a known one [AU-19]', async () => {
    await visitor.signUp('known')
    const guesses = async (name: string) => {
      const statuses: number[] = []
      for (let i = 0; i < 11; i += 1) statuses.push((await visitor.signIn(name, 'guess')).status)
      return statuses
    }
    expect(await guesses('unknown')).toEqual(await guesses('known'))
  })

  it('lock the account by any of its names and end automatically [AU-19]', async () => {
    await visitor.signUp('lola')
    for (let i = 0; i < 10; i += 1) await visitor.signIn(i % 2 ? 'LOLA' : 'lola@example.com', 'guess')
    expect((await visitor.signIn('lola')).status).toBe(429)
    now = new Date(now.getTime() + 901_000)
    expect((await visitor.signIn('lola')).status).toBe(200)
  })

  it('end with a password reset [SV-05]', async () => {
    await visitor.signUp('olga')
    for (let i = 0; i < 11; i += 1) await visitor.signIn('olga', 'guess')
    expect((await visitor.signIn('olga')).status).toBe(429)
    await visitor.send('POST', '/users/request-password-reset', { email: 'olga@example.com' })
    const token = await visitor.mailedToken('olga@example.com', 'reset-password')
    await visitor.send('POST', '/users/reset-password', { token, new_password: 'a new password' })
    expect((await visitor.signIn('olga', 'a new password')).status).toBe(200)
  })

  it('do not count successes [SV-01]', async () => {
    await visitor.signUp('mona')
    for (let i = 0; i < 25; i += 1) expect((await visitor.signIn('mona')).status).toBe(200)
    const counted = await app.deps.db.selectFrom('rate_limits').select('hits').orderBy('hits').execute()
    expect(counted.filter(({ hits }) => hits > 0)).toHaveLength(1)
  })
})

it('are deleted once expired, without deleting others [SV-01]', async () => {
  const { db } = app.deps
  const user = await aUser(app)
  await spend('mail_account', 'living', 1)
  const [past, ended] = [new Date(now.getTime() - 1000), Buffer.alloc(32, 1)]
  await db
    .insertInto('access_tokens')
    .values({ token_hash: ended, user_id: user.id, expires_at: past })
    .execute()
  await db
    .insertInto('one_time_tokens')
    .values({ token_hash: ended, purpose: 'sign_on', user_id: user.id, expires_at: past })
    .execute()
  await db
    .insertInto('sign_on_states')
    .values({
      state_hash: ended,
      provider: 'google',
      redirect_uri: '',
      code_verifier: '',
      nonce: '',
      expires_at: past,
    })
    .execute()
  await db.insertInto('rate_limits').values({ key: 'ended', hits: 1, expires_at: past }).execute()
  const times = { last_used_at: past, expires_at: past }
  await db
    .insertInto('known_devices')
    .values({ device_hash: ended, user_id: user.id, ...times })
    .execute()
  await removeExpired(app.deps)
  expect(await db.selectFrom('rate_limits').select('key').execute()).toHaveLength(1)
  expect(await db.selectFrom('sign_on_states').select('nonce').execute()).toEqual([])
  const devices = db.selectFrom('known_devices').select('user_id').where('user_id', '=', user.id)
  expect(await devices.execute()).toEqual([])
  const left = db.selectFrom('one_time_tokens').select('user_id').where('token_hash', '=', ended)
  expect(await left.execute()).toEqual([])
  const tokens = await db
    .selectFrom('access_tokens')
    .select('token_hash')
    .where('user_id', '=', user.id)
    .execute()
  expect(tokens).toHaveLength(1)
  expect(tokens[0]?.token_hash.equals(ended)).toBe(false)
})

describe('sign-up limits for an office behind one address', () => {
  const mine = (username: string, more: object = {}) => visitor.signUp(username, more)

  it('explain the refusal and state the wait', async () => {
    await spend('sign_up_address', here)
    const refused = await mine('late')
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: 'Too many accounts were made from this network. Please try again in 60 minutes.' },
    })
    expect(refused.headers['retry-after']).toBe('3600')
  })

  it('exempt valid invitations, but not invalid ones', async () => {
    await spend('sign_up_address', here)
    const boss = await aUser(app, { role: 'super_admin' })
    const companyId = await aCompany(app)
    const wish = { company_id: companyId, role: 'member', emails: [] }
    const made = await visitor.send('POST', '/admin/invitations', wish, boss.token)
    const invitation = new URL(String(made.body.link)).searchParams.get('token')
    expect((await mine('uninvited', { invitation: 'x'.repeat(43) })).status).toBe(429)
    expect((await mine('invited', { invitation })).status).toBe(201)
  })

  it('exempt people of a verified domain', async () => {
    await spend('sign_up_address', here)
    const company_id = await aCompany(app)
    await sql`insert into company_domains (company_id, domain, token, verified_by, verified_at, created_at)
      values (${company_id}, 'verified.example', 't', 'dns', ${now}, ${now})`.execute(app.deps.db)
    expect((await mine('stranger')).status).toBe(429)
    expect((await mine('colleague', { email: 'colleague@verified.example' })).status).toBe(201)
  })

  it('follow the setting; 0 disables them', async () => {
    app.deps.config.ATRIUM_LIMIT_SIGN_UPS_AN_HOUR = 2
    await spend('sign_up_address', here, 1)
    expect((await mine('second')).status).toBe(201)
    expect((await mine('third')).status).toBe(429)
    app.deps.config.ATRIUM_LIMIT_SIGN_UPS_AN_HOUR = 0
    expect((await mine('fourth')).status).toBe(201)
    app.deps.config.ATRIUM_LIMIT_SIGN_UPS_AN_HOUR = 60
  })

  it('allow any number of valid links and thirty invalid ones', async () => {
    await spend('reset_address', here, limits.reset_address.most - 1)
    const user = await aUser(app, { verified: false })
    for (let at = 0; at < 3; at += 1) {
      const token = await makeOneTimeToken(app.deps, 'verify_email', user)
      expect((await visitor.send('POST', `/users/verify-email?token=${token}`)).status).toBe(200)
    }
    expect((await visitor.send('POST', '/users/verify-email?token=wrong')).status).toBe(400)
    expect((await visitor.send('POST', '/users/verify-email?token=wrong')).status).toBe(429)
  })
})
