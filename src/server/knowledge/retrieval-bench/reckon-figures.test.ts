import { describe, expect, it } from 'vitest'
import { firstRank, reckonFigures } from './reckon-figures.ts'

const result = (case_id: string, found: string[], more = {}) => ({
  ...{ case_id, found, milliseconds: 10, cost: 0, skipped: null },
  ...more,
})
const answers = (chunk_id: string) => ({ chunk_id, grade: 'answers' as const })
const helps = (chunk_id: string) => ({ chunk_id, grade: 'helps' as const })

describe('figures of a run', () => {
  it('average over the questions with expected passages', () => {
    const expectations = new Map([
      ['one', [answers('a')]],
      ['two', [answers('b'), helps('c')]],
      ['none', []],
    ])
    const figures = reckonFigures(expectations, [
      result('one', ['x', 'a'], { milliseconds: 30, cost: 0.002 }),
      result('two', ['c', 'x', 'y', 'z', 'w', 'b'], { milliseconds: 10, skipped: 'It was late.' }),
      result('none', ['x'], { milliseconds: 900, cost: null }),
    ])
    // Computed by hand: (1/log2(2) + 2/log2(7)) / (2/log2(2) + 1/log2(3)).
    const second = (1 + 2 / 2.807354922) / (2 + 1 / 1.584962501)
    expect(figures).toEqual({
      ...{ questions: 2, recall_5: 0.75, recall_10: 1, mrr: 0.75, p50_ms: 10, p95_ms: 30 },
      ndcg_10: expect.closeTo((1 / 1.584962501 + second) / 2, 6),
      ...{ cost_per_1000: 1, skipped: 1 },
    })
  })

  it('tell the median from the slowest questions [CX-14]', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `question ${at}`)
    const expectations = new Map(ids.map((id) => [id, [answers('a')]]))
    const results = ids.map((id, at) => result(id, ['a'], { milliseconds: 40 - at }))
    expect(reckonFigures(expectations, results)).toMatchObject({ p50_ms: 20, p95_ms: 38 })
  })

  it('have no cost when a price is unknown, and are null when nothing is judged', () => {
    const expectations = new Map([['one', [answers('a')]]])
    expect(reckonFigures(expectations, [result('one', [], { cost: null })])).toMatchObject({
      ...{ recall_10: 0, mrr: 0, ndcg_10: 0, cost_per_1000: null },
    })
    expect(reckonFigures(expectations, [])).toBeNull()
    expect(reckonFigures(new Map(), [result('one', ['a'])])).toBeNull()
  })

  it('rank the first expected passage', () => {
    expect(firstRank([answers('a'), helps('b')], ['x', 'b', 'a'])).toBe(2)
    expect(firstRank([answers('a')], ['x'])).toBeNull()
  })
})
