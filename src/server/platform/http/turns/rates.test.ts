import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({
    config: { ATRIUM_LIMIT_REQUESTS_A_MINUTE: '5', ATRIUM_LIMIT_KEY_REQUESTS_A_MINUTE: '2' },
  })
})
afterAll(() => app.close())

const get = (headers: Record<string, string>, url = '/sessions') =>
  app.http.inject({ method: 'GET', url: `/api/v1${url}`, headers })

it('refuses a key or a person with too many requests, with 429 and a retry time [PG-11]', async () => {
  const [user, other] = [await aUser(app), await aUser(app)]
  const { headers } = await anApiKey(app, user, { scopes: ['chats'] })
  const second = await anApiKey(app, user, { scopes: ['chats'] })
  for (const expected of [200, 200]) expect((await get(headers)).statusCode).toBe(expected)
  const refused = await get(headers)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'rate_limited' })
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  // Another key of the same person has its own count, within that of the person.
  expect((await get(second.headers)).statusCode).toBe(200)
  expect((await get(user.headers)).statusCode).toBe(200)
  expect((await get(user.headers)).statusCode).toBe(200)
  expect((await get(user.headers)).statusCode).toBe(429)
  expect((await get(second.headers)).statusCode).toBe(429)
  // No one else is slowed down.
  expect((await get(other.headers)).statusCode).toBe(200)
})
