import { expect, it } from 'vitest'
import { previewOf } from './preview.ts'

it.each([
  ['21 × 2 = **42**.', '21 × 2 = 42.'],
  ['# Title\n\nSome `code` and a [link](https://example.com).', 'Title Some code and a link.'],
  ['- one\n- two\n\n> quoted', 'one two quoted'],
  ['```ts\nconst a = 1\n```', 'const a = 1'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['2 * 3 * 4 and a_b_c', '2 * 3 * 4 and a_b_c'],
  ['x'.repeat(1000), 'x'.repeat(160)],
])('SE-04 shows the words of %j in the history, not its marks', (content, line) => {
  expect(previewOf(content)).toBe(line)
})
