import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import type { Message } from '../../src/shared/runs/runs/message.ts'
import { type ModelServer, says, startModelServer } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { aPerson, finishedReply, type Person } from './person.ts'

const folder = mkdtempSync('/tmp/atrium-full-')
const filler = join(folder, 'filler')

/** Whether the machine allows a separate disk for the data folder. */
const hasDisk = tryMount()
function tryMount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=0711', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Fills the disk completely. */
function fillDisk(): void {
  const file = openSync(filler, 'a')
  try {
    for (let size = 1 << 20; size >= 512; size >>= 1) writeWhilePossible(file, Buffer.alloc(size, 1))
  } finally {
    closeSync(file)
  }
}

function writeWhilePossible(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    fsyncSync(file)
  }
}

const freeSpace = () => rmSync(filler, { force: true })

const long = Array.from({ length: 600 }, (_, i) => `word${i} `)
let model: ModelServer
let product: Product
let person: Person

describe.runIf(hasDisk)('full disk', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    model = await startModelServer({ tokensPerSecond: 100 })
    model.always(({ messages }) => [
      says(...(JSON.stringify(messages.at(-1)).includes('Go on') ? long : ['Yes.'])),
    ])
    product = await startProduct({
      entry: 'src/server/main.ts',
      dataDir: folder,
      env: { ATRIUM_COMPATIBLE_URL: model.url },
    })
    person = await aPerson(() => product.url)
  })
  afterEach(freeSpace)
  afterAll(async () => {
    await product.kill()
    await model.close()
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })

  it('is reported, loses no accepted message, and causes no errors once there is space again', async () => {
    const sessions: string[] = []
    for (let i = 0; i < 20; i += 1) sessions.push(await newSession())
    const taken = new Map<string, string>()
    const refused = new Set<string>()
    const words = 'word '.repeat(16_000)
    for (const [i, session] of sessions.entries()) {
      // Deletions during the test free some space.
      if (i >= 3) fillDisk()
      const content = `${i} ${words}`
      const { status, body } = await send(session, content)
      if (status < 300) taken.set(session, content)
      else refused.add(`${status} ${body.detail}`)
      // On a full disk, a reply waits until it can be stored.
      if (i < 3) await finishedReply(person, session, 60_000)
    }
    expect(taken.size).toBeGreaterThanOrEqual(3)
    expect([...refused]).toEqual([full])
    freeSpace()
    expect(await untilHealthy()).toBeLessThan(60_000)
    const [first = ''] = sessions
    expect((await send(first, 'Is there room?')).body.detail).toBeUndefined()
    for (const [session, content] of taken) {
      const { status, blocks } = await finishedReply(person, session, 60_000)
      expect([status, ...blocks.filter(({ type }) => type === 'error')]).toEqual(['completed'])
      expect((await questions(session))[0]).toBe(content)
    }
    expect(await questions(first)).toEqual([taken.get(first), 'Is there room?'])
  })

  it('that stops the database is reported, ends no run, and loses no acknowledged data', async () => {
    const [session, talk] = [await newSession(), await newSession()]
    await send(talk, 'Go on while the database stops')
    // Connects early, because a new connection may find no space for its cache files.
    const database = await connectToDatabase()
    let acknowledged = 'title of before'
    expect((await call('PUT', `/sessions/${session}/rename`, { title: acknowledged })).status).toBe(200)
    fillDisk()
    const refused = new Set<string>()
    // Each new segment of the write-ahead log takes space until none is left and the server stops.
    for (let i = 0; i < 200 && !refused.has(`health ${full}`); i += 1) {
      const { status, body } = await call('PUT', `/sessions/${session}/rename`, { title: `title ${i}` })
      if (status === 200) acknowledged = `title ${i}`
      else refused.add(`rename ${status} ${body.detail}`)
      await database.ask('select pg_switch_wal()')
      const health = await call('GET', '/health')
      if (health.status !== 200) refused.add(`health ${health.status} ${health.body.detail}`)
    }
    await database.close()
    expect([...refused].filter((line) => !line.endsWith(full))).toEqual([])
    expect(refused).toContain(`health ${full}`)
    freeSpace()
    expect(await untilHealthy()).toBeLessThan(60_000)
    expect((await call('GET', `/sessions/${session}`)).body.title).toBe(acknowledged)
    const reply = await finishedReply(person, talk, 120_000)
    expect([reply.status, reply.content]).toEqual(['completed', long.join('')])
    expect(timesAsked('while the database stops')).toBeLessThanOrEqual(3)
  })

  it('preserves a paid reply until it can be stored', async () => {
    const talk = await newSession()
    await send(talk, 'Go on while there is no room')
    fillDisk()
    // Longer than the reply takes.
    await sleep(10_000)
    expect(timesAsked('while there is no room')).toBe(1)
    freeSpace()
    const reply = await finishedReply(person, talk, 120_000)
    expect([reply.status, reply.content]).toEqual(['completed', long.join('')])
    expect(timesAsked('while there is no room')).toBe(1)
  })
})

const full = '507 The storage is full. Free some space and try again.'

/** Connects through the embedded database's socket, as the user who started it. */
async function connectToDatabase() {
  const address = { host: join(folder, 'run'), port: 5432, user: 'postgres', database: 'postgres' }
  const { pool, close } = connect(address, createLog('silent'), { max: 1 })
  const ask = (sql: string) =>
    pool.query(sql).then(
      () => undefined,
      () => undefined,
    )
  await pool.query('select 1')
  return { ask, close }
}

/** Counts the model requests that contain these words. */
const timesAsked = (words: string) =>
  model.requests.filter((request) => JSON.stringify(request).includes(words)).length

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: { ...person.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const send = (chat_session_id: string, content: string) =>
  call('POST', '/messages', { chat_session_id, content })

async function newSession(): Promise<string> {
  return String((await call('POST', '/sessions', { model_name: 'compatible/scripted' })).body.id)
}

async function questions(session: string): Promise<string[]> {
  const { body } = await call('GET', `/sessions/${session}/active-branch`)
  return (body.active_branch as Message[]).filter(({ role }) => role === 'user').map(({ content }) => content)
}

/** Waits until the product serves again. Returns the time it took. */
async function untilHealthy(): Promise<number> {
  const started = Date.now()
  for (;;) {
    if ((await call('GET', '/health')).status === 200) return Date.now() - started
    if (Date.now() - started > 60_000) throw new Error(`still unhealthy:\n${product.output().slice(-3_000)}`)
    await sleep(50)
  }
}
