import { describe, expect, it } from 'vitest'
import { createMeter } from './meter.ts'

/** A meter whose process spends what it is told to, in as much time as it is told. */
function aMeter() {
  const clock = { spent: 0, now: 0 }
  const pass = (ms: number, { spending = 0 } = {}) => {
    clock.spent += spending
    clock.now += ms
  }
  return { ...createMeter({ spent: () => clock.spent, now: () => clock.now }), pass }
}

describe('what work costs', () => {
  it('is the time of the processor, in equal parts for what is under way', () => {
    const { begin, pass } = aMeter()
    const first = begin()
    pass(40, { spending: 40 })
    const second = begin()
    pass(100, { spending: 100 })
    expect(second()).toBe(50 + 25)
    pass(10, { spending: 10 })
    expect(first()).toBe(40 + 50 + 10 + 37.5)
  })

  it('is little while the process waits, however long the machine makes it', () => {
    const { begin, pass } = aMeter()
    const waiting = begin()
    pass(1_000, { spending: 3 })
    expect(waiting()).toBe(253)
  })

  it('is nothing of what was spent before, and never more than the time that passed', () => {
    const { begin, pass } = aMeter()
    pass(500, { spending: 500 })
    const work = begin()
    // Threads of the process worked as well.
    pass(10, { spending: 30 })
    expect(work()).toBe(10)
  })

  it('is measured of the real process', async () => {
    const { begin } = createMeter()
    const work = begin()
    const until = performance.now() + 100
    while (performance.now() < until) Math.sqrt(until)
    expect(work()).toBeGreaterThan(20)
    const rest = begin()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(rest()).toBeLessThan(60)
  })
})
