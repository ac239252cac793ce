import { expect, test } from 'vitest'
import { GAP, layOutPages, MOST_DRAWN, pageAt, pagesBetween } from './page-layout.ts'

const A4 = { width: 595, height: 842 }
const wide = { width: 842, height: 595 }

test('stacks pages of different sizes', () => {
  const layout = layOutPages([A4, wide, A4], 2)
  expect(layout.tops).toEqual([GAP, GAP + 1684 + GAP, GAP + 1684 + GAP + 1190 + GAP])
  expect(layout).toMatchObject({ width: 1684, height: 4 * GAP + 1684 + 1190 + 1684 })
  expect([0, 1700, 1701, 2906, 2907, 1e6].map((offset) => pageAt(layout, offset))).toEqual([1, 2, 2, 3, 3, 3])
})

test('limits the number of drawn pages, however small they are', () => {
  const layout = layOutPages(Array(300).fill(wide), 0.2)
  const { from, to } = pagesBetween(layout, 5000, 8000)
  expect(to - from + 1).toBe(MOST_DRAWN)
  expect(pagesBetween(layOutPages([A4], 1), 0, 900)).toEqual({ from: 1, to: 1 })
})
