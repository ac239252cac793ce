import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { addressesOf, listen } from './listen.ts'

const hosts = ['127.0.0.1', '127.0.0.2', '192.0.2.1']
let app: TestApp
let port: number
beforeAll(async () => {
  app = await startApp()
  port = Number(new URL(await listen(app.http, { hosts, port: 0, backlog: 100 })).port)
})
afterAll(() => app.close())

/** Sends bytes to an address. Returns everything received until the connection ends. */
async function send(host: string, bytes: string): Promise<string> {
  const socket = connect({ port, host })
  let received = ''
  socket.setEncoding('latin1').on('data', (part) => {
    received += part
  })
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return received
}

const ask = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n')

describe('listen', () => {
  it.each(['127.0.0.1', '127.0.0.2'])(
    'answers at %s, and skips an address of another machine',
    async (host) => {
      expect(await send(host, ask('/api/v1/health', 'connection: close'))).toMatch(/^HTTP\/1\.1 200 /)
    },
  )

  it.each(['127.0.0.1', '127.0.0.2'])('limits pipelined requests at %s', async (host) => {
    const received = await send(host, ask('/api/v1/users/me').repeat(500))
    expect(received.split('HTTP/1.1 ').length).toBeLessThan(20)
  })

  it('answers bytes that are not HTTP with one sentence at every address', async () => {
    const [first, second] = await Promise.all(hosts.slice(0, 2).map((host) => send(host, 'nonsense\r\n\r\n')))
    expect(first).toContain('The request is not well formed.')
    expect(second).toBe(first)
  })

  it('lets every address end an idle connection and stop with the server', async () => {
    const idle = connect(port, '127.0.0.2').on('error', () => undefined)
    idle.write(ask('/api/v1/health'))
    await once(idle, 'data')
    const ended = once(idle, 'close')
    await app.http.close()
    await ended
    const [refused] = await once(connect(port, '127.0.0.2'), 'error')
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('addressesOf', () => {
  it('returns each address of localhost, IPv4 first, and any other host as it is', async () => {
    expect((await addressesOf('localhost'))[0]).toBe('127.0.0.1')
    expect(await addressesOf('::')).toEqual(['::'])
    expect(await addressesOf('atrium.example')).toEqual(['atrium.example'])
  })
})
