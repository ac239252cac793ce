import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COALESCE_MS, createTicker, type Ticker } from './ticker.ts'

/** Queues so many callbacks that the following ones are merged. */
function load(ticker: Ticker): void {
  for (let count = 0; count < 400; count += 1) ticker.soon(() => undefined)
}

describe('the ticker', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('calls callbacks in the same turn of the event loop while few are queued', () => {
    const ticker = createTicker()
    const calls: string[] = []
    ticker.soon(() => calls.push('one'))
    ticker.soon(() => calls.push('two'))
    expect(calls).toEqual([])
    vi.advanceTimersByTime(0)
    expect(calls).toEqual(['one', 'two'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('under load calls every callback once within the window, and sleeps when none is queued [ST-10]', () => {
    const ticker = createTicker()
    load(ticker)
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
    load(ticker)
    ticker.soon(() => calls.push('last'))
    ticker.close()
    expect(calls).toEqual(['one', 'last'])
  })
})
