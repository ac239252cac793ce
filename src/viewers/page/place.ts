import type { Box } from '#shared/platform/place.ts'

const share = (value: number) => `${(value * 100).toFixed(3)}%`

/** Returns the CSS position of a box on its page. */
export function placeOf([left, top, right, bottom]: Box) {
  return { left: share(left), top: share(top), width: share(right - left), height: share(bottom - top) }
}

export const areaOf = ([left, top, right, bottom]: Box) => (right - left) * (bottom - top)

export function isInside([left, top, right, bottom]: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}
