import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import type { Feature } from '../../feature.ts'
import { serve } from './serve.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startApp({
    config: { ATRIUM_PUBLIC_URL: 'https://chat.example.com', ATRIUM_ALLOWED_HOSTS: 'Atrium.lan, other.lan' },
  })
  user = await aUser(app)
})
afterAll(() => app.close())

type Method = 'GET' | 'POST' | 'DELETE'

async function ask(headers: Record<string, string>, method: Method = 'GET', url = '/api/v1/users/me') {
  const answer = await app.http.inject({ method, url, headers: { ...user.headers, ...headers } })
  return { status: answer.statusCode, body: answer.json() }
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('Host header', () => {
  it.each([
    ...['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST'],
    ...['chat.example.com', 'chat.example.com:8443', 'chat.example.com.'],
    ...['atrium.lan', 'other.lan:3000', '192.168.1.7:3000', '[fe80::1]:3000'],
  ])('may be %s', async (host) => {
    expect((await ask({ host })).status).toBe(200)
  })

  it.each([
    'evil.example:3000',
    'chat.example.com.evil.example',
    'localhost.evil.example',
    'evil-chat.example.com',
    '127.0.0.1.evil.example',
    'atrium.test',
  ])('may not be %s, which could be DNS rebinding', async (host) => {
    const { status, body } = await ask({ host })
    expect([status, body.code]).toEqual([403, 'forbidden'])
    expect(body.detail).toContain('ATRIUM_ALLOWED_HOSTS')
    const page = await app.http.inject({ url: '/', headers: { host } })
    expect(page.statusCode).toBe(403)
  })

  it('is not taken from a header that anyone can send', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost' }
    expect((await ask(headers)).status).toBe(403)
  })
})

describe('page of another origin', () => {
  it.each([
    ...['https://evil.example', 'null', 'http://6.6.6.6', 'http://localhost:5173'],
    ...['https://chat.example.com.evil.example', 'nonsense'],
  ])('%s may not call', async (origin) => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body } = await ask({ origin, host: 'chat.example.com' }, method, '/api/v1/sessions/x')
      expect([status, body.code], method).toEqual([403, 'forbidden'])
    }
  })

  it('without an origin, such as a diagram frame, loads only the interface files', async () => {
    const headers = { origin: 'null', host: 'chat.example.com' }
    const statusOf = async (url: string, method: Method = 'GET') =>
      (await app.http.inject({ method, url, headers })).statusCode
    expect(await statusOf('/assets/none.js')).toBe(404)
    expect(await statusOf('/assets/none.js', 'POST')).toBe(403)
    for (const url of ['/', '/assets', '/assetsx', '/api/v1/health'])
      expect([url, await statusOf(url)]).toEqual([url, 403])
  })

  it('may not call if the browser reports only a cross-site request', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await ask(headers, 'DELETE', '/api/v1/token')).status).toBe(403)
  })

  it('may link or return here, as a sign-on service does', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await ask(headers)).status).toBe(200)
    const back = await app.http.inject({ url: '/api/v1/login/google/callback?state=x&code=y', headers })
    expect(back.statusCode).toBe(302)
  })

  it.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost:3000', 'http://127.0.0.1:5173'],
    ['192.168.1.7:3000', 'http://192.168.1.7:3000'],
    ['chat.example.com', 'https://chat.example.com'],
    ['127.0.0.1:3000', 'https://chat.example.com'],
    ['127.0.0.1:3000', 'http://other.lan:3000'],
  ])('does not include %s called from %s', async (host, origin) => {
    expect((await ask({ host, origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('does not include programs, which send no origin', async () => {
    expect((await ask({})).status).toBe(200)
  })

  it('cannot create the first account with a form', async () => {
    const empty = await startApp()
    const account = { username: 'eve', email: 'eve@evil.example', password: 'correct horse' }
    const url = '/api/v1/users'
    const sent = [
      { headers: form, payload: new URLSearchParams(account).toString() },
      { headers: { 'content-type': 'text/plain' }, payload: JSON.stringify(account) },
      { headers: { origin: 'http://evil.example' }, payload: account },
      { headers: { host: 'evil.example' }, payload: account },
    ]
    try {
      for (const request of sent) {
        const answer = await empty.http.inject({ method: 'POST', url, ...request })
        expect(answer.statusCode, JSON.stringify(request.headers)).toBeGreaterThanOrEqual(400)
      }
      expect(await empty.deps.db.selectFrom('users').select('id').execute()).toEqual([])
    } finally {
      await empty.close()
    }
  })
})

describe('request body', () => {
  it('must be JSON on a JSON route', async () => {
    for (const type of [form['content-type'], 'multipart/form-data; boundary=x', 'application/jsonx', 'a']) {
      const answer = await app.http.inject({
        ...{ method: 'POST', url: '/api/v1/sessions', payload: 'title=x' },
        headers: { ...user.headers, 'content-type': type },
      })
      expect([answer.statusCode, answer.json().code], type).toEqual([400, 'malformed'])
      expect(answer.json().detail).toContain('JSON')
    }
    const answer = await app.http.inject({
      ...{ method: 'POST', url: '/api/v1/sessions', payload: '{"title":"x"}' },
      headers: { ...user.headers, 'content-type': 'Application/JSON; charset=UTF-8' },
    })
    expect(answer.statusCode).toBe(201)
  })

  it('must be a form on a form route', async () => {
    const payload = { username: 'ada', password: 'x' }
    const answer = await app.http.inject({ method: 'POST', url: '/api/v1/token', payload })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'malformed'])
    expect(answer.json().detail).toContain('application/x-www-form-urlencoded')
  })

  it('must be multipart with a boundary if it carries files', async () => {
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'application/json']) {
      const answer = await app.http.inject({
        ...{ method: 'POST', url: '/api/v1/input-files', payload: '{}' },
        headers: { ...user.headers, 'content-type': type },
      })
      expect([answer.statusCode, answer.json().code], type).toEqual([400, 'malformed'])
    }
  })

  it('is not read before the caller is known', async () => {
    for (const type of ['text/plain', 'application/json']) {
      const headers = { 'content-type': type }
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/sessions',
        headers,
        payload: '{',
      })
      expect(answer.statusCode, type).toBe(401)
    }
  })
})

describe('caller address', () => {
  const whoami = route({
    method: 'GET',
    path: '/whoami',
    access: 'public',
    summary: 'The address of who calls',
  })
  const probe: Feature = (server) => {
    serve(server, whoami, { handle: ({ request, reply }) => reply.send({ ip: request.ip }) as never })
  }
  const addressOf = async (forwarded: string, trusted: Record<string, string>) => {
    const product = await startApp({ features: [probe], config: trusted, address: app.address })
    const headers = { 'x-forwarded-for': forwarded }
    const answer = await product.http.inject({ url: '/api/v1/whoami', headers })
    await product.close()
    return answer.json().ip
  }

  it('comes from a proxy header only if the proxy is configured [SN-11]', async () => {
    const named = { ATRIUM_TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' }
    expect(await addressOf('203.0.113.7', {})).toBe('127.0.0.1')
    expect(await addressOf('203.0.113.7', { ATRIUM_TRUST_PROXY: '10.0.0.0/8' })).toBe('127.0.0.1')
    expect(await addressOf('203.0.113.7', named)).toBe('203.0.113.7')
    // The nearest address that is not a proxy counts, whatever precedes it.
    expect(await addressOf('1.2.3.4, 203.0.113.7, 10.9.9.9', named)).toBe('203.0.113.7')
  })
})
