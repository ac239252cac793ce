import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let url: URL
let user: TestUser
beforeAll(async () => {
  app = await startApp()
  url = new URL(await app.listen())
  user = await aUser(app)
})
afterAll(() => app.close())

type Line = { socket: Socket; said: () => string; closed: Promise<void> }

function dial(bytes = ''): Line {
  const socket = connect(Number(url.port), url.hostname)
  socket.write(bytes)
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, said: () => text, closed }
}

const head = (request: string, ...headers: string[]) =>
  `${[`${request} HTTP/1.1`, 'host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const JSON_HEAD = 'content-type: application/json'
const codeOf = (said: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(said)?.[1])

/** Addresses that read no body, with their expected answers. */
const unread = [
  ['POST /nothing', 404],
  ['POST /api/v1/nothing', 404],
  ['POST /v1/nothing', 404],
  ['PUT /scim/v2/nothing', 404],
  ['SEARCH /api/v1/sessions', 404],
  ['DELETE /api/v1/health', 404],
  ['POST /%', 400],
  ['GET /api/v1/health', 200],
  ['POST /api/v1/sessions', 401],
  ['POST /scim/v2/Users', 401],
  ['POST /v1/chat/completions', 401],
  ['POST /mcp', 401],
] as const

describe('unread request body', () => {
  it.each(unread)('%s is answered with %d before the body arrives', async (request, status) => {
    const line = dial(head(request, JSON_HEAD, 'content-length: 1000000'))
    await expect.poll(line.said, { timeout: 10_000 }).toMatch(/\r\n\r\n/)
    expect([codeOf(line.said()), /connection: close/i.test(line.said())]).toEqual([status, true])
    line.socket.destroy()
  })

  it.each(unread)('%s is cut off if its body never ends', async (request, status) => {
    const line = dial(head(request, JSON_HEAD, 'transfer-encoding: chunked'))
    const chunk = Buffer.from(`10000\r\n${'['.repeat(0x10000)}\r\n`)
    let sent = 0
    while (!line.socket.destroyed && sent < 4_000) {
      sent += 1
      if (!line.socket.write(chunk))
        await Promise.race([new Promise((resolve) => line.socket.once('drain', resolve)), line.closed])
    }
    await line.closed
    expect(codeOf(line.said())).toBe(status)
    // The server discards 8 MB; system buffers hold the rest.
    expect(sent * 0x10000).toBeLessThan(60_000_000)
  })

  it('is answered after the client has sent all of it', async () => {
    for (let n = 0; n < 5; n += 1) {
      const answer = await fetch(`${url.origin}/nothing`, {
        method: 'POST',
        body: Buffer.alloc(5_000_000),
        headers: { 'content-type': 'application/json' },
      })
      expect(answer.status).toBe(404)
    }
  })

  it('leaves the connection open if it has already arrived', async () => {
    const line = dial(`${head('POST /api/v1/nothing', JSON_HEAD, 'content-length: 2')}{}`)
    await expect.poll(line.said).toMatch(/not_found/)
    line.socket.write(head('GET /api/v1/health', 'connection: close'))
    await line.closed
    expect(line.said().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200'])
  })

  it('never smuggles in another request', async () => {
    const hidden = head(
      'DELETE /api/v1/users/me/tokens',
      `authorization: ${user.headers.authorization}`,
      'connection: close',
    )
    const line = dial(head('POST /nothing', JSON_HEAD, 'content-length: 200000'))
    await expect.poll(line.said).toMatch(/not_found/)
    line.socket.write(`${'x'.repeat(200_000)}${hidden}`)
    await line.closed
    expect(line.said().match(/HTTP\/1\.1/g)).toHaveLength(1)
    const still = await app.http.inject({ url: '/api/v1/users/me', headers: user.headers })
    expect(still.statusCode).toBe(200)
  })
})

describe('client that expects 100 Continue', () => {
  const asking = [JSON_HEAD, 'content-length: 2', 'expect: 100-continue']

  it('receives it if the body is wanted', async () => {
    const line = dial(
      head('POST /api/v1/sessions', `authorization: ${user.headers.authorization}`, ...asking),
    )
    await expect.poll(line.said).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    line.socket.write('{}')
    await expect.poll(line.said).toMatch(/HTTP\/1\.1 201/)
    line.socket.destroy()
  })

  it.each(unread)('%s receives %d immediately', async (request, status) => {
    const line = dial(head(request, ...asking))
    await expect.poll(line.said).toMatch(/\r\n\r\n/)
    expect(codeOf(line.said())).toBe(status)
    line.socket.destroy()
  })
})

describe('connection', () => {
  beforeAll(() => {
    app.http.server.headersTimeout = 500
  })

  it('is closed silently if it sends nothing', async () => {
    const line = dial()
    await line.closed
    expect(line.said()).toBe('')
  })

  it('is answered with 408 if the head does not arrive', async () => {
    const line = dial('GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n')
    await line.closed
    expect(line.said()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(line.said()).toMatch(/connection: close/)
    expect(line.said()).toContain('"code":"too_slow"')
  })

  it('receives no error while idle between two requests', async () => {
    const line = dial(head('GET /api/v1/health'))
    await sleep(6_500)
    line.socket.write(head('GET /api/v1/health', 'connection: close'))
    await line.closed
    expect(line.said().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })
})
