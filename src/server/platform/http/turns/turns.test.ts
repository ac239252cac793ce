import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { serveAccounts } from '../../../identity/accounts/accounts.ts'
import { serve } from '../serve.ts'
import { createTurns, type Turns } from './turns.ts'

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
    config: { ATRIUM_LIMIT_REQUESTS_AT_ONCE: '3', ATRIUM_LIMIT_SHARE_PERCENT: '20' },
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
  it('queue beyond a few and are all answered', async () => {
    most = 0
    const asked = Array.from({ length: 10 }, () => ask(greedy, '/work'))
    await expect.poll(() => working).toBe(3)
    const free = setInterval(finishAll, 20)
    const answers = await Promise.all(asked)
    clearInterval(free)
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(most).toBe(3)
  })

  it('do not delay requests of another caller', async () => {
    const asked = Array.from({ length: 10 }, () => ask(greedy, '/work'))
    await expect.poll(() => working).toBe(3)
    expect((await ask(other, '/users/me')).status).toBe(200)
    const mine = await Promise.race([ask(greedy, '/users/me'), sleep(200)])
    expect(mine).toBeUndefined()
    const free = setInterval(finishAll, 20)
    await Promise.all(asked)
    clearInterval(free)
  })

  it('do not wait for bodies that arrive slowly', async () => {
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

  it('with a large body wait unread while others of the same caller are in progress', async () => {
    const reader = await aUser(app)
    const headers = { ...reader.headers, 'content-type': 'application/json' }
    const send = (body: string | ReadableStream, signal?: AbortSignal) =>
      fetch(`${url}/users/me/preferences`, {
        ...({ method: 'PUT', body, duplex: 'half', headers, signal } as RequestInit),
      })
    const gone = new AbortController()
    const slow = Array.from({ length: 4 }, () => {
      const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) })
      return send(body, gone.signal).catch(() => null)
    })
    await sleep(200)
    const large = send(JSON.stringify({ preferences: {}, more: 'x'.repeat(100_000) }))
    expect((await send(JSON.stringify({ preferences: {} }))).status).toBe(200)
    expect(await Promise.race([large, sleep(300)])).toBeUndefined()
    gone.abort()
    await Promise.all(slow)
    expect((await large).status).toBeLessThan(500)
  })

  it('are not started once abandoned, and occupy their turn until they end if already started', async () => {
    const [leaving, gone] = [await aUser(app), new AbortController()]
    const left = Array.from({ length: 5 }, () => ask(leaving, '/work', gone.signal).catch(() => null))
    await expect.poll(() => working).toBe(3)
    gone.abort()
    await Promise.all(left)
    expect(await Promise.race([ask(leaving, '/users/me'), sleep(200)])).toBeUndefined()
    finishAll()
    expect((await ask(leaving, '/users/me')).status).toBe(200)
    expect(working).toBe(0)
  })

  it('are refused with a retry hint if too many wait', async () => {
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

describe('share of a caller', () => {
  const aReply = () => {
    const raw = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false })
    return { raw } as unknown as FastifyReply
  }
  const take = async (turns: Turns, name: string) => (await turns.take(name, aReply())).end()
  /** Creates turns with three concurrent requests and a fifth of the time, after one request of this caller. */
  const turnsWithSomebody = async (name: string) => {
    const turns = createTurns({ ATRIUM_LIMIT_REQUESTS_AT_ONCE: 3, ATRIUM_LIMIT_SHARE_PERCENT: 20 })
    await take(turns, name)
    return turns
  }
  const timeOf = async (work: Promise<unknown>) => {
    const started = performance.now()
    await work
    return performance.now() - started
  }

  it('includes charged work, and does not affect other callers', async () => {
    const turns = await turnsWithSomebody('other')
    turns.charge('greedy', 1_600)
    turns.charge('greedy', 100)
    expect(await timeOf(take(turns, 'greedy'))).toBeGreaterThan(350)
    expect(await timeOf(take(turns, 'other'))).toBeLessThan(100)
  })

  it('counts processor time; a caller over its share is then served one request at a time, with rests', async () => {
    const turns = await turnsWithSomebody('other')
    const work = async (ms: number) => {
      const turn = await turns.take('greedy', aReply())
      compute(ms)
      turn.end()
    }
    await work(1_700)
    await work(100)
    const [first, second] = [timeOf(work(100)), timeOf(take(turns, 'greedy'))]
    expect(await timeOf(take(turns, 'other'))).toBeLessThan(100)
    expect(await first).toBeGreaterThan(350)
    expect(await second).toBeGreaterThan(700)
  })

  it("halves while a crowd of the caller's requests waits", async () => {
    const turns = await turnsWithSomebody('other')
    turns.charge('greedy', 1_600)
    turns.charge('greedy', 10)
    const crowd = Array.from({ length: 20 }, () => take(turns, 'greedy'))
    turns.charge('greedy', 100)
    expect(await timeOf(Promise.all(crowd))).toBeGreaterThan(700)
  })

  it("limits refusals even without other callers, and does not delay the caller's other requests", async () => {
    const turns = await turnsWithSomebody('refused')
    await turns.refuse('refused', aReply(), 1_600)
    await turns.refuse('refused', aReply(), 100)
    const next = timeOf(turns.refuse('refused', aReply(), 20))
    expect(await timeOf(take(turns, 'refused'))).toBeLessThan(100)
    expect(await next).toBeGreaterThan(350)
  })

  it.each(['203.0.113.1/read', '203.0.113.1/files'])(
    'spaces reads of strangers early (%s)',
    async (reads) => {
      const turns = await turnsWithSomebody('other')
      for (const name of [reads, '203.0.113.1', 'person']) {
        turns.charge(name, 300)
        turns.charge(name, 100)
      }
      const waits = timeOf(take(turns, reads))
      expect(await timeOf(take(turns, '203.0.113.1'))).toBeLessThan(100)
      expect(await timeOf(take(turns, 'person'))).toBeLessThan(100)
      expect(await waits).toBeGreaterThan(250)
    },
  )

  it('of an address that only probes stays a quarter, and makes no one else rest', async () => {
    const turns = await turnsWithSomebody('greedy')
    await take(turns, '203.0.113.1/probes')
    turns.charge('greedy', 2_000)
    turns.charge('greedy', 100)
    expect(await timeOf(take(turns, 'greedy'))).toBeLessThan(100)
    turns.charge('203.0.113.1/probes', 5_000)
    turns.charge('203.0.113.1/probes', 100)
    const waited = await timeOf(take(turns, '203.0.113.1/probes'))
    expect(waited).toBeGreaterThan(250)
    expect(waited).toBeLessThan(380)
  })

  it('is unlimited while there are no other callers', async () => {
    const turns = await turnsWithSomebody('greedy')
    turns.charge('greedy', 5_000)
    turns.charge('greedy', 5_000)
    expect(await timeOf(take(turns, 'greedy'))).toBeLessThan(100)
  })

  it('counts little for work that mostly waited', async () => {
    const turns = await turnsWithSomebody('other')
    for (let stream = 0; stream < 6; stream += 1) {
      const turn = await turns.take('reader', aReply())
      await sleep(400)
      turn.end(5)
    }
    expect(await timeOf(take(turns, 'reader'))).toBeLessThan(100)
  })

  it('allows the concurrent requests of a page load', async () => {
    const turns = await turnsWithSomebody('other')
    turns.charge('reader', 1_200)
    turns.charge('reader', 200)
    expect(await timeOf(Promise.all(Array.from({ length: 20 }, () => take(turns, 'reader'))))).toBeLessThan(
      100,
    )
  })
})

/** Uses this many milliseconds of processor time. */
function compute(ms: number): void {
  const before = process.cpuUsage()
  let spent = 0
  while (spent < ms * 1000) {
    for (let round = 0; round < 1e6; round += 1) Math.sqrt(round)
    const { user, system } = process.cpuUsage(before)
    spent = user + system
  }
}
