import { describe, expect, it } from 'vitest'
import { findJson } from './find-json.ts'

describe('findJson', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['Here it is:\n```json\n{"a":[1,"}"]}\n```\nGood luck!', { a: [1, '}'] }],
    ['As one says {not this} but {"a":"\\"]"} }', { a: '"]' }],
    ['[[1],[2]] and more', [[1], [2]]],
    ['{"a":', undefined],
    ['nothing', undefined],
  ])('reads the JSON, if any, in %s', (text, value) => {
    expect(findJson(text)).toEqual(value)
  })

  it.each([
    ['brackets that open', (n: number) => '{'.repeat(n)],
    ['brackets that close', (n: number) => `{a${'}'.repeat(n)}`],
    ['braces that look whole', (n: number) => '{a}'.repeat(n / 3)],
    ['strings', (n: number) => '{"'.repeat(n / 2)],
    ['a nest', (n: number) => '[{'.repeat(n / 4) + '}]'.repeat(n / 4)],
  ])('searches in linear time: %s', (_, make) => {
    for (const text of [make(199_992), make(2_000_000)]) {
      const before = process.threadCpuUsage()
      expect(findJson(text)).toBeUndefined()
      // Quadratic time would take seconds.
      expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(400)
    }
  })
})
