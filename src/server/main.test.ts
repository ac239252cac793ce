import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { signUp } from '#tests/account.ts'
import { cloneDatabase } from '#tests/database.ts'
import { databaseUrl } from '#tests/database-url.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says, startModelServer } from '#tests/model-server.ts'
import { descendants, isRunning } from '#tests/processes.ts'
import { startProduct } from '#tests/product.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

function aDataFolder(): string {
  const folder = mkdtempSync('/tmp/atrium-main-')
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function aDatabaseUrl(): Promise<string> {
  const { address, drop } = await cloneDatabase()
  cleanups.push(drop)
  return databaseUrl(address)
}

async function start(env: Record<string, string> = {}, dataDir = aDataFolder()) {
  const product = await startProduct({ entry: 'src/server/main.ts', dataDir, env })
  cleanups.push(() => product.kill())
  return product
}

/** Runs a start that should fail. Returns its output and exit code. */
async function startBadly(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: {
      PATH: process.env.PATH,
      ATRIUM_DATA_DIR: aDataFolder(),
      ATRIUM_LOG_LEVEL: 'silent',
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said }
}

describe('a busy server', () => {
  it('accepts a burst of simultaneous connections', { timeout: 60_000 }, async () => {
    const product = await start({ DATABASE_URL: await aDatabaseUrl() })
    const { port } = new URL(product.url)
    product.process.kill('SIGSTOP')
    const sockets = Array.from({ length: 2_000 }, () => connect(Number(port), '127.0.0.1'))
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy()
    })
    let connected = 0
    for (const socket of sockets) socket.once('connect', () => (connected += 1)).on('error', () => undefined)
    // A connection beyond the accept backlog never succeeds.
    await expect.poll(() => connected, { timeout: 30_000 }).toBe(sockets.length)
    product.process.kill('SIGCONT')
  })
})

describe('a failing start', { timeout: 120_000 }, () => {
  it('prints the reason in one line and exits with 1', async () => {
    const cluster = inject('cluster')
    const key = 'one key for all starts on one database'
    const good = await aDatabaseUrl()
    const closed = 'postgres://atrium:s3cret@127.0.0.1:1/atrium'
    const taken = createServer()
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
    )
    cleanups.push(() => taken.close())
    const attempts: [Record<string, string>, RegExp][] = [
      [{ PORT: 'x' }, /^PORT is wrong: .*number/],
      [{ DATABASE_URL: closed }, /^DATABASE_URL is wrong: connect ECONNREFUSED 127\.0\.0\.1:1\.$/],
      [
        { DATABASE_URL: databaseUrl({ ...cluster, database: 'nowhere' }) },
        /^DATABASE_URL is wrong: database "nowhere" does not exist\.$/,
      ],
      [
        { DATABASE_URL: databaseUrl({ ...cluster, user: 'somebody', database: 'postgres' }) },
        /^DATABASE_URL is wrong: no pg_hba\.conf entry for .*user "somebody".*\.$/,
      ],
      [
        { DATABASE_URL: good, ATRIUM_SECRET_KEY: key, PORT: String(port) },
        new RegExp(`^PORT is wrong: 127.0.0.1:${port} is already in use`),
      ],
      [
        { DATABASE_URL: good, ATRIUM_SECRET_KEY: key, HOST: '192.0.2.1' },
        /^HOST is wrong: 192\.0\.2\.1 is no address of this machine\.$/,
      ],
      ...['/proc/x', '/proc/x/y', '/proc', '/sys/data', '/dev/null', '/dev/null/data'].map(
        (folder): [Record<string, string>, RegExp] => [
          { ATRIUM_DATA_DIR: folder },
          new RegExp(`^ATRIUM_DATA_DIR is wrong: the folder ${folder} cannot be used: E[A-Z]+: `),
        ],
      ),
      [
        { ATRIUM_DATA_DIR: '/sys/data', DATABASE_URL: good },
        /^ATRIUM_DATA_DIR is wrong: the folder \/sys\/data cannot be used: /,
      ],
    ]
    for (const [env, sentence] of attempts) {
      const { code, said } = await startBadly(env)
      expect(said.trim()).toMatch(sentence)
      expect([code, said.trim().split('\n').length], said).toEqual([1, 1])
      expect(said).not.toContain('s3cret')
    }
  })
})

