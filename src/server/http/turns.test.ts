import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../tests/support/app.ts'
import { aUser, type TestUser } from '../../../tests/support/builders.ts'
import { route } from '../../shared/http.ts'
import { serveAccounts } from '../accounts/accounts.ts'
import { serve } from './serve.ts'

const work = route({ method: 'GET', path: '/work', access: 'user', summary: 'Work until told to stop' })

let app: TestApp
let url: string
let greedy: TestUser
let other: TestUser
let working = 0
let most = 0
let finish: (() => void)[] = []

beforeAll(async () => {
  app = await startApp({
    config: { ATRIUM_LIMIT_REQUESTS_AT_ONCE: '3' },
    features: [
      serveAccounts,
      (server) =>
        serve(server, work, {
          handle: async () => {
            working += 1
            most = Math.max(most, working)
            await new Promise<void>((resolve) => finish.push(resolve))
            working -= 1
            return undefined as never
          },
        }),
    ],
  })
  url = `${await app.listen()}/api/v1`
  greedy = await aUser(app)
  other = await aUser(app)
})
afterAll(async () => {
  await app.close()
})

const ask = (user: TestUser, path: string, signal?: AbortSignal) =>
  fetch(url + path, { headers: user.headers, signal })
const finishAll = () => {
  for (const done of finish.splice(0)) done()
}

describe('requests of one caller', () => {
  it('wait for each other beyond a few, and all are answered', async () => {
    most = 0
    const asked = Array.from({ length: 10 }, () => ask(greedy, '/work'))
    await expect.poll(() => working).toBe(3)
    const free = setInterval(finishAll, 20)
    const answers = await Promise.all(asked)
    clearInterval(free)
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(most).toBe(3)
  })

  it('do not keep those of another waiting', async () => {
    const asked = Array.from({ length: 10 }, () => ask(greedy, '/work'))
    await expect.poll(() => working).toBe(3)
    expect((await ask(other, '/users/me')).status).toBe(200)
    const mine = await Promise.race([ask(greedy, '/users/me'), sleep(200)])
    expect(mine).toBeUndefined()
    const free = setInterval(finishAll, 20)
    await Promise.all(asked)
    clearInterval(free)
  })

  it('that keep a line waiting are served at the pace of one after the other', async () => {
    const took = async (count: number) => {
      const started = performance.now()
      const asked = Array.from({ length: count }, () => ask(greedy, '/work'))
      const free = setInterval(() => {
        for (const done of finish.splice(0)) setTimeout(done, 100)
      }, 5)
      await Promise.all(asked)
      clearInterval(free)
      return performance.now() - started
    }
    // Three at a time would take two seconds: the first of them is, what stands in line after that is not.
    expect(await took(60)).toBeGreaterThan(3_000)
  })

  it('whose bodies come slowly keep nobody waiting', async () => {
    const slow = Array.from({ length: 6 }, () => {
      const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) })
      const gone = new AbortController()
      const init = { method: 'POST', body, duplex: 'half', signal: gone.signal } as RequestInit
      const headers = { ...greedy.headers, 'content-type': 'application/json' }
      fetch(`${url}/users/me/change-password`, { ...init, headers }).catch(() => null)
      return gone
    })
    await sleep(100)
    expect((await ask(greedy, '/users/me')).status).toBe(200)
    for (const gone of slow) gone.abort()
  })

  it('that nobody waits for any more give their turn on', async () => {
    const gone = new AbortController()
    const left = Array.from({ length: 3 }, () => ask(greedy, '/work', gone.signal).catch(() => null))
    await expect.poll(() => working).toBe(3)
    gone.abort()
    await Promise.all(left)
    expect((await ask(greedy, '/users/me')).status).toBe(200)
    finishAll()
  })

  it('are refused with a hint when too many wait', async () => {
    finish = []
    const gone = new AbortController()
    const asked = Array.from({ length: 320 }, () => ask(greedy, '/work', gone.signal).catch(() => null))
    const refused = await expect
      .poll(async () => (await Promise.race([...asked, sleep(50)])) as Response | undefined, {
        timeout: 10_000,
      })
      .toMatchObject({ status: 429 })
      .then(() => Promise.race(asked))
    expect(refused?.headers.get('retry-after')).toBe('1')
    gone.abort()
    finishAll()
    await Promise.all(asked)
  })
})
