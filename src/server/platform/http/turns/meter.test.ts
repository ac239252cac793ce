import { describe, expect, it } from 'vitest'
import { createMeter } from './meter.ts'

/** Creates a meter with a simulated clock and simulated processor time. */
function aMeter() {
  const clock = { spent: 0, now: 0 }
  const pass = (ms: number, { spending = 0 } = {}) => {
    clock.spent += spending
    clock.now += ms
  }
  return { ...createMeter({ spent: () => clock.spent, now: () => clock.now }), pass }
}

describe('cost of work', () => {
  it('is processor time, divided equally among concurrent work', () => {
    const { begin, pass } = aMeter()
    const first = begin()
    pass(40, { spending: 40 })
    const second = begin()
    pass(100, { spending: 100 })
    expect(second()).toBe(50 + 25)
    pass(10, { spending: 10 })
    expect(first()).toBe(40 + 50 + 10 + 37.5)
  })

  it('is low while the process waits, however long a busy machine makes it wait', () => {
    const { begin, pass } = aMeter()
    const waiting = begin()
    pass(1_000, { spending: 3 })
    expect(waiting()).toBe(253)
  })

  it('excludes earlier processor time and never exceeds the elapsed time', () => {
    const { begin, pass } = aMeter()
    pass(500, { spending: 500 })
    const work = begin()
    // Other threads of the process worked too.
    pass(10, { spending: 30 })
    expect(work()).toBe(10)
  })

  it('is measured in the real process', async () => {
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
