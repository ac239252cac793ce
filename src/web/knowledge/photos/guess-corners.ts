import { type Corners, isConvex, type Point } from './homography.ts'
import type { Pixels } from './straighten.ts'

/** Smallest and largest share of the photo that a page may cover. */
const [MIN_SHARE, MAX_SHARE] = [0.1, 0.97]
/** Distance of the corners from the edges when no page is found, as a share of the photo. */
const INSET = 0.08

/**
 * Guesses the corners of a light page on a darker ground, in pixels of the photo, which should be small (some 300 pixels). Without
 * such a page they are near the corners of the photo.
 */
export function guessCorners(photo: Pixels): Corners {
  const { width, height } = photo
  const light = findLight(photo)
  const page = largestPart(light, width, height)
  const share = page.length / (width * height)
  const corners = share > MIN_SHARE && share < MAX_SHARE ? extremes(page, width) : null
  return corners && isConvex(corners) ? corners : insetCorners(width, height)
}

/** Returns corners at a small distance from the edges. */
export function insetCorners(width: number, height: number): Corners {
  const [left, top] = [width * INSET, height * INSET]
  const [right, bottom] = [width - left, height - top]
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ]
}

/** Marks the pixels above the threshold that separates light from dark best (Otsu, 1979). */
function findLight({ data, width, height }: Pixels): Uint8Array {
  const count = width * height
  const greys = new Uint8Array(count)
  const histogram = new Array<number>(256).fill(0)
  for (let at = 0; at < count; at += 1) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]]
    const grey = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
    greys[at] = grey
    histogram[grey] = (histogram[grey] ?? 0) + 1
  }
  const threshold = thresholdOf(histogram, count)
  return greys.map((grey) => (grey > threshold ? 1 : 0))
}

function thresholdOf(histogram: readonly number[], count: number): number {
  const sum = histogram.reduce((total, times, grey) => total + times * grey, 0)
  let [below, sumBelow, best, threshold] = [0, 0, -1, 127]
  for (const [grey, times] of histogram.entries()) {
    below += times
    sumBelow += times * grey
    if (below === 0 || below === count) continue
    const apart = sumBelow / below - (sum - sumBelow) / (count - below)
    const between = below * (count - below) * apart * apart
    if (between > best) [best, threshold] = [between, grey]
  }
  return threshold
}

/** Returns the pixels of the largest connected part. */
function largestPart(marked: Uint8Array, width: number, height: number): number[] {
  const seen = new Uint8Array(marked.length)
  let largest: number[] = []
  for (let start = 0; start < marked.length; start += 1) {
    if (!marked[start] || seen[start]) continue
    const part = [start]
    seen[start] = 1
    for (let next = 0; next < part.length; next += 1) {
      const at = part[next] ?? 0
      const [x, y] = [at % width, Math.floor(at / width)]
      for (const [nx, ny] of [
        [x - 1, y],
        [x + 1, y],
        [x, y - 1],
        [x, y + 1],
      ] as const) {
        const neighbour = ny * width + nx
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue
        if (!marked[neighbour] || seen[neighbour]) continue
        seen[neighbour] = 1
        part.push(neighbour)
      }
    }
    if (part.length > largest.length) largest = part
  }
  return largest
}

/** Returns the pixels of a part that reach farthest to each corner of the photo. */
function extremes(part: readonly number[], width: number): Corners {
  const farthest = (along: (point: Point) => number) => {
    let [best, found] = [Number.NEGATIVE_INFINITY, { x: 0, y: 0 }]
    for (const at of part) {
      const point = { x: at % width, y: Math.floor(at / width) }
      const reach = along(point)
      if (reach > best) [best, found] = [reach, point]
    }
    return found
  }
  const [topLeft, topRight] = [farthest(({ x, y }) => -x - y), farthest(({ x, y }) => x - y)]
  const [bottomRight, bottomLeft] = [farthest(({ x, y }) => x + y), farthest(({ x, y }) => y - x)]
  // Pixels have a size: the right and lower ones end one later.
  return [
    topLeft,
    { x: topRight.x + 1, y: topRight.y },
    { x: bottomRight.x + 1, y: bottomRight.y + 1 },
    { x: bottomLeft.x, y: bottomLeft.y + 1 },
  ]
}
