import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { cloneDatabase } from '#tests/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/database-proxy.ts'
import { startJobProcess } from '#tests/job-process.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let proxy: DatabaseProxy
const apps: TestApp[] = []
beforeEach(async () => {
  database = await cloneDatabase()
  proxy = await startDatabaseProxy(database.address)
})
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.close()
  await proxy.close()
  await database.drop()
})

/** Starts a process that does no background work until its jobs are started. It counts the jobs it does. */
async function aProcess(work: () => Promise<unknown> = async () => undefined) {
  const app = await startApp({ jobs: false, address: proxy.address })
  apps.push(app)
  const done: number[] = []
  app.deps.jobs.register('child.job', async () => {
    done.push(performance.now())
    await work()
  })
  return { ...app, done }
}

const instances = async ({ deps }: TestApp) =>
  (await deps.db.selectFrom('instances').select('id').execute()).length

describe('job of a dead worker', () => {
  it('is done by a worker that starts later, even if a web process has cleaned up', async () => {
    const web = await aProcess()
    const child = await startJobProcess(database.address)
    await web.deps.jobs.add('child.job', {})
    await child.began
    await child.kill()
    await vi.waitFor(async () => expect(await instances(web)).toBe(1), 10_000)
    const worker = await aProcess()
    const started = performance.now()
    await worker.deps.jobs.start()
    await vi.waitFor(() => expect(worker.done).toHaveLength(1), 10_000)
    expect(worker.done[0]! - started).toBeLessThan(5_000)
  })

  it('is done even if the dead worker has no row any more', async () => {
    const child = await startJobProcess(database.address)
    const worker = await aProcess()
    await worker.deps.jobs.add('child.job', {})
    await child.began
    // The state left by a process that is killed between deleting the worker's row and freeing its jobs.
    await worker.deps.db.deleteFrom('instances').where('id', '<>', worker.deps.instance.id).execute()
    await child.kill()
    await worker.deps.jobs.start()
    await vi.waitFor(() => expect(worker.done).toHaveLength(1), 10_000)
  })
})

describe('background work', () => {
  it('continues if the end of a job could not be stored, and repeats that job', async () => {
    const worker = await aProcess(async () => {
      if (worker.done.length === 1) await refuse.execute(worker.deps.db)
    })
    await worker.deps.jobs.start()
    await worker.deps.jobs.add('child.job', {})
    await vi.waitFor(() => expect(worker.done).toHaveLength(1), 10_000)
    await sleep(300)
    await sql`drop trigger refuse on graphile_worker._private_jobs`.execute(worker.deps.db)
    await vi.waitFor(() => expect(worker.done.length).toBeGreaterThan(1), 15_000)
    await vi.waitFor(async () => expect(await left(worker)).toBe(0), 5_000)
  })

  it('recovers from a database outage at the end of a job and at startup', async () => {
    const worker = await aProcess(async () => {
      if (worker.done.length > 1) return
      await sleep(200)
      proxy.cut()
      await sleep(50)
    })
    await worker.deps.jobs.start()
    await worker.deps.jobs.add('child.job', {})
    await vi.waitFor(() => expect(worker.done).toHaveLength(1), 10_000)
    await sleep(300)
    // Each outage lasts until reconnection and breaks the first query after it.
    for (let moment = 0; moment < 12; moment += 1) {
      await sleep(120 + moment * 10)
      proxy.mend()
      await sleep(30 + moment * 12)
      proxy.cut()
    }
    await sleep(200)
    proxy.mend()
    const mended = performance.now()
    // The first job may have been repeated while the database was available.
    await worker.deps.jobs.add('child.job', {})
    await vi.waitFor(() => expect(worker.done.at(-1)).toBeGreaterThan(mended), 15_000)
    await vi.waitFor(async () => expect(await left(worker)).toBe(0), 15_000)
    expect(worker.done.length).toBeGreaterThan(2)
  })
})

/** Jobs that wait or whose end was never stored. Jobs due each minute may arrive meanwhile. */
const left = async ({ deps }: TestApp) =>
  (await sql`select from graphile_worker.jobs where task_identifier = 'child.job'`.execute(deps.db)).rows
    .length

const refuse = sql`
  create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'not now'; end $$;
  create trigger refuse before delete on graphile_worker._private_jobs execute function refuse()`
