import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { USER_STREAM_INIT } from '#shared/api/user-events/user-events.ts'
import { aSession } from '#tests/web/session-builder.ts'
import { pollEvery, queryClient } from '../../platform/lib/api/query-client.ts'
import { prepareChanges } from './show-change.ts'
import { followUser } from './user-events.ts'

/** Minimal fake of the browser's EventSource. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeSource[] = []
  readyState = 1
  onerror: () => void = () => undefined
  constructor() {
    super()
    FakeSource.opened.push(this)
  }
  say(name: string, data: object = {}) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
  close() {
    this.readyState = FakeSource.CLOSED
  }
}

const leaving: (() => void)[] = []
const follow = (hasTurn: boolean) => {
  const request = (_name: string, _options: object, work: () => Promise<void>) =>
    hasTurn ? work() : new Promise(() => undefined)
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  leaving.push(followUser('ada'))
}
const source = () => FakeSource.opened.at(-1) as FakeSource

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('EventSource', FakeSource)
})
afterEach(() => {
  for (const leave of leaving.splice(0)) leave()
  FakeSource.opened = []
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('polls rarely while events arrive, and normally once the stream breaks or falls silent', () => {
  follow(true)
  expect(pollEvery(10_000)).toBe(10_000)
  source().say(USER_STREAM_INIT, { last_event_id: '1', is_resumed: true })
  expect(pollEvery(10_000)).toBe(60_000)
  source().onerror()
  expect(pollEvery(10_000)).toBe(10_000)
  source().say('ping')
  expect(pollEvery(10_000)).toBe(60_000)
  vi.advanceTimersByTime(45_000)
  expect(pollEvery(10_000)).toBe(10_000)
})

it('reopens the stream after a refusal and after an undetected silence', () => {
  follow(true)
  source().close()
  source().onerror()
  expect(FakeSource.opened).toHaveLength(1)
  vi.advanceTimersByTime(20_000)
  expect(FakeSource.opened).toHaveLength(2)
  vi.advanceTimersByTime(45_000 + 20_000)
  expect(FakeSource.opened).toHaveLength(3)
})

it('refetches everything when events may have been missed', async () => {
  queryClient.setQueryData(['billing', 1], {})
  follow(true)
  source().say(USER_STREAM_INIT, { last_event_id: '1', is_resumed: true })
  await prepareChanges()
  expect(queryClient.getQueryState(['billing', 1])?.isInvalidated).toBe(false)
  source().say(USER_STREAM_INIT, { last_event_id: '9', is_resumed: false })
  await prepareChanges()
  expect(queryClient.getQueryState(['billing', 1])?.isInvalidated).toBe(true)
})

it('receives events from the tab that reads the stream', async () => {
  const session = aSession({})
  queryClient.setQueryData(['session', session.id], session)
  follow(false)
  expect(FakeSource.opened).toHaveLength(0)
  const channel = new BroadcastChannel('atrium-user-events-ada')
  channel.postMessage({ name: 'session_deleted', data: JSON.stringify({ session_id: session.id }) })
  vi.useRealTimers()
  await vi.waitFor(() => expect(queryClient.getQueryData(['session', session.id])).toBeUndefined())
  channel.close()
})
