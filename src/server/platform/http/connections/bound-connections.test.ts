import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let url: URL
beforeAll(async () => {
  app = await startApp()
  url = new URL(await app.listen())
})
afterAll(() => app.close())

/** Sends bytes. Returns the statuses of the answers and the CPU time until the connection ends, in milliseconds. */
async function send(bytes: string): Promise<{ statuses: string[]; spentMs: number }> {
  const before = process.threadCpuUsage()
  const socket = connect(Number(url.port), url.hostname)
  let received = ''
  socket.setEncoding('latin1').on('data', (part) => {
    received += part
  })
  socket.on('error', () => undefined)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  await ended
  const { user, system } = process.threadCpuUsage(before)
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)
  return { statuses, spentMs: (user + system) / 1000 }
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `host: ${url.host}`, ...headers, '', ''].join('\r\n')

describe('connection', () => {
  it('gets answers to a few pipelined requests in their order', async () => {
    const requests = ['/api/v1/health', '/api/v1/users/me', '/api/v1/nothing']
    const { statuses } = await send(
      requests.map((path, n) => head(`GET ${path}`, ...(n === 2 ? ['connection: close'] : []))).join(''),
    )
    expect(statuses).toEqual(['200', '401', '404'])
  })

  it('is closed when it pipelines many requests, before they cost much', async () => {
    const { statuses, spentMs } = await send(head('GET /api/v1/users/me').repeat(3_000))
    expect(statuses.length).toBeLessThan(20)
    expect(spentMs).toBeLessThan(250)
  })

  it('stays open for many requests that wait for each other', async () => {
    for (let count = 0; count < 3; count += 1) {
      const paths = Array.from({ length: 15 }, () => head('GET /api/v1/nothing')).join('')
      const { statuses } = await send(paths + head('GET /api/v1/nothing', 'connection: close'))
      expect(statuses).toEqual(new Array(16).fill('404'))
    }
  })

  const chunked = ['content-type: application/x-www-form-urlencoded', 'transfer-encoding: chunked']

  it.each(['POST /api/v1/token', 'POST /api/v1/nothing', 'POST /scim/v2/Users'])(
    'is closed when a body of %s comes in many chunks of one byte',
    async (line) => {
      const { statuses, spentMs } = await send(head(line, ...chunked) + '1\r\na\r\n'.repeat(200_000))
      expect(statuses.length).toBeLessThanOrEqual(1)
      expect(spentMs).toBeLessThan(250)
    },
  )

  it('reads a body that comes in some small chunks', async () => {
    const chunks = [...'username=nobody&password=wrong'].map((sign) => `1\r\n${sign}\r\n`).join('')
    const { statuses } = await send(
      `${head('POST /api/v1/token', ...chunked, 'connection: close')}${chunks}0\r\n\r\n`,
    )
    expect(statuses).toEqual(['401'])
  })
})

describe('nonsense on many connections', () => {
  it.each(['NONSENSE\r\n\r\n', 'CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n'])(
    'is answered in turns, and delays no request: %j',
    async (bytes) => {
      const turns = await startApp({ config: { ATRIUM_LIMIT_SHARE_PERCENT: '8' } })
      const [own, before] = [url, performance.now()]
      url = new URL(await turns.listen())
      // The first 500 are answered immediately, and each later one after a rest of 35 ms.
      const answers = await Promise.all(Array.from({ length: 530 }, () => send(bytes)))
      expect(performance.now() - before).toBeGreaterThan(700)
      expect(answers.map(({ statuses }) => statuses.join())).toEqual(new Array(530).fill('400'))
      const all = Array.from({ length: 100 }, () => send(bytes))
      const { statuses } = await send(head('GET /api/v1/health', 'connection: close'))
      expect(statuses).toEqual(['200'])
      await turns.close()
      await Promise.allSettled(all)
      url = own
    },
  )
})
