import { expect, it } from 'vitest'
import type { Run } from '../page/run.ts'
import { toSegments } from './lines.ts'

/** Returns adjacent runs in visual order, from left to right. */
const line = (...parts: [text: string, width: number][]): Run[] => {
  let left = 100
  return parts.map(([text, width]) => {
    const right = left + width
    const run = { text, left, right, top: 90, bottom: 102, baseline: 100, size: 10, font: 'f' }
    left = right
    return { ...run, isRightToLeft: /\p{Script=Arabic}/u.test(text) }
  })
}

it('separates words of two scripts that touch each other in a right-to-left line', () => {
  expect(toSegments(line(['Python', 40], ['و', 6], ['مرحبا بالعالم', 70])).map(({ text }) => text)).toEqual([
    'مرحبا بالعالمو Python',
  ])
})

it('keeps touching runs together unless both sides are letters', () => {
  expect(toSegments(line(['50', 12], ['٪', 6], ['مرحبا', 40])).map(({ text }) => text)).toEqual(['مرحبا٪50'])
})
