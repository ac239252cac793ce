import { describe, expect, it } from 'vitest'
import { type Change, draw } from './draw.ts'
import { wilson } from './interval.ts'

const changes: Change[] = Array.from({ length: 200 }, (_, n) => ({
  ...{ id: String(n), fileName: 'src/a.ts', mutatorName: 'BooleanLiteral', replacement: `${n % 2 === 0}` },
  location: { start: { line: Math.floor(n / 2), column: 1 }, end: { line: Math.floor(n / 2), column: 9 } },
}))
const idsOf = (drawn: Change[]) => drawn.map(({ id }) => id)

describe('sample of mutations', () => {
  it('depends only on the seed, not on the order of the changes', () => {
    const once = draw(changes, 20, '1')
    expect(new Set(idsOf(once)).size).toBe(20)
    expect(idsOf(draw(changes.toReversed(), 20, '1'))).toEqual(idsOf(once))
    expect(idsOf(draw(changes, 20, '2'))).not.toEqual(idsOf(once))
    expect(draw(changes, 1_000, '1')).toHaveLength(200)
  })

  it('draws every change equally often', () => {
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 1_000; seed += 1)
      for (const id of idsOf(draw(changes, 20, String(seed)))) counts.set(id, (counts.get(id) ?? 0) + 1)
    // A hundred times each, within five standard deviations.
    for (const { id } of changes) expect(Math.abs((counts.get(id) ?? 0) - 100)).toBeLessThan(50)
  })

  it("estimates the range of the whole by Wilson's interval", () => {
    const rounded = (ends: number[]) => ends.map((end) => Number(end.toFixed(4)))
    expect(rounded(wilson(8, 10))).toEqual([0.4902, 0.9433])
    expect(rounded(wilson(120, 150))).toEqual([0.7289, 0.8562])
    expect(rounded(wilson(10, 10))).toEqual([0.7225, 1])
  })
})
