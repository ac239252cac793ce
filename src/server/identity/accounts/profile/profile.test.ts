import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'

/** Two installations: with and without address proof by mail. */
let proving: TestApp
let trusting: TestApp
let url: string
beforeAll(async () => {
  proving = await startApp({ config: { ATRIUM_EMAIL_VERIFICATION: 'required' } })
  trusting = await startApp({ config: { ATRIUM_LIMIT_PICTURE_KB: '4' } })
  url = await trusting.listen()
})
afterAll(async () => {
  await proving.close()
  await trusting.close()
})

async function aPerson(app: TestApp, name: string) {
  const visitor = aVisitor(app)
  await visitor.signUp(name)
  await app.deps.db
    .updateTable('users')
    .set({ email_verified_at: new Date() })
    .where('username', '=', name)
    .execute()
  const token = String((await visitor.signIn(name)).body.access_token)
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    visitor.send(method, path, body, token)
  return { visitor, token, send, email: async () => (await send('GET', '/users/me')).body.email }
}

const change = (email: string, current_password: string | undefined = PASSWORD) => ({
  email,
  current_password,
})
const path = '/users/me/change-email'

describe('changing the email address', () => {
  it('takes effect when the mailed link is opened, and notifies the old address', async () => {
    const { visitor, send, email } = await aPerson(proving, 'ada')
    const asked = await send('POST', path, change('ada@new.example'))
    expect(asked.body).toMatchObject({ verification_required: true })
    expect(await email()).toBe('ada@example.com')
    const link = await visitor.mailedToken('ada@new.example', 'verify-email')
    expect(visitor.mails('ada@new.example').join()).not.toContain('ada,')
    expect((await visitor.send('POST', `/users/verify-email?token=${link}`)).status).toBe(200)
    expect(await email()).toBe('ada@new.example')
    expect(await lastAudited(proving, 'account.changed')).toMatchObject({
      changes: [{ what: 'email', before: 'ada@example.com', after: 'ada@new.example' }],
    })
    await expect
      .poll(() => visitor.mails('ada@example.com').join(), { timeout: 10_000 })
      .toContain('was changed')
    expect((await visitor.signIn('ada@new.example')).status).toBe(200)
    expect((await visitor.signIn('ada@example.com')).status).toBe(401)
    expect((await visitor.send('POST', `/users/verify-email?token=${link}`)).status).toBe(400)
  })

  it('uses the last requested address', async () => {
    const { visitor, send, email } = await aPerson(proving, 'bob')
    await send('POST', path, change('bob@first.example'))
    const first = await visitor.mailedToken('bob@first.example', 'verify-email')
    await send('POST', path, change('bob@second.example'))
    expect((await visitor.send('POST', `/users/verify-email?token=${first}`)).status).toBe(400)
    expect(await email()).toBe('bob@example.com')
  })

  it('takes effect immediately where addresses need no proof', async () => {
    const { send, email } = await aPerson(trusting, 'cleo')
    expect((await send('POST', path, change('cleo@new.example'))).body).toMatchObject({
      verification_required: false,
    })
    expect(await email()).toBe('cleo@new.example')
    expect(await lastAudited(trusting, 'account.changed')).toMatchObject({
      changes: [{ what: 'email', before: 'cleo@example.com', after: 'cleo@new.example' }],
    })
  })

  it('requires the password and refuses a taken address', async () => {
    const { send, email } = await aPerson(trusting, 'dora')
    await aPerson(trusting, 'emil')
    for (const wrong of ['guess', undefined]) {
      const refused = await send('POST', path, { email: 'dora@new.example', current_password: wrong })
      expect(refused.status).toBe(422)
      expect(refused.body.errors).toMatchObject([{ path: 'current_password' }])
    }
    expect((await send('POST', path, change('EMIL@example.com'))).body.code).toBe('email_taken')
    expect((await send('POST', path, change('not an address'))).status).toBe(422)
    expect(await email()).toBe('dora@example.com')
  })

  it('fails when the address is taken before the link is opened', async () => {
    const { visitor, send, email } = await aPerson(proving, 'fay')
    await send('POST', path, change('shared@new.example'))
    const link = await visitor.mailedToken('shared@new.example', 'verify-email')
    await visitor.signUp('gil', { email: 'shared@new.example' })
    const late = await visitor.send('POST', `/users/verify-email?token=${link}`)
    expect(late.body.code).toBe('email_taken')
    expect(await email()).toBe('fay@example.com')
  })
})

it('leaves the name, which can be changed and removed [AU-26]', async () => {
  const { send } = await aPerson(trusting, 'hal')
  const named = await send('PUT', '/users/me/preferences', { full_name: '  Hal Ada  ' })
  expect(named.body.full_name).toBe('Hal Ada')
  expect((await send('PUT', '/users/me/preferences', { full_name: '' })).body.full_name).toBeNull()
  expect((await send('PUT', '/users/me/preferences', { full_name: 'x'.repeat(201) })).status).toBe(422)
})

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)])
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')

describe('the profile picture', () => {
  const upload = async (token: string, content: Buffer<ArrayBuffer>, type = 'image/png') => {
    const body = new FormData()
    body.append('file', new Blob([content], { type }), 'a.png')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/v1/users/me/picture`, { method: 'PUT', headers, body })
    return { status: answer.status, body: (await answer.json()) as { picture_id?: string } }
  }
  const read = (token: string) =>
    trusting.http.inject({
      ...{ method: 'GET', url: '/api/v1/users/me/picture' },
      headers: { authorization: `Bearer ${token}` },
    })

  it('is stored, served with its detected type, replaced and removed', async () => {
    const { token, send } = await aPerson(trusting, 'ida')
    expect((await read(token)).statusCode).toBe(204)
    const first = (await upload(token, png, 'text/html')).body.picture_id
    expect(first).toBeTruthy()
    const answer = await read(token)
    expect(answer.rawPayload).toEqual(png)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    const second = (await upload(token, webp)).body.picture_id
    expect(second).not.toBe(first)
    expect((await read(token)).headers['content-type']).toBe('image/webp')
    expect((await send('DELETE', '/users/me/picture')).body.picture_id).toBeNull()
    expect((await read(token)).statusCode).toBe(204)
  })

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 422],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 422],
    ['nothing', Buffer.alloc(0), 422],
    ['one that is too large', Buffer.concat([png, Buffer.alloc(4096)]), 413],
  ])('is refused as %s', async (_, content, status) => {
    const { token, visitor } = await aPerson(trusting, `p${status}${content.length}`)
    expect((await upload(token, content)).status).toBe(status)
    expect((await visitor.send('GET', '/users/me', undefined, token)).body.picture_id).toBeNull()
  })
})
