import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let port: string
const started: ChildProcess[] = []
beforeAll(async () => {
  app = await startApp()
  port = new URL(await app.listen()).port
})
afterAll(async () => {
  for (const child of started) child.kill()
  await app.close()
})

/** Starts a proxy that forwards requests without proxy headers. Returns its port. */
async function startProxy(script: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', script, port], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  const [line] = await new Promise<string[]>((resolve) =>
    child.stdout.once('data', (data) => resolve([String(data)])),
  )
  return String(line).trim()
}

/** Acts like nginx with a bare `proxy_pass`: different Host, one request per connection. */
const bareProxy = `const http = require('node:http')
const port = process.argv[1]
http.createServer((request, answer) => {
  const { host, ...rest } = request.headers
  const headers = { ...rest, host: '127.0.0.1:' + port, connection: 'close' }
  const passed = http.request({ host: '127.0.0.1', port, path: request.url, method: request.method, headers }, (given) => {
    answer.writeHead(given.statusCode, given.headers)
    given.pipe(answer)
  })
  request.pipe(passed)
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/** Forwards bytes like a tunnel. */
const tunnel = `const net = require('node:net')
net.createServer((socket) => {
  const passed = net.connect(process.argv[1], '127.0.0.1')
  socket.pipe(passed).pipe(socket)
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/** Signs up as a program. Returns status, error code and the sign-up form's data. */
async function signUpFrom(at: string, headers: object, more: object = {}) {
  const form = { username: 'eve', email: 'eve@example.com', password: 'correct horse', ...more }
  const script = `(async () => {
    const base = 'http://127.0.0.1:${at}/api/v1'
    const headers = ${JSON.stringify({ 'content-type': 'application/json', ...headers })}
    const options = await (await fetch(base + '/sign-in-options', { headers })).json()
    const answer = await fetch(base + '/users', { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(form))} })
    const { code } = await answer.json()
    console.log(JSON.stringify({ status: answer.status, code, asks: options.setup_code_required }))
  })()`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  return JSON.parse(stdout)
}

const refused = { status: 403, code: 'setup_code_required', asks: true }

describe.runIf(process.platform === 'linux')('the first account', () => {
  it.each([
    ['a bare proxy', bareProxy, {}],
    [
      'a bare proxy, with the headers of a page on this machine',
      bareProxy,
      { 'sec-fetch-site': 'same-origin' },
    ],
    ['a tunnel', tunnel, { host: 'localhost' }],
  ])('needs the setup code through %s', async (_, proxy, headers) => {
    expect(await signUpFrom(await startProxy(proxy), headers)).toEqual(refused)
  })

  it.each(['cf-connecting-ip', 'x-forwarded-server', 'true-client-ip', 'x-original-forwarded-for'])(
    'needs the setup code when a request carries %s',
    async (name) => {
      expect(await signUpFrom(port, { [name]: '203.0.113.7' })).toEqual(refused)
    },
  )

  it('is created with the setup code through a proxy, and without it by a local program', async () => {
    const proxy = await startProxy(bareProxy)
    const wrong = await signUpFrom(proxy, {}, { setup_code: 'AAAA-AAAA-AAAA' })
    expect(wrong).toEqual(refused)
    expect(readFileSync(join(app.dataDir, 'setup-code'), 'utf8')).toMatch(/^[A-Z0-9]{4}-/)
    expect(await signUpFrom(port, {})).toEqual({ status: 201, asks: false })
  })
})
