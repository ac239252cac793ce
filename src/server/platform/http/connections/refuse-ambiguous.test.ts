import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let port: number
let trusting: TestApp
beforeAll(async () => {
  app = await startApp()
  port = Number(new URL(await app.listen()).port)
  trusting = await startApp({ config: { ATRIUM_TRUST_PROXY: '127.0.0.1' } })
})
afterAll(async () => {
  await app.close()
  await trusting.close()
})

/** Sends a head. Returns the statuses of all answers, and the body of the first one. */
async function send(...lines: string[]): Promise<{ statuses: string; body: string }> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  socket.on('error', () => undefined)
  socket.write([...lines, '', ''].join('\r\n'))
  await once(socket, 'close')
  const statuses = Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)
  return { statuses: statuses.join(), body: received.split('\r\n\r\n')[1] ?? '' }
}

const GET = 'GET /api/v1/health HTTP/1.1'
const POST = 'POST /api/v1/token HTTP/1.1'
const CLOSE = 'Connection: close'
const HOST = 'Host: localhost'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

describe('ambiguous request', () => {
  it.each([
    ['two hosts', 'host more than once', [GET, HOST, 'Host: evil.example', CLOSE]],
    ['two equal hosts', 'host more than once', [GET, HOST, HOST, CLOSE]],
    ['no host', 'no valid host', [GET, CLOSE]],
    ['an empty host', 'no valid host', [GET, 'Host:', CLOSE]],
    ['a list of hosts', 'no valid host', [GET, 'Host: localhost, evil.example', CLOSE]],
    ['a host with a path', 'no valid host', [GET, 'Host: localhost/evil', CLOSE]],
    ['a host with a user', 'no valid host', [GET, 'Host: evil@localhost', CLOSE]],
    ['a host with a wrong port', 'no valid host', [GET, 'Host: localhost:99999', CLOSE]],
    [
      'two tokens',
      'authorization more than once',
      [GET, HOST, 'Authorization: a', 'Authorization: b', CLOSE],
    ],
    ['two content types', 'content-type more than once', [POST, HOST, FORM, 'Content-Type: a/b', CLOSE]],
    ['two origins', 'origin more than once', [POST, HOST, 'Origin: http://a', 'Origin: http://b', CLOSE]],
    ['an encoded body', 'transfer encoding', [POST, HOST, 'Transfer-Encoding: gzip, chunked', CLOSE]],
    [
      'two transfer encodings',
      'unclearly',
      [POST, HOST, 'Transfer-Encoding: chunked', 'Transfer-Encoding: x'],
    ],
    ['two lengths', 'unclearly', [POST, HOST, 'Content-Length: 3', 'Content-Length: 4', '', 'abc']],
    ['a list of lengths', 'unclearly', [POST, HOST, 'Content-Length: 3, 3', '', 'abc']],
    [
      'a length and chunks',
      'unclearly',
      [POST, HOST, FORM, 'Transfer-Encoding: chunked', 'Content-Length: 4', '', '0', '', GET, HOST],
    ],
  ])('with %s gets a 400 that says so, and nothing behind it is read', async (_, reason, lines) => {
    const { statuses, body } = await send(...lines)
    expect(statuses).toBe('400')
    expect(JSON.parse(body)).toMatchObject({ code: 'malformed', detail: expect.stringContaining(reason) })
  })

  it('may come without a host only over HTTP/1.0', async () => {
    expect((await send('GET /api/v1/health HTTP/1.0')).statuses).toBe('200')
  })
})

describe('forwarded header', () => {
  const ask = ({ http }: TestApp, headers: Record<string, string>) =>
    http.inject({ url: '/api/v1/health', headers: { host: 'localhost', ...headers } })

  it.each<Record<string, string>>([
    { 'x-forwarded-host': 'localhost/evil' },
    { 'x-forwarded-host': 'evil@localhost' },
    { 'x-forwarded-proto': 'javascript' },
    { 'x-forwarded-for': '<script>' },
    { 'x-forwarded-for': '10.0.0.300' },
  ])('of a trusted proxy is refused with 400 if it is %o', async (headers) => {
    const [name = ''] = Object.keys(headers)
    const answer = await ask(trusting, headers)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().detail.toLowerCase()).toContain(name)
    expect((await ask(app, headers)).statusCode).toBe(200)
  })

  it.each<Record<string, string>>([
    {
      'x-forwarded-for': '203.0.113.7:4711',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'localhost:8443',
    },
    { 'x-forwarded-for': '[2001:db8::1]:4711, 127.0.0.1' },
    { 'x-forwarded-for': '2001:db8::1' },
  ])('of a trusted proxy may be %o', async (headers) => {
    expect((await ask(trusting, headers)).statusCode).toBe(200)
  })
})
