import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COALESCE_MS, createTicker } from './ticker.ts'

describe('the ticker', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('calls every callback once within the window and sleeps when none is queued [ST-10]', () => {
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

  it('runs queued callbacks when it is closed [ST-10]', () => {
    const ticker = createTicker()
    const calls: string[] = []
    ticker.soon(() => calls.push('one'))
    ticker.close()
    expect(calls).toEqual(['one'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
