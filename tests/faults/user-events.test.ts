import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Account, signUp } from '../support/account.ts'
import { cloneDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import { type OpenStream, openStream } from '../support/event-stream.ts'
import { type Product, startProduct } from '../support/product.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-told-'))
const secret = randomBytes(16).toString('hex')
let database: Awaited<ReturnType<typeof cloneDatabase>>
let stays: Product
let dies: Product
let account: Account

const start = (name: string) =>
  startProduct({
    ...{ entry: 'src/server/main.ts', dataDir: join(folder, name) },
    env: { DATABASE_URL: databaseUrl(database.address), ATRIUM_SECRET_KEY: secret },
  })

beforeAll(async () => {
  database = await cloneDatabase()
  ;[stays, dies] = await Promise.all([start('stays'), start('dies')])
  account = await signUp(stays.url)
})
afterAll(async () => {
  await stays?.stop()
  await dies?.kill()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const follow = (product: Product, lastId?: string) =>
  openStream(`${product.url}/api/v1/users/me/events`, {
    headers: { authorization: `Bearer ${account.token}`, ...(lastId && { 'last-event-id': lastId }) },
  })
const createdIn = ({ wire }: OpenStream) =>
  wire.filter(({ event }) => event === 'session_created').map(({ data }) => JSON.parse(data).session_id)

it("a reader of a person's events on a killed process reconnects to another one and misses nothing", {
  timeout: 120_000,
}, async () => {
  const made: string[] = []
  const heard: string[] = []
  let isOver = false
  const making = (async () => {
    while (!isOver) {
      made.push((await account.call<{ id: string }>('POST', '/sessions', {})).id)
      await sleep(10)
    }
  })()
  const first = await follow(dies)
  await first.until('user_stream_init')
  await vi.waitFor(() => expect(createdIn(first).length).toBeGreaterThan(20), 20_000)
  await dies.kill()
  await first.ended
  heard.push(...createdIn(first))
  await sleep(200)
  const back = await follow(stays, first.wire.findLast(({ id }) => id !== null)?.id ?? '')
  expect(JSON.parse((await back.until('user_stream_init')).data)).toMatchObject({ is_resumed: true })
  await vi.waitFor(() => expect(createdIn(back).length).toBeGreaterThan(20), 20_000)
  isOver = true
  await making
  await vi.waitFor(() => expect(createdIn(back).at(-1)).toBe(made.at(-1)), 20_000)
  heard.push(...createdIn(back))
  expect(heard).toEqual(made.slice(made.indexOf(heard[0] ?? '')))
  back.leave()
})
