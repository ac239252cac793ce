import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ErrorCode, statusOf } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let user: TestUser
let url: string
beforeAll(async () => {
  app = await startApp()
  user = await aUser(app)
  url = await app.listen()
})
afterAll(() => app.close())

type Sent = { method?: string; path: string; body?: string; type?: string; headers?: Record<string, string> }

async function send({ method = 'POST', path, body, type = 'application/json', headers = {} }: Sent) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    body,
    redirect: 'manual',
    headers: { ...user.headers, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Checks that a failure has the common format and the status of its code. */
function expectError(answer: Awaited<ReturnType<typeof send>>, code: ErrorCode) {
  expect([answer.status, answer.body.code]).toEqual([statusOf[code], code])
  expect(String(answer.body.detail).length).toBeGreaterThan(5)
  expect(Object.keys(answer.body).filter((key) => !['detail', 'code', 'errors'].includes(key))).toEqual([])
}

it('answers a request whose transaction lost a deadlock with 503, and accepts it again', async () => {
  const { db } = app.deps
  await sql`create function lose() returns trigger language plpgsql as
    $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(db)
  await sql`create trigger lose before insert on sessions for each row execute function lose()`.execute(db)
  const again = () => send({ path: '/sessions', body: '{}' })
  expectError(await again(), 'unavailable')
  await sql`drop trigger lose on sessions`.execute(db)
  expect((await again()).status).toBe(201)
})

describe('malformed request', () => {
  it.each(['{', '{"title":', '[1,2', 'title=x', '"', '{"__proto__":{"x":1}}', '{"a":1}}', 'nul\0l'])(
    '%j is answered with 400 malformed',
    async (body) => {
      expectError(await send({ path: '/sessions', body }), 'malformed')
    },
  )

  it('of an unsupported type is answered with 400 malformed', async () => {
    for (const type of ['application/xml', 'text/plain', 'multipart/form-data; boundary=x', 'nonsense']) {
      expectError(await send({ path: '/sessions', body: '<a/>', type }), 'malformed')
    }
  })

  it('treats an empty JSON body as no body', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await send({ method: 'DELETE', path: '/users/me/tokens', headers })
    expect(answer.status).toBe(200)
    user = await aUser(app)
  })

  it('with values of the wrong type is answered with 422 and names every field', async () => {
    const body = JSON.stringify({ language: 'de', bio: 5 })
    const answer = await send({ method: 'PUT', path: '/users/me/preferences', body })
    expectError(answer, 'invalid')
    const errors = answer.body.errors as { path: string; message: string }[]
    expect(errors.map(({ path }) => path).sort()).toEqual(['bio', 'language'])
    expect(errors.every(({ message }) => message.length > 3)).toBe(true)
  })

  it.each(['null', '[]', '"text"', '5', 'true'])(
    'whose body is %s instead of an object is answered with 422',
    async (body) => {
      expectError(await send({ method: 'PUT', path: '/users/me/preferences', body }), 'invalid')
    },
  )

  it('nested too deeply is answered with 422, not with a server error', async () => {
    for (const depth of [5_000, 30_000]) {
      const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
      const body = `{"preferences":${nested}}`
      const answer = await send({ method: 'PUT', path: '/users/me/preferences', body })
      expect([413, 422]).toContain(answer.status)
    }
  })

  it('with text that no database stores is cleaned or refused without an error', async () => {
    for (const text of ['a\\u0000b', '\\ud800', 'a\\udc00b']) {
      const body = `{"bio":"${text}","preferences":{"${text}":"${text}"}}`
      const answer = await send({ method: 'PUT', path: '/users/me/preferences', body })
      expect([200, 422], text).toContain(answer.status)
    }
  })

  it('that is too large is answered with 413', async () => {
    const body = JSON.stringify({ title: 'x'.repeat(9 * 1024 * 1024) })
    expectError(await send({ path: '/sessions', body }), 'too_large')
  })

  it.each([
    '/sessions/%E0%A4%A',
    '/sessions/%',
    `/sessions/${'x'.repeat(600)}`,
    '/nothing/here',
    '/sessions/a/b/c',
  ])('at the address %s is answered in the common error format', async (path) => {
    const answer = await send({ method: 'GET', path })
    expectError(answer, path.includes('%') ? 'malformed' : 'not_found')
  })

  it.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400, 'malformed'],
    [
      'a head larger than 16 KB',
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      413,
      'too_large',
    ],
  ])('%s is answered in the common error format', async (_, sent, status, code) => {
    const said = await talk(sent)
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(said.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code })
  })
})

describe('web page', () => {
  it('is not served at API addresses, and pages do not get API errors', async () => {
    const { statusCode, headers } = await app.http.inject({ url: '/api/v2/unknown' })
    expect([statusCode, String(headers['content-type'])]).toEqual([404, 'application/json; charset=utf-8'])
  })
})

/** Sends raw bytes and reads until the server closes the connection. */
function talk(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let said = ''
    socket.on('data', (chunk) => (said += chunk.toString()))
    socket.on('close', () => resolve(said))
    socket.on('error', reject)
    socket.setTimeout(5_000, () => socket.destroy(new Error(`the connection did not close after: ${said}`)))
  })
}
