import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { features } from '../../../features.ts'
import { laneOf } from '../counted-address.ts'
import { serve } from '../serve.ts'

const work = route({
  ...{ method: 'POST', path: '/work', access: 'public', summary: 'Work until told to stop' },
  answer: z.object({}),
})

const read = route({
  ...{ method: 'GET', path: '/read', access: 'public', summary: 'Read until told to stop' },
  answer: z.object({}),
})

let app: TestApp
let url: string
let working = 0
let finish: (() => void)[] = []
beforeAll(async () => {
  app = await startApp({
    config: { ATRIUM_LIMIT_REQUESTS_AT_ONCE: '2', ATRIUM_METRICS: 'loopback' },
    features: [
      ...features,
      (server) => {
        const handle = async () => {
          working += 1
          await new Promise<void>((resolve) => finish.push(resolve))
          return {}
        }
        serve(server, work, { handle })
        serve(server, read, { handle })
      },
    ],
  })
  url = await app.listen()
})
afterAll(() => app.close())

describe("requests from the same address as strangers' requests", () => {
  it.each([
    ['a probe', '/api/v1/health'],
    ['metrics', '/metrics'],
    ['texts of the interface', '/api/v1/translations/en/common'],
    ['the ways to sign in', '/api/v1/sign-in-options'],
  ])('%s: is answered while thirty others wait', async (_, path) => {
    working = 0
    finish = []
    const asked = Array.from({ length: 30 }, () => fetch(`${url}/api/v1/work`, { method: 'POST' }))
    await expect.poll(() => working, { timeout: 10_000 }).toBe(2)
    const answer = await fetch(url + path)
    expect([answer.status, working]).toEqual([200, 2])
    const free = setInterval(() => {
      for (const done of finish.splice(0)) done()
    }, 5)
    await Promise.all(asked)
    clearInterval(free)
  })

  it.each(['/api/v1/health', '/metrics', '/assets/none.js'])('%s: waits for no other reads', async (path) => {
    working = 0
    finish = []
    const asked = Array.from({ length: 30 }, () => fetch(`${url}/api/v1/read`))
    await expect.poll(() => working, { timeout: 10_000 }).toBe(2)
    const answer = await fetch(url + path)
    expect([answer.status, working]).toEqual([path.startsWith('/assets') ? 404 : 200, 2])
    const free = setInterval(() => {
      for (const done of finish.splice(0)) done()
    }, 5)
    await Promise.all(asked)
    clearInterval(free)
  })

  it('answers a signed-in person too', async () => {
    const user = await aUser(app)
    working = 0
    const asked = Array.from({ length: 30 }, () => fetch(`${url}/api/v1/work`, { method: 'POST' }))
    await expect.poll(() => working, { timeout: 10_000 }).toBe(2)
    const answer = await fetch(`${url}/api/v1/sessions`, { headers: user.headers })
    expect([answer.status, working]).toEqual([200, 2])
    const free = setInterval(() => {
      for (const done of finish.splice(0)) done()
    }, 5)
    await Promise.all(asked)
    clearInterval(free)
  })
})

describe('lane of an address', () => {
  it('is shared by an IPv6 network, and separate for reads', () => {
    const lane = (ip: string, method = 'POST') => laneOf({ ip, method })
    expect(lane('2001:db8:1:2::5')).toBe(lane('2001:db8:1:2:aaaa::9'))
    expect(lane('2001:db8:1:2::5')).not.toBe(lane('2001:db8:1:3::5'))
    expect(lane('10.0.0.1', 'GET')).toBe(lane('10.0.0.1', 'HEAD'))
    expect(lane('10.0.0.1', 'GET')).not.toBe(lane('10.0.0.1'))
  })
})
