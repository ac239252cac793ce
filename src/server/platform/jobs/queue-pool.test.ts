import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { queuePool } from './queue-pool.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const listeners = () =>
  sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and query like 'LISTEN "jobs:insert"%'`.execute(app.deps.db)
const pids = async () => (await listeners()).rows.map(({ pid }) => pid)

it('listens for all kinds of jobs on one connection', async () => {
  await expect.poll(async () => (await pids()).length, { timeout: 20_000 }).toBe(1)
})

it('listens again after the connection broke', async () => {
  const [first] = await pids()
  await sql`select pg_terminate_backend(${first}::int)`.execute(app.deps.db)
  const others = async () => (await pids()).filter((pid) => pid !== first).length
  await expect.poll(others, { timeout: 20_000 }).toBe(1)
})

it('stops listening when the runners stop, and listens again when they start', async () => {
  await app.deps.jobs.stop()
  await expect.poll(async () => (await pids()).length, { timeout: 10_000 }).toBe(0)
  await app.deps.jobs.start()
  await expect.poll(async () => (await pids()).length, { timeout: 20_000 }).toBe(1)
})

it('releases its connection once when all runners stop before it is open', async () => {
  const client = new EventEmitter()
  let released = 0
  Object.assign(client, { query: async () => undefined, release: () => released++ })
  const pool = queuePool({ connect: async () => client } as never, () => undefined)
  const stopAtOnce = () =>
    new Promise<void>((resolve) => {
      pool.connect((_error, _client, release) => {
        release()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: 10 }, stopAtOnce))
  await expect.poll(() => released).toBe(1)
})

it('polls with a few connections at a time, however many kinds of jobs there are', async () => {
  const polling = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query like '%graphile_worker%jobs%' and query not like '%pg_stat%'
      and query not like 'LISTEN%'`
  await app.deps.jobs.add('forget-lanes', {})
  await expect.poll(() => app.deps.jobs.has('forget-lanes'), { timeout: 10_000 }).toBe(false)
  expect((await polling.execute(app.deps.db)).rows[0]?.count).toBeLessThanOrEqual(4)
})
