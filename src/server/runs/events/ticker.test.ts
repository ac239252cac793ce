import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COALESCE_MS, createTicker } from './ticker.ts'

describe('the ticker', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ST-10 calls everybody once, within the window, and sleeps when nobody waits', () => {
    const ticker = createTicker()
    const calls: number[] = []
    const start = Date.now()
    const ask = () => ticker.soon(() => calls.push(Date.now() - start))
    ask()
    vi.advanceTimersByTime(12)
    ask()
    vi.advanceTimersByTime(200)
    expect(calls).toHaveLength(2)
    expect(calls[0]).toBeLessThanOrEqual(COALESCE_MS)
    expect(calls[0]).toBeGreaterThan(COALESCE_MS / 2)
    expect(calls[1]).toBeLessThanOrEqual(12 + COALESCE_MS)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ST-10 gives what waits when it is closed', () => {
    const ticker = createTicker()
    const calls: string[] = []
    ticker.soon(() => calls.push('one'))
    ticker.close()
    expect(calls).toEqual(['one'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
