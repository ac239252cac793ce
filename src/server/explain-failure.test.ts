import { describe, expect, it } from 'vitest'
import { explainFailure, firstLine } from './platform/explain-failure.ts'

class Refusal extends Error {}

describe('the explanation of a failure', () => {
  it.each<[unknown, string]>([
    [new Error('first\n  at second'), 'first'],
    [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new RangeError(), 'RangeError'],
    ['a text', 'a text'],
    [new Error('x'.repeat(1_000)), 'x'.repeat(300)],
  ])('is one short line', (error, line) => {
    expect(firstLine(error)).toBe(line)
  })

  it('keeps messages meant for users and refers to the log for others', () => {
    expect(explainFailure('The start', new Refusal('Do this.\nAnd that.'), [Refusal], 'info')).toBe(
      'Do this. And that.',
    )
    expect(explainFailure('The start', new Error('odd\nstack'), [Refusal], 'info')).toBe(
      'The start failed: odd. ATRIUM_LOG_LEVEL=debug shows where.',
    )
    expect(explainFailure('The start', new Error('odd'), [Refusal], 'debug')).toMatch(/\n {4}at /)
  })
})
