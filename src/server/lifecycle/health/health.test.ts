import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { cloneDatabase } from '#tests/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/database-proxy.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let proxy: DatabaseProxy
let app: TestApp
beforeAll(async () => {
  database = await cloneDatabase()
  proxy = await startDatabaseProxy(database.address)
  app = await startApp({ address: proxy.address })
})
afterAll(async () => {
  proxy.mend()
  await app.close()
  await proxy.close()
  await database.drop()
})

it('health responds within seconds while the database is silent, and recovers with it', async () => {
  const health = async () => {
    const { statusCode, headers } = await app.http.inject('/api/v1/health')
    return [statusCode, headers['retry-after']]
  }
  expect(await health()).toEqual([200, undefined])
  proxy.freeze()
  const asked = performance.now()
  expect(await health()).toEqual([503, '2'])
  expect(performance.now() - asked).toBeLessThan(15_000)
  proxy.mend()
  await expect.poll(health, { timeout: 15_000 }).toEqual([200, undefined])
})

it('health shows super admins only which code can be run', async () => {
  const admin = await aUser(app, { role: 'super_admin' })
  const user = await aUser(app)
  const ask = async (headers = {}) => app.http.inject({ url: '/api/v1/health?details', headers })
  expect((await ask()).statusCode).toBe(401)
  expect((await ask(user.headers)).statusCode).toBe(403)
  await app.deps.sandbox.probe()
  const { details } = (await ask(admin.headers)).json()
  expect(details.code).toMatchObject([{ language: 'python' }, { language: 'javascript', ok: true }])
  expect(details).toMatchObject({ works_here: true, checked_at: expect.any(String) })
  expect(details.parts).toHaveLength(13)
}, 30_000)
