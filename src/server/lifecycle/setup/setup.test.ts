import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { freePort } from '#tests/free-port.ts'
import { fails, type ModelServer, says, startModelServer } from '#tests/model-server.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'

let app: TestApp
let model: ModelServer
let admin: TestUser
beforeAll(async () => {
  model = await startModelServer({ models: ['large'] })
  app = await startApp({ config: { ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' } })
  admin = await aUser(app, { role: 'super_admin' })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const send = async (method: Method, url: string, payload?: object, { of = app, user = admin } = {}) => {
  const response = await of.http.inject({ method, url: `/api/v1${url}`, headers: user.headers, payload })
  return { status: response.statusCode, body: response.json() }
}
const audited = async (did: string) =>
  (await sql`select subject, changes from audit_entries where did = ${did}`.execute(app.deps.db)).rows

describe('the setup steps', () => {
  it('are stored; a completed step is no longer postponed', async () => {
    expect((await send('GET', '/admin/setup')).body).toEqual({
      ...{ model: null, mail: null, address: null, sign_up: null },
    })
    await send('PUT', '/admin/setup/mail', { outcome: 'later' })
    await send('PUT', '/admin/setup/model', { outcome: 'done' })
    await send('PUT', '/admin/setup/model', { outcome: 'later' })
    expect((await send('GET', '/admin/setup')).body).toMatchObject({ model: 'done', mail: 'later' })
    expect((await send('PUT', '/admin/setup/mail', { outcome: 'done' })).body.mail).toBe('done')
    expect((await send('PUT', '/admin/setup/other', { outcome: 'done' })).status).toBe(404)
  })

  it('are due for the first account only [AD-01]', async () => {
    const empty = await startApp()
    const signUp = (username: string) => {
      const payload = { username, email: `${username}@example.com`, password: 'correct horse battery' }
      return empty.http.inject({
        method: 'POST',
        url: '/api/v1/users',
        headers: { host: 'localhost' },
        payload,
      })
    }
    const preferencesOf = async (username: string) => {
      await signUp(username)
      const found = empty.deps.db.selectFrom('users').select('preferences').where('username', '=', username)
      return (await found.executeTakeFirstOrThrow()).preferences
    }
    expect(await preferencesOf('ada')).toEqual({ onboarding: { setup: { completed: false } } })
    expect(await preferencesOf('grace')).toEqual({})
    await empty.close()
  })
})

describe('greeting a model', () => {
  it('makes a real call and returns and books its answer', async () => {
    model.reply([says('Bonjour', ' !')])
    const { body } = await send('POST', '/admin/setup/greeting', { model: 'house/large' })
    expect(body).toMatchObject({
      model: 'house/large',
      text: 'Bonjour !',
      detail: null,
      ms: expect.any(Number),
    })
    expect(model.requests.at(-1)?.messages.at(-1)?.role).toBe('user')
    const entries = app.deps.db
      .selectFrom('ledger_entries')
      .select('model_name')
      .where('user_id', '=', admin.id)
    expect(await entries.execute()).toContainEqual({ model_name: 'house/large' })
  })

  it('reports why the model failed, and an unknown model', async () => {
    model.reply([fails(401, 'no such key')])
    const { body } = await send('POST', '/admin/setup/greeting', { model: 'house/large' })
    expect(body).toMatchObject({ text: null, detail: expect.stringContaining('no such key') })
    expect((await send('POST', '/admin/setup/greeting', { model: 'house/none' })).status).toBe(422)
  })

  it('works for the built-in model without a key', async () => {
    const { body } = await send('POST', '/admin/setup/greeting', { model: 'atrium/offline' })
    expect(body.text.length).toBeGreaterThan(0)
  })
})

describe('the mail server settings', () => {
  const plain = { host: '127.0.0.1', security: 'none', sender: 'Atrium <atrium@example.com>' }
  const signedIn = { username: 'atrium', password: 'geheim-42' }
  const portOf = (url: string) => Number(new URL(url).port)
  beforeEach(() => send('DELETE', '/admin/mail'))

  it('are tested with a mail to the caller before they are saved', async () => {
    const smtp = await startSmtpServer()
    const settings = { ...plain, ...signedIn, port: portOf(smtp.url) }
    const { body } = await send('POST', '/admin/mail/test', { settings })
    expect(body).toEqual({ outcome: 'sent', to: admin.email, said: null })
    expect(smtp.said()).toContain(`RCPT TO:<${admin.email}>`)
    expect(smtp.said()).toContain('From: Atrium <atrium@example.com>')
    expect((await send('GET', '/admin/mail')).body.source).toBe('none')
    smtp.close()
  })

  it("apply to the product's mails, with an encrypted password that is never returned", async () => {
    const smtp = await startSmtpServer()
    const port = portOf(smtp.url)
    const { body } = await send('PUT', '/admin/mail', { ...plain, ...signedIn, port })
    expect(body).toEqual({
      ...plain,
      port,
      source: 'database',
      username: 'atrium',
      has_password: true,
      fixed_by: [],
    })
    expect(JSON.stringify(await audited('mail.changed'))).not.toContain('geheim')
    const kept = await app.deps.db.selectFrom('mail_settings').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(kept)).not.toContain('geheim')
    await app.deps.mail.send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: 'Hello' })
    const plainAuth = Buffer.from('\0atrium\0geheim-42').toString('base64')
    expect(smtp.said()).toContain(`AUTH PLAIN ${plainAuth}`)
    expect(smtp.said()).toContain('RCPT TO:<ada@example.com>')
    expect((await send('DELETE', '/admin/mail')).status).toBe(200)
    expect(await app.deps.mail.host()).toBe(null)
    expect((await audited('mail.changed')).length).toBeGreaterThanOrEqual(2)
    smtp.close()
  })

  it('turn on address proof, like those of the environment', async () => {
    const smtp = await startSmtpServer()
    const isRequired = async () => (await send('GET', '/sign-in-options')).body.verification_required
    expect(await isRequired()).toBe(false)
    await send('PUT', '/admin/mail', { ...plain, port: portOf(smtp.url) })
    expect(await isRequired()).toBe(true)
    const username = 'zoe-of-the-mail'
    const form = { username, email: `${username}@example.com`, password: 'quiet-harbour-19' }
    const made = await send('POST', '/users', form)
    expect(made.body).toMatchObject({ verification_required: true })
    const entering = () =>
      app.http.inject({
        ...{ method: 'POST', url: '/api/v1/token' },
        ...{ headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        payload: new URLSearchParams({ username, password: form.password }).toString(),
      })
    expect((await entering()).json().code).toBe('email_not_verified')
    await send('DELETE', '/admin/mail')
    expect(await isRequired()).toBe(false)
    expect((await entering()).statusCode).toBe(200)
    smtp.close()
  })

  it('use a stored password only for its own server and user', async () => {
    const smtp = await startSmtpServer()
    const other = await startSmtpServer()
    const { password: _, ...named } = { ...plain, ...signedIn, port: portOf(smtp.url) }
    await send('PUT', '/admin/mail', { ...named, password: signedIn.password })
    const again = await send('POST', '/admin/mail/test', { settings: { ...named, sender: 'b@example.com' } })
    expect(again.body.outcome).toBe('sent')
    for (const changed of [{ port: portOf(other.url) }, { username: 'else' }, { security: 'starttls' }]) {
      const { status, body } = await send('POST', '/admin/mail/test', { settings: { ...named, ...changed } })
      expect([status, body.errors[0].path]).toEqual([422, 'password'])
    }
    expect(other.said()).toBe('')
    smtp.close()
    other.close()
  })

  it("report the kind of failure and the server's message", async () => {
    const refusing = await startSmtpServer({ refuses: 'AUTH', with: '535 5.7.8 wrong password' })
    const picky = await startSmtpServer({ refuses: 'MAIL', with: '550 not your sender' })
    const bare = await startSmtpServer()
    const tryWith = async (more: object) =>
      (await send('POST', '/admin/mail/test', { settings: { ...plain, port: 1, ...more } })).body
    expect(await tryWith({ ...signedIn, port: portOf(refusing.url) })).toMatchObject({
      ...{ outcome: 'sign_in_refused', said: expect.stringContaining('wrong password') },
    })
    expect(await tryWith({ port: portOf(picky.url) })).toMatchObject({
      ...{ outcome: 'mail_refused', said: expect.stringContaining('not your sender') },
    })
    expect(await tryWith({ port: portOf(bare.url), security: 'starttls' })).toMatchObject({
      outcome: 'no_encryption',
    })
    expect(await tryWith({ port: portOf(bare.url), security: 'tls' })).toMatchObject({
      outcome: 'no_encryption',
    })
    expect(await tryWith({ port: await freePort() })).toMatchObject({ outcome: 'unreachable' })
    expect(await tryWith({ host: 'mail.invalid' })).toMatchObject({ outcome: 'not_found' })
    for (const server of [refusing, picky, bare]) server.close()
  })

  it('are fixed when set by the environment, and a test uses those', async () => {
    const smtp = await startSmtpServer()
    const url = smtp.url.replace('smtp://', 'smtp://me:secret@')
    const fixed = await startApp({ config: { SMTP_URL: url, ATRIUM_EMAIL_VERIFICATION: 'off' } })
    const user = await aUser(fixed, { role: 'super_admin' })
    const at = { of: fixed, user }
    expect((await send('GET', '/admin/mail', undefined, at)).body).toMatchObject({
      ...{ source: 'environment', host: '127.0.0.1', username: 'me', has_password: true },
    })
    for (const method of ['PUT', 'DELETE'] as const)
      expect(
        (await send(method, '/admin/mail', method === 'PUT' ? { ...plain, port: 25 } : undefined, at)).status,
      ).toBe(409)
    const settings = { ...plain, port: portOf(smtp.url) }
    expect((await send('POST', '/admin/mail/test', { settings }, at)).status).toBe(409)
    expect((await send('POST', '/admin/mail/test', {}, at)).body.outcome).toBe('sent')
    await fixed.close()
    smtp.close()
  })

  it('cannot be tested without a server', async () => {
    expect((await send('POST', '/admin/mail/test', {})).status).toBe(409)
  })
})

describe('the public address', () => {
  const seenBy = async (headers: object, config: Record<string, string> = {}) => {
    const one = await startApp({ config: { ATRIUM_PUBLIC_URL: 'https://atrium.example.com/', ...config } })
    const user = await aUser(one, { role: 'super_admin' })
    const all = { host: 'atrium.example.com', ...user.headers, ...headers }
    const response = await one.http.inject({
      method: 'GET',
      url: '/api/v1/admin/setup/address',
      headers: all,
    })
    await one.close()
    return response.json()
  }

  it('is shown with the address and proxy of the request', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
    const common = { public_url: 'https://atrium.example.com' }
    expect(await seenBy({})).toEqual({
      ...{ ...common, seen: 'http://atrium.example.com', proxy: 'none', proxy_address: null },
    })
    expect(await seenBy(forwarded)).toMatchObject({ proxy: 'unnamed', proxy_address: '127.0.0.1' })
    expect(await seenBy(forwarded, { ATRIUM_TRUST_PROXY: '127.0.0.1' })).toEqual({
      ...{ ...common, seen: 'https://atrium.example.com', proxy: 'named', proxy_address: null },
    })
  })

  it('is tested for buffering with events at even intervals', async () => {
    const url = await app.listen()
    const response = await fetch(`${url}/api/v1/admin/setup/beats`, { headers: admin.headers })
    const times: number[] = []
    for await (const _ of response.body ?? []) times.push(performance.now())
    expect(times.length).toBeGreaterThanOrEqual(3)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(500)
  })
})
