import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { useSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { setToken } from '../../platform/lib/me/token.ts'
import { HIDDEN_MS } from './attendance.ts'
import { type Follower, followRun, isFollowing, leaveRun, type StreamStart } from './follow.ts'

type Call = { method: string; path: string; headers: Headers; signal: AbortSignal | undefined; body: unknown }

let calls: Call[]
let streams: (WrittenStream | Response)[]
let log: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  setToken('secret')
  log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  calls = []
  streams = []
  globalThis.fetch = (url, init = {}) => {
    const path = String(url).replace(/^\/api\/v1/, '')
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    calls.push({
      method: init.method ?? 'GET',
      path,
      headers: new Headers(init.headers),
      signal: init.signal ?? undefined,
      body,
    })
    const next = streams.shift()
    if (!next) return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(next instanceof WrittenStream ? next.response : next)
  }
})

afterEach(() => {
  leaveRun('session-1')
  setVisible(true)
  useSessionExpired.setState({ isExpired: false })
  log.mockRestore()
  vi.useRealTimers()
})

function follow(start: StreamStart = { kind: 'attach', messageId: null }) {
  const told = {
    events: [] as RunEvent[],
    ended: 0,
    errors: [] as unknown[],
    trouble: [] as (number | null)[],
    went: [] as string[],
  }
  const follower: Follower = {
    event: (event) => told.events.push(event),
    ended: () => {
      told.ended += 1
    },
    failed: (error) => told.errors.push(error),
    trouble: (attempt) => told.trouble.push(attempt),
    navigate: (to) => told.went.push(to),
  }
  followRun('session-1', start, follower)
  return told
}

function stream(): WrittenStream {
  const made = new WrittenStream()
  streams.push(made)
  return made
}

const settle = () => vi.advanceTimersByTimeAsync(1)
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const chunk = (content: string, id: string) => onWire({ event: 'response_chunk', content }, id)
const texts = (events: RunEvent[]) =>
  events.flatMap((event) => (event.event === 'response_chunk' ? [event.content] : []))

