import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'

/** Returns the share of light sends in the last second of `seconds` at a rate per second. */
function lightShare(pace: ReturnType<typeof createPace>, from: number, rate: number, seconds = 3): number {
  let light = 0
  for (let at = 0; at < rate * seconds; at += 1) {
    const isLight = pace.isLight(from + (at * 1_000) / rate)
    if (isLight && at >= rate * (seconds - 1)) light += 1
  }
  return light / rate
}

describe('pace', () => {
  it('is light for 50 replies and heavy for 100 replies of 40 tokens per second', () => {
    expect(lightShare(createPace(), 0, 50 * 40)).toBe(1)
    expect(lightShare(createPace(), 0, 100 * 40)).toBe(0)
  })

  it('is light again once the rate has dropped, but not after a small drop', () => {
    const pace = createPace()
    expect(lightShare(pace, 0, 4_000)).toBe(0)
    expect(lightShare(pace, 3_000, 3_000)).toBe(0)
    expect(lightShare(pace, 6_000, 2_000)).toBe(1)
  })

  it('is light for the first send after a pause', () => {
    const pace = createPace()
    lightShare(pace, 0, 12_000)
    expect(pace.isLight(60_000)).toBe(true)
  })

  it('becomes heavy within a sudden burst', () => {
    const pace = createPace()
    const sends = Array.from({ length: 1_000 }, () => pace.isLight(0))
    expect(sends.filter(Boolean)).toHaveLength(320)
  })
})