describe('an external database', { timeout: 120_000 }, () => {
  it('supports a worker process that serves only its health', async () => {
    const env = { DATABASE_URL: await aDatabaseUrl(), ATRIUM_ROLE: 'worker', HOST: '0.0.0.0' }
    const worker = await start(env)
    const port = new URL(worker.url).port
    expect(worker.output()).toMatch(/^Atrium works here; its health: http:\S+\/api\/v1\/health\n$/)
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'x-forwarded-host': 'x.example' },
      })
      return [answer.status, await answer.json()]
    }
    expect(await get('/api/v1/health')).toEqual([200, { status: 'ok', workers: 1 }])
    for (const path of ['/', '/api/v1/openapi.json', '/api/v1/token', '/api/v1/login/google']) {
      expect(await get(path)).toEqual([404, { detail: 'Not found', code: 'not_found' }])
    }
    await worker.stop()
    expect(worker.process.exitCode).toBe(0)
  })

  it('is used with DATABASE_URL, and no embedded one is started', async () => {
    const dataDir = join(aDataFolder(), 'not', 'there', 'yet')
    const product = await start({ DATABASE_URL: await aDatabaseUrl() }, dataDir)
    const answer = await fetch(`${product.url}/api/v1/health`)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', workers: 1 }])
    await signUp(product.url)
    const programs = descendants(product.process.pid ?? 0).map(nameOf)
    expect(programs.filter((name) => name === 'postgres')).toEqual([])
    expect(existsSync(join(product.dataDir, 'postgres'))).toBe(false)
    await product.stop()
    expect(product.process.exitCode).toBe(0)
  })
})

describe('SIGTERM', { timeout: 120_000 }, () => {
  const first = Array.from({ length: 40 }, (_, i) => `first${i} `)
  const second = Array.from({ length: 20 }, (_, i) => `second${i} `)
  const aModel = async () => {
    const model = await startModelServer({ tokensPerSecond: 40 })
    cleanups.push(() => model.close())
    model.always(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? [says(...second)]
        : [says(...first), calls('calculator', { a: 2, b: 3, operation: 'add' })],
    )
    return model
  }

  it('lets runs finish their step, closes streams with a hint and exits with 0; the next start resumes', async () => {
    const model = await aModel()
    const env = { ATRIUM_COMPATIBLE_URL: model.url }
    const dataDir = aDataFolder()
    const product = await start(env, dataDir)
    const account = await signUp(product.url)
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {
      model_name: 'compatible/scripted',
    })
    const headers = { authorization: `Bearer ${account.token}` }
    const stream = await openStream(`${product.url}/api/v1/sessions/${id}/messages`, {
      method: 'POST',
      headers,
      body: { content: 'Add', agent_type: 'multi_turn' },
    })
    await stream.until('response_chunk')
    const listener = await rawStream(`${product.url}/api/v1/sessions/${id}/events`, headers)
    const family = descendants(product.process.pid ?? 0)
    expect(family.length).toBeGreaterThan(1)

    const asked = Date.now()
    await product.stop()
    const took = Date.now() - asked
    await Promise.all([stream.ended, listener.ended])
    expect(product.process.exitCode).toBe(0)
    expect(took).toBeLessThan(12_000)
    expect(listener.text()).toMatch(/retry: \d+\n\n$/)
    expect(family.filter(isRunning)).toEqual([])
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    // The active call was allowed to finish and is not repeated.
    expect(stream.view()?.content).toBe(first.join(''))
    expect(model.requests).toHaveLength(1)

    const again = await start(env, dataDir)
    const back = await openStream(`${again.url}/api/v1/sessions/${id}/task-stream`, {
      headers: { ...headers, 'last-event-id': stream.lastId() ?? '' },
    })
    await back.ended
    expect(back.view()).toMatchObject({
      status: 'completed',
      content: `${first.join('')}\n\n${second.join('')}`,
    })
    expect(model.requests).toHaveLength(2)
  })

  it('exits with 0 right after the address is printed, too', async () => {
    const dataDir = aDataFolder()
    for (let i = 0; i < 3; i += 1) {
      const product = await start({}, dataDir)
      const family = descendants(product.process.pid ?? 0)
      await product.stop()
      expect([product.process.exitCode, family.filter(isRunning)]).toEqual([0, []])
    }
  })

  it('works with a request that never ends, and when it is repeated', async () => {
    const product = await start({ DATABASE_URL: await aDatabaseUrl() })
    const account = await signUp(product.url)
    const { hostname, port } = new URL(product.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const head = `POST /api/v1/sessions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${account.token}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"title":`)
    await sleep(100)
    const asked = Date.now()
    product.process.kill('SIGINT')
    await product.stop()
    expect(product.process.exitCode).toBe(0)
    expect(Date.now() - asked).toBeLessThan(8_000)
    socket.destroy()
  })
})

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Reads an event stream in wire format. */
async function rawStream(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers })
  let text = ''
  const pump = async () => {
    if (!answer.body) return
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) text += part
  }
  return { text: () => text, ended: pump().catch(() => undefined) }
}
