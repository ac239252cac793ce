import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MESSAGE_BODY_BYTES } from '#shared/platform/primitives.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let url: string
let user: TestUser
let messages: string
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_LIMIT_BODY_SECONDS: '1' } })
  url = await app.listen()
  user = await aUser(app)
  messages = `/sessions/${(await aSession(app, user)).id}/messages`
})
afterAll(() => app.close())

type Refusal = { code: string; detail: string; errors: { path: string; message: string }[] }

async function send(path: string, body: string, method = 'POST', headers = {}) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { ...user.headers, 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: answer.status, body: (await answer.json()) as Refusal }
}

describe('request body', () => {
  it.each([
    ['/token/exchange', 65, 413],
    ['/token/exchange', 63, 422],
    ['/sessions', 1_025, 413],
    ['/model', 1, 404],
  ])('of %s with %d kB is answered with %d', async (path, kilobytes, status) => {
    const body = JSON.stringify({ title: 'x'.repeat(kilobytes * 1024 - 12) })
    expect((await send(path, body)).status).toBe(status)
  })

  it('may hold a message of 1 MB whose characters take six bytes each in JSON', async () => {
    const body = `{"content":"${'\\u0414'.repeat(500_000)}"}`
    expect((await send(messages, body)).status).toBe(201)
    expect((await send(messages, JSON.stringify({ content: 'x'.repeat(3_200_000) }))).status).toBe(413)
  })

  it('is refused unparsed if it has too many values', async () => {
    const brackets = `[${'[],'.repeat(5_500)}[]]`
    const { status, body } = await send(messages, `{"content":"x","more":${brackets}}`)
    expect([status, body.code]).toEqual([413, 'too_large'])
    const deep = `{"content":"x","more":${'['.repeat(101)}${']'.repeat(101)}}`
    expect((await send(messages, deep)).body).toMatchObject({ code: 'invalid' })
    // Punctuation inside a string does not count.
    const text = '[{,"\\'.repeat(60_000)
    expect((await send(messages, JSON.stringify({ content: text }))).status).toBe(201)
  })

  it.each([
    ['brackets', (size: number) => `{"content":${'['.repeat(size)}`],
    ['pairs', (size: number) => `{"content":[${'[],'.repeat(size / 3)}1]}`],
    ['names', (size: number) => `{${'"":1,'.repeat(size / 5)}"content":1}`],
    ['escapes', (size: number) => `{"content":"${'\\"'.repeat(size / 2)}"}`],
    ['backslashes', (size: number) => `{"content":"${'\\\\'.repeat(size / 2)}"}`],
    ['white space', (size: number) => `${' '.repeat(size)}{}`],
    ['nothing but white space', (size: number) => ' '.repeat(size)],
    ['prototypes', (size: number) => `{"content":"${'x'.repeat(size)}","__proto__":1}`],
  ])('of %s at the size limit never blocks other requests', async (_, make) => {
    const body = make(MESSAGE_BODY_BYTES - 1024)
    // The total work of a request bounds its longest step. CPU time excludes other processes.
    const spent: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const before = process.threadCpuUsage()
      const answer = await app.http.inject({
        ...{ method: 'POST', url: `/api/v1${messages}`, payload: body },
        headers: { ...user.headers, 'content-type': 'application/json' },
      })
      const { user: own, system } = process.threadCpuUsage(before)
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      spent.push((own + system) / 1000)
    }
    expect(spent.sort((one, other) => one - other)[2]).toBeLessThan(100)
  })

  it.each([
    ['escapes', '\\n'.repeat(12_000_000)],
    ['quotes', '\\"'.repeat(12_000_000)],
    ['letters', 'x'.repeat(24_000_000)],
    ['a prototype', `x","__proto__":{"a":"${'x'.repeat(24_000_000)}`],
    ['no end', `${'x'.repeat(24_000_000)}","`],
  ])('of 24 MB of %s is parsed without blocking other requests', async (_, text) => {
    const payload = Buffer.from(`{"text":"${text}"}`)
    const inject = () =>
      app.http.inject({
        ...{ method: 'POST', url: '/api/v1/tools/openapi/read', payload },
        headers: { ...user.headers, 'content-type': 'application/json' },
      })
    await inject()
    const spent: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const before = process.threadCpuUsage()
      expect((await inject()).statusCode).toBeGreaterThanOrEqual(400)
      const { user: own, system } = process.threadCpuUsage(before)
      spent.push((own + system) / 1000)
    }
    expect(Math.min(...spent)).toBeLessThan(60)
  })

  it('names no prototype, however large it is', async () => {
    const large = 'x'.repeat(1_100_000)
    for (const more of ['"__proto__":{}', '"constructor":{"prototype":{}}', '"a":[{"\\u005f_proto__":1}]'])
      expect(await send(messages, `{"content":"${large}",${more}}`)).toMatchObject({
        ...{ status: 400, body: { code: 'malformed' } },
      })
  })

  it('is timed out with an explanation if it never arrives', async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const head = ['POST /api/v1/token HTTP/1.1', 'host: localhost', 'content-length: 50']
    const type = 'content-type: application/x-www-form-urlencoded'
    socket.write(`${[...head, type].join('\r\n')}\r\n\r\nuser`)
    let said = ''
    socket.on('data', (bytes) => (said += bytes.toString()))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(said).toMatch(/^HTTP\/1.1 408 /)
    expect(said).toContain('too long')
  }, 30_000)

  it('is accepted if it arrives slowly but in time', async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify({ title: 'slow' })
    const head = ['POST /api/v1/sessions HTTP/1.1', 'host: localhost', 'connection: close']
    const more = ['content-type: application/json', `authorization: ${user.headers.authorization}`]
    socket.write(`${[...head, ...more, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n`)
    let said = ''
    socket.on('data', (bytes) => (said += bytes.toString()))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (const character of body) {
      socket.write(character)
      await sleep(50)
    }
    await closed
    expect(said).toMatch(/^HTTP\/1.1 201 /)
  }, 30_000)
})

