import { clamp } from '../page/zoom.ts'
import type { PageSize } from './pdf-pages.ts'

/** Space between pages, in pixels. */
export const GAP = 16
/** Maximum number of drawn pages. One more may be in progress during a redraw. */
export const MOST_DRAWN = 11

/** Top and height of each page, in pixels. */
export type Layout = { tops: number[]; heights: number[]; width: number; height: number }

export function layOutPages(sizes: readonly PageSize[], zoom: number): Layout {
  const heights = sizes.map(({ height }) => height * zoom)
  const tops: number[] = []
  let height = GAP
  for (const one of heights) {
    tops.push(height)
    height += one + GAP
  }
  const width = sizes.reduce((widest, size) => Math.max(widest, size.width), 0) * zoom
  return { tops, heights, width, height }
}

/** Returns the page at an offset, or the next one below it; from 1. */
export function pageAt({ tops, heights }: Layout, offset: number): number {
  let [low, high] = [0, tops.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tops[middle] ?? 0) + (heights[middle] ?? 0) > offset) high = middle
    else low = middle + 1
  }
  return low + 1
}

/** Returns the pages between two offsets and one more on each side, up to the maximum. */
export function pagesBetween(layout: Layout, top: number, bottom: number): { from: number; to: number } {
  const from = clamp(pageAt(layout, top) - 1, 1, layout.tops.length)
  const to = clamp(pageAt(layout, bottom) + 1, 1, layout.tops.length)
  return { from, to: Math.min(to, from + MOST_DRAWN - 1) }
}
