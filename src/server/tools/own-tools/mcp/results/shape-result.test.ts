import { expect, it } from 'vitest'
import { shapeResult } from './shape-result.ts'

const text = (said: string) => ({ type: 'text', text: said })
const shape = (content: unknown[], structuredContent: unknown) =>
  shapeResult({ content, structuredContent, isError: false }, false)

it.each<[string, unknown[], unknown]>([
  ['the same JSON', [text('{\n  "b": 2,\n  "a": 1\n}')], { a: 1, b: 2 }],
  ['the result', [text('Hello')], { result: 'Hello' }],
  ['the items of the result', [text('a'), text('b')], { result: ['a', 'b'] }],
  ['nothing', [], { a: 1 }],
])('returns structured data alone when the text repeats %s', (_, content, structured) => {
  expect(shape(content, structured)).toBe(structured)
})

it('returns the text with structured data that lacks it', () => {
  const link = { type: 'resource_link', uri: 'https://example.com/a', name: 'a' }
  expect(shape([text('Three rows: a, b, c'), link], { count: 3 })).toEqual({
    result: { count: 3 },
    text: 'Three rows: a, b, c\n\n[a: https://example.com/a]',
  })
})

it.each([{}, null])('returns the text next to empty structured data: %j', (structured) => {
  expect(shape([text('Hello')], structured)).toBe('Hello')
})

it('compares a long list with its parts in time that grows with its length', () => {
  const result = Array.from({ length: 2_000 }, (_, id) => ({ city: 'Paris', id }))
  const structured = { result }
  const started = performance.now()
  expect(
    shape(
      result.map((one) => text(JSON.stringify(one))),
      structured,
    ),
  ).toBe(structured)
  expect(performance.now() - started).toBeLessThan(400)
})