describe('validation errors', () => {
  it('are written in plain words', async () => {
    const signUp = { username: '', email: 'nobody', password: 'short', language: 'de' }
    const { status, body } = await send('/users', JSON.stringify(signUp))
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      { path: 'username', message: 'must not be empty' },
      { path: 'username', message: 'is not written in the form that is needed' },
      { path: 'email', message: 'must be an email address' },
      { path: 'password', message: 'must have at least 8 characters' },
      { path: 'language', message: 'must be one of en, fr' },
    ])
    expect(body.detail).toBe('username must not be empty.')
  })

  it('distinguish missing values, wrong types and values that are too long', async () => {
    const errorsOf = async (path: string, given: unknown) =>
      (await send(path, JSON.stringify(given))).body.errors.map(({ path, message }) => `${path} ${message}`)
    expect(await errorsOf('/token/exchange', {})).toEqual(['code is required'])
    expect(await errorsOf('/token/exchange', { code: 5 })).toEqual(['code must be text'])
    expect(await errorsOf('/token/exchange', { code: 'x'.repeat(201) })).toEqual([
      'code must have at most 200 characters',
    ])
    const { body } = await send('/token/exchange', '[]')
    expect(body.detail).toBe('The request body must be an object.')
    const nothing = await send('/token/exchange', '')
    expect(nothing.body.detail).toBe('The request body is required.')
  })
})

