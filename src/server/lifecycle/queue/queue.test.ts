import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
let admin: TestUser
let url: string
const begun: string[] = []
const stopped: string[] = []
beforeAll(async () => {
  app = await startApp({ jobs: false })
  app.deps.jobs.register('try.fails', async ({ name }) => {
    begun.push(String(name))
    throw new Error('of somebody’s letter: “Dear Ada”')
  })
  app.deps.jobs.register('try.waits', async ({ name }, signal) => {
    begun.push(String(name))
    await new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    ).finally(() => stopped.push(String(name)))
  })
  url = `${await app.listen()}/api/v1`
  admin = await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())

async function call(method: string, path: string, { headers }: TestUser = admin) {
  const answer = await fetch(`${url}/admin/queue${path}`, { method, headers })
  // biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
  return { status: answer.status, body: (await answer.json()) as any }
}
type Job = { id: string; name: string; state: string; attempts: number }
const jobsCalled = async (name: string, query = ''): Promise<Job[]> =>
  (await call('GET', query)).body.items.filter((job: Job) => job.name === name)
const later = new Date(Date.now() + 3_600_000)

describe('the job queue', () => {
  it('lists jobs by state and page, without their payload [AD-14]', async () => {
    await app.deps.jobs.add('try.waits', { name: 'secret words' }, { runAt: later })
    await app.deps.jobs.add('try.fails', { name: 'now' }, { maxAttempts: 1 })
    const { status, body } = await call('GET', '?limit=1')
    expect([status, body.items.length, body.has_more]).toEqual([200, 1, true])
    expect(body.counts).toMatchObject({ later: expect.any(Number), waiting: expect.any(Number) })
    expect(await jobsCalled('try.waits', '?state=later')).toMatchObject([{ state: 'later', attempts: 0 }])
    expect(await jobsCalled('try.waits', '?state=waiting')).toEqual([])
    expect(JSON.stringify(body)).not.toContain('secret words')
  })

  it('shows failed jobs without their error and can retry them [AD-14]', async () => {
    await app.deps.jobs.start()
    await expect.poll(() => jobsCalled('try.fails', '?state=given_up'), { timeout: 10_000 }).toHaveLength(1)
    const [job] = await jobsCalled('try.fails', '?state=given_up')
    expect(JSON.stringify(job)).not.toContain('Dear Ada')
    const before = begun.length
    expect((await call('POST', `/${job?.id}/retry`)).status).toBe(200)
    await expect.poll(() => begun.length, { timeout: 10_000 }).toBe(before + 1)
    await expect.poll(() => jobsCalled('try.fails', '?state=given_up'), { timeout: 10_000 }).toHaveLength(1)
  })

  it('removes waiting jobs and stops running ones on any process, with or without a key [AD-14]', async () => {
    const [waiting] = await jobsCalled('try.waits', '?state=later')
    expect((await call('POST', `/${waiting?.id}/cancel`)).body.message).toBe('The job was taken out.')
    expect(await jobsCalled('try.waits')).toEqual([])
    for (const key of ['try.key', undefined]) {
      const name = `runs ${key}`
      await app.deps.jobs.add('try.waits', { name }, { key })
      await expect.poll(() => begun.includes(name), { timeout: 10_000 }).toBe(true)
      const [running] = await jobsCalled('try.waits', '?state=running')
      expect((await call('POST', `/${running?.id}/retry`)).status).toBe(409)
      expect((await call('POST', `/${running?.id}/cancel`)).body.message).toBe('The job is being stopped.')
      await expect.poll(() => stopped.includes(name), { timeout: 10_000 }).toBe(true)
      await expect.poll(() => jobsCalled('try.waits'), { timeout: 10_000 }).toEqual([])
    }
  })

  it('reports a missing job, and is closed to other users', async () => {
    expect((await call('POST', '/999999999/retry')).status).toBe(404)
    expect((await call('POST', '/999999999/cancel')).status).toBe(404)
    expect((await call('POST', '/one/cancel')).status).toBe(404)
    const companyAdmin = await aUser(app, { role: 'company_admin' })
    expect((await call('GET', '', companyAdmin)).status).toBe(403)
  })

  it('audits interventions', async () => {
    const { rows } = await sql<{ did: string; subject: string }>`
      select did, subject from audit_entries where did like 'job.%' order by id`.execute(app.deps.db)
    expect(rows.map(({ did }) => did)).toEqual(['job.retried', ...Array(3).fill('job.cancelled')])
    expect(rows[0]?.subject).toMatch(/^try\.fails \d+$/)
  })
})