function setVisible(isVisible: boolean) {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    value: isVisible ? 'visible' : 'hidden',
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('followRun', () => {
  it('sends the bearer header and asks for an event stream [ST-29]', async () => {
    stream()
    follow({ kind: 'send', body: { content: 'hello', role: 'user', client_id: 'c1' } })
    await settle()
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/sessions/session-1/messages',
      body: { content: 'hello' },
    })
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer secret')
    expect(calls[0]?.headers.get('accept')).toBe('text/event-stream')
  })

  it('stops after a terminal event [ST-17]', async () => {
    const one = stream()
    const told = follow()
    await settle()
    one.write(anInit(aView()), chunk('a', '1'), onWire(aCompletion(), '2')).close()
    await settle()
    expect(told.ended).toBe(1)
    expect(isFollowing('session-1')).toBe(false)
    await wait(60_000)
    expect(calls).toHaveLength(1)
  })

  it('stops if the run has already ended [ST-30]', async () => {
    const one = stream()
    const told = follow()
    await settle()
    one.write(anInit(aView({ status: 'completed' }))).close()
    await settle()
    expect(told).toMatchObject({ ended: 1, errors: [] })
  })

  it('follows one stream per session and cancels the previous reader [ST-25]', async () => {
    const one = stream()
    const first = follow()
    await settle()
    one.write(anInit(aView()))
    await settle()
    const two = stream()
    const second = follow()
    await settle()
    expect(calls[0]?.signal?.aborted).toBe(true)
    two.write(anInit(aView()), chunk('b', '5'))
    await settle()
    expect(first.events).toHaveLength(1)
    expect(texts(second.events)).toEqual(['b'])
  })

  it('cancels the reader on leaving, without further calls [ST-26]', async () => {
    const one = stream()
    const told = follow()
    await settle()
    one.write(anInit(aView()))
    await settle()
    leaveRun('session-1')
    await wait(60_000)
    expect(calls[0]?.signal?.aborted).toBe(true)
    expect(calls).toHaveLength(1)
    expect(told).toMatchObject({ ended: 0, errors: [] })
  })

  it('reconnects after a lost connection from the last received event [ST-30]', async () => {
    const one = stream()
    const told = follow({ kind: 'send', body: { content: 'x', role: 'user' } })
    await settle()
    one.write(anInit(aView()), chunk('a', '7'))
    await settle()
    const two = stream()
    one.break()
    await settle()
    expect(told.trouble).toEqual([1])
    await wait(1000)
    // Another tab may be on another branch, so the followed reply is named.
    const path = '/sessions/session-1/task-stream?message_id=reply-1'
    expect(calls[1]).toMatchObject({ method: 'GET', path })
    expect(calls[1]?.headers.get('last-event-id')).toBe('7')
    two.write(anInit(aView({ content: 'a' }), '7'), chunk('b', '8'), onWire(aCompletion(), '9')).close()
    await settle()
    expect(texts(told.events)).toEqual(['a', 'b'])
    expect(told).toMatchObject({ ended: 1, trouble: [1, null] })
  })

  it('waits longer after every failure, at most 15 s, and never gives up on a run', async () => {
    const told = follow()
    await wait(10 * 60_000)
    expect(told.errors).toEqual([])
    expect(calls.length).toBeGreaterThan(30)
    expect(calls.length).toBeLessThan(80)
  })

  it('reconnects after the time the server asks for', async () => {
    const one = stream()
    follow()
    await settle()
    one.write(anInit(aView()), 'retry: 4000\n\n').close()
    await wait(3000)
    expect(calls).toHaveLength(1)
    stream()
    await wait(1500)
    expect(calls).toHaveLength(2)
  })

  it('retries immediately when the network is back', async () => {
    const one = stream()
    follow()
    await settle()
    one.write(anInit(aView()), 'retry: 60000\n\n').close()
    await wait(10)
    stream()
    window.dispatchEvent(new Event('online'))
    await settle()
    expect(calls).toHaveLength(2)
  })

  it('reconnects when the server is silent for 45 s, and counts pings as activity', async () => {
    const one = stream()
    follow()
    await settle()
    one.write(anInit(aView()))
    await wait(30_000)
    one.write('event: ping\ndata: {}\n\n')
    await wait(30_000)
    expect(calls).toHaveLength(1)
    stream()
    await wait(17_000)
    expect(calls).toHaveLength(2)
  })

  it('releases the stream after the tab was hidden for 30 s, and reconnects when it is visible', async () => {
    const one = stream()
    const told = follow()
    await settle()
    one.write(anInit(aView()), chunk('a', '3'))
    setVisible(false)
    await wait(HIDDEN_MS - 100)
    expect(calls[0]?.signal?.aborted).toBe(false)
    // A real fetch ends its body when it is aborted.
    calls[0]?.signal?.addEventListener('abort', () => one.break())
    await wait(200)
    expect(calls[0]?.signal?.aborted).toBe(true)
    await wait(120_000)
    expect(calls).toHaveLength(1)
    stream()
    setVisible(true)
    await settle()
    expect(calls[1]?.headers.get('last-event-id')).toBe('3')
    expect(told.trouble).toEqual([])
  })

  it('opens the session-expired popup when the stream reports it, and continues with the new token [SH-23]', async () => {
    const one = stream()
    follow()
    await settle()
    one.write(anInit(aView()), 'event: unauthorized\ndata: {}\n\n').close()
    await wait(60_000)
    expect(useSessionExpired.getState().isExpired).toBe(true)
    expect(calls).toHaveLength(1)
    stream()
    setToken('new')
    await settle()
    expect(calls[1]?.headers.get('authorization')).toBe('Bearer new')
  })

  it('fails with the reason if the message is refused [MS-12]', async () => {
    streams.push(
      Response.json({ detail: 'Insufficient balance', code: 'insufficient_balance' }, { status: 402 }),
    )
    const told = follow({ kind: 'send', body: { content: 'x', role: 'user' } })
    await settle()
    expect(told.errors[0]).toMatchObject({ status: 402 })
    await wait(60_000)
    expect(calls).toHaveLength(1)
  })

  it('fails if the answer cannot be read as a stream [ST-28]', async () => {
    streams.push(new Response('hello', { headers: { 'content-type': 'text/html' } }))
    const told = follow({ kind: 'generate', messageId: 'm' })
    await settle()
    expect(calls[0]?.path).toBe('/sessions/session-1/messages/m/generate')
    expect(told.errors[0]).toMatchObject({ message: 'Invalid streaming response object' })
  })

  it('only logs that a task stream could not be joined [ST-28]', async () => {
    const told = follow()
    await wait(100)
    expect(log.mock.calls[0]?.[0]).toBe('Failed to connect to task stream')
    expect(told.errors).toEqual([])
  })

  it('gives up if the session is gone', async () => {
    streams.push(Response.json({ detail: 'Not found', code: 'not_found' }, { status: 404 }))
    const told = follow()
    await settle()
    expect(told.errors[0]).toMatchObject({ status: 404 })
  })
})