describe('API answer', () => {
  it('is not cacheable unless its route allows it', async () => {
    const read = (path: string) => app.http.inject({ url: `/api/v1${path}`, headers: user.headers })
    const signIn = await app.http.inject({
      ...{ method: 'POST', url: '/api/v1/token', payload: 'username=a&password=b' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const answers = [signIn]
    for (const path of ['/users/me', '/sessions', '/health', '/nothing', '/sessions/x']) {
      answers.push(await read(path))
    }
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(answers.map(() => 'no-store'))
    expect((await read('/translations/en/common')).headers['cache-control']).toBe('no-cache')
  })
})

describe('form body', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, payload: string, headers = {}) =>
    app.http.inject({ method: 'POST', url: path, payload, headers: { ...form, ...headers } })

  it('is refused unparsed if it has too many fields', async () => {
    const pairs = Array.from({ length: 1_001 }, (_, n) => n).join('&')
    for (const path of ['/api/v1/token', '/oauth/token', '/api/v1/login/saml/callback']) {
      const answer = await post(path, pairs)
      expect([path, answer.statusCode]).toEqual([path, 413])
    }
  })

  it('is parsed as browsers encode it', async () => {
    const answer = await post('/api/v1/token', 'username=a+b%40c&password=%C3%A9%20x')
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'wrong_credentials'])
    const broken = await post('/api/v1/token', 'username=%E0%A4&password=%')
    expect(broken.statusCode).toBe(401)
    const twice = await post('/api/v1/token', 'username=a&username=b&password=c')
    expect(twice.statusCode).toBe(422)
  })

  it('has small fields if it carries files, never large JSON', async () => {
    const field = `--b\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: application/json\r\n\r\n[${'[],'.repeat(300_000)}1]\r\n`
    const answer = await fetch(`${url}/api/v1/users/me/picture`, {
      ...{ method: 'PUT', body: `${field}--b--\r\n` },
      headers: { ...user.headers, 'content-type': 'multipart/form-data; boundary=b' },
    })
    // A field within the limit would be read, and the error would report a missing file.
    expect([answer.status, ((await answer.json()) as Refusal).detail]).toEqual([
      400,
      'The request is not well formed.',
    ])
  })
})

describe('request body of an unsupported type or encoding', () => {
  it.each([
    ['/scim/v2/Users', 'application/x-www-form-urlencoded'],
    ['/oauth/token', 'text/plain'],
    ['/api/v1/login/apple/callback', 'application/json'],
    ['/api/v1/token', 'application/json'],
    ['/api/v1/token/exchange', 'application/x-www-form-urlencoded'],
    ['/api/v1/sessions', 'application/scim+json'],
    ['/v1/files', 'application/json'],
  ])('%s as %s is refused', async (path, type) => {
    const answer = await app.http.inject({
      ...{ method: 'POST', url: path, payload: '0&1&2' },
      headers: { ...user.headers, 'content-type': type },
    })
    expect([400, 401]).toContain(answer.statusCode)
  })

  it('is refused if it is compressed', async () => {
    const { status, body } = await send('/sessions', '{}', 'POST', { 'content-encoding': 'gzip' })
    expect([status, body.detail]).toEqual([400, 'Send the request body uncompressed.'])
  })
})

describe('request head', () => {
  it.each([
    ['a query of one name', `/api/v1/health?${'a&'.repeat(7_000)}`, {}],
    ['a query of numbers', `/api/v1/health?${Array.from({ length: 3_000 }, (_, n) => n).join('&')}`, {}],
    ['a query of percents', `/api/v1/health?a=${'%25'.repeat(4_500)}`, {}],
    ['a query of brackets', `/api/v1/health?${'a[]=1&'.repeat(2_400)}`, {}],
    ['cookies without names', '/api/v1/health', { cookie: ';'.repeat(14_000) }],
    ['cookies of one name', '/api/v1/health', { cookie: 'a=%25;'.repeat(2_300) }],
    [
      'many cookies',
      '/api/v1/health',
      { cookie: Array.from({ length: 2_000 }, (_, n) => `${n}=`).join(';') },
    ],
    ['forwarded addresses', '/api/v1/health', { 'x-forwarded-for': '1.1.1.1,'.repeat(1_800) }],
  ])('is cheap to process with %s', async (_, path, headers) => {
    const spent: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const before = process.threadCpuUsage()
      const answer = await app.http.inject({ url: path, headers })
      const { user: own, system } = process.threadCpuUsage(before)
      expect(answer.statusCode).toBeLessThan(500)
      spent.push((own + system) / 1000)
    }
    expect(Math.min(...spent)).toBeLessThan(20)
  })
})
