import { describe, expect, it } from 'vitest'
import { createChance, worlds } from '#tests/priced-runs.ts'
import { intervalOf, type PastRun } from './interval.ts'

/** Predicts each of 100 replies after `before` others. Returns how many predictions held, and their widths. */
function stateHundred(world: (typeof worlds)[string], seed: number, before: number) {
  const chance = createChance(seed)
  const past: PastRun[] = Array.from({ length: before }, () => world(chance, 0))
  const stated = Array.from({ length: 100 }, (_, at) => {
    const run = world(chance, at)
    const interval = intervalOf(past, run.known)!
    past.unshift(run)
    return { isInside: interval.low <= run.paid && run.paid <= interval.high, ...interval, paid: run.paid }
  })
  return {
    held: stated.filter(({ isInside }) => isInside).length,
    widths: stated.map(({ low, high }) => high / low),
    paid: stated.map(({ paid }) => paid),
  }
}

const shareOf = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0

describe('the price interval', () => {
  const cases = Object.entries(worlds).flatMap(([name, world]) =>
    [8, 40, 150].map((before) => ({ name, world, before })),
  )
  it.each(cases)('covers 9 of 10 replies and stays useful: $name, after $before', ({ world, before }) => {
    const rounds = Array.from({ length: 20 }, (_, seed) => stateHundred(world, seed + 1, before))
    const held = rounds.reduce((sum, round) => sum + round.held, 0) / rounds.length
    expect(held).toBeGreaterThanOrEqual(92)
    const width = shareOf(
      rounds.flatMap(({ widths }) => widths),
      0.5,
    )
    // The best fixed interval with the same coverage, given all prices but not their order.
    const paid = rounds.flatMap((round) => round.paid)
    expect(width).toBeLessThan((1.5 * shareOf(paid, 0.975)) / shareOf(paid, 0.025))
  })

  it('is narrow for similar replies and scales with the known cost', () => {
    const alike = (known: number) => ({ known, paid: known * 1.02 + 0.01 })
    const past = Array.from({ length: 50 }, (_, at) => alike(0.01 + (at % 10) / 100))
    const small = intervalOf(past, 0.02)!
    const large = intervalOf(past, 0.2)!
    expect(small.low).toBeLessThanOrEqual(alike(0.02).paid)
    expect(small.high).toBeGreaterThanOrEqual(alike(0.02).paid)
    expect(small.high / small.low).toBeLessThan(1.2)
    expect(large.low).toBeGreaterThan(0.19)
    expect(large.high).toBeLessThan(0.25)
    expect(large.runs).toBe(50)
  })

  it('follows recent replies', () => {
    const newest = Array.from({ length: 180 }, () => ({ known: 0.01, paid: 0.05 }))
    const old = Array.from({ length: 20 }, () => ({ known: 0.01, paid: 5 }))
    expect(intervalOf([...newest, ...old], 0.01)!.high).toBeLessThan(0.06)
    expect(intervalOf([...old, ...newest], 0.01)!.high).toBeGreaterThan(4.9)
  })

  it('stays close to observed prices when few replies form two distant groups', () => {
    const past = Array.from({ length: 11 }, (_, at) => ({ known: 0, paid: at % 5 === 0 ? 0.0006 : 0.4 }))
    const { low, high } = intervalOf(past, 0)!
    expect(low).toBeGreaterThanOrEqual(0.0006 / 3.2)
    expect(high).toBeLessThanOrEqual(0.4 * 3.2)
  })

  it('is null below 8 replies and has two significant digits', () => {
    const run = { known: 0.0123, paid: 0.0456 }
    expect(intervalOf(Array(7).fill(run), 0.01)).toBeNull()
    const { low, high } = intervalOf(Array(8).fill(run), run.known)!
    expect([low, high]).toEqual([0.045, 0.046])
    for (const paid of [0.5, 99, 1e-7, 1_234.5])
      expect(intervalOf(Array(8).fill({ known: 0, paid }), 0)!.low).toBeLessThanOrEqual(paid)
  })
})
