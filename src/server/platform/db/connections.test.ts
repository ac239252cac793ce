import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { MAX_CONNECTIONS } from './connect.ts'

/** Connections that requests and jobs need at the same time, such as a request that waits for another one's lock. */
const FREE = 6

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('has enough connections beyond those that listen for jobs', async () => {
  const listening = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query like 'LISTEN "jobs:insert"%'`
  const count = async () => (await listening.execute(app.deps.db)).rows[0]?.count ?? 0
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(5)
  expect(await count()).toBeLessThanOrEqual(MAX_CONNECTIONS - FREE)
})
