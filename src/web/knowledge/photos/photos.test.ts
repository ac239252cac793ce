import { describe, expect, it } from 'vitest'
import { guessCorners, insetCorners } from './guess-corners.ts'
import { type Corners, isConvex, mapToCorners, project, sizeOf } from './homography.ts'
import { type Pixels, straighten } from './straighten.ts'

const tilted: Corners = [
  { x: 60, y: 30 },
  { x: 250, y: 55 },
  { x: 270, y: 190 },
  { x: 40, y: 170 },
]

/** Draws what `colourAt` says for each pixel. */
function draw(width: number, height: number, colourAt: (x: number, y: number) => number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      data.fill(colourAt(x + 0.5, y + 0.5), at, at + 3)
      data[at + 3] = 255
    }
  return { width, height, data }
}

/** Returns whether a point is within the corners. */
const isInside = (corners: Corners, x: number, y: number) =>
  corners.every((from, at) => {
    const to = corners[(at + 1) % 4] ?? from
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) > 0
  })

describe('mapToCorners', () => {
  it('takes the corners of the rectangle to those of the page', () => {
    const map = mapToCorners({ width: 200, height: 140 }, tilted) ?? []
    const edges = [
      { x: 0, y: 0 },
      { x: 200, y: 0 },
      { x: 200, y: 140 },
      { x: 0, y: 140 },
    ]
    for (const [at, edge] of edges.entries()) {
      const { x, y } = project(map, edge)
      expect(x).toBeCloseTo(tilted[at]?.x ?? 0, 6)
      expect(y).toBeCloseTo(tilted[at]?.y ?? 0, 6)
    }
  })

  it('takes the crossing of the diagonals to the crossing of the diagonals, unlike a bilinear map', () => {
    const map = mapToCorners({ width: 200, height: 140 }, tilted) ?? []
    const { x, y } = project(map, { x: 100, y: 70 })
    const [a, b, c, d] = tilted
    const onLine = (p: typeof a, q: typeof a) => (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)
    expect(onLine(a, c)).toBeCloseTo(0, 5)
    expect(onLine(b, d)).toBeCloseTo(0, 5)
  })

  it('has no map for corners on a line', () => {
    const [a, b] = tilted
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    expect(mapToCorners({ width: 10, height: 10 }, [a, middle, b, a])).toBeNull()
  })
})

describe('sizeOf', () => {
  it('has the longer sides of the page, bounded to 2,200 pixels', () => {
    expect(sizeOf(insetCorners(1000, 500))).toEqual({ width: 840, height: 420 })
    expect(sizeOf(insetCorners(10_000, 5_000))).toEqual({ width: 2200, height: 1100 })
  })
})

describe('isConvex', () => {
  it('refuses crossed corners', () => {
    const [a, b, c, d] = tilted
    expect([isConvex(tilted), isConvex([b, a, c, d]), isConvex([a, b, d, c])]).toEqual([true, false, false])
  })
})

describe('guessCorners', () => {
  it('finds a light page at an angle on a dark table within two pixels', () => {
    const found = guessCorners(draw(300, 220, (x, y) => (isInside(tilted, x, y) ? 235 : 60)))
    for (const [at, { x, y }] of found.entries()) {
      expect(Math.abs(x - (tilted[at]?.x ?? 0))).toBeLessThan(2)
      expect(Math.abs(y - (tilted[at]?.y ?? 0))).toBeLessThan(2)
    }
  })

  it('ignores text on the page and small light things next to it', () => {
    const photo = draw(300, 220, (x, y) => {
      if (x > 285 && y < 12) return 255
      if (!isInside(tilted, x, y)) return 70
      return y > 80 && y < 150 && x > 100 && x < 200 && Math.floor(y) % 6 < 2 ? 30 : 225
    })
    const found = guessCorners(photo)
    expect(Math.abs(found[1].x - 250) + Math.abs(found[1].y - 55)).toBeLessThan(4)
  })

  it('is near the edges of a photo without a page', () => {
    expect(guessCorners(draw(100, 80, () => 128))).toEqual(insetCorners(100, 80))
  })
})

describe('straighten', () => {
  it('makes a rectangle of the page, with everything in its place', () => {
    const size = { width: 200, height: 140 }
    const map = mapToCorners(size, tilted) ?? []
    // The page is dark in its left upper quarter. Drawn by looking up each pixel of a dense grid of the page.
    const photo = draw(300, 220, () => 60)
    for (let y = 0; y < 140; y += 0.25)
      for (let x = 0; x < 200; x += 0.25) {
        const at = project(map, { x, y })
        const pixel = (Math.floor(at.y) * 300 + Math.floor(at.x)) * 4
        photo.data.fill(x < 100 && y < 70 ? 20 : 240, pixel, pixel + 3)
      }
    const page = straighten(photo, tilted, size)
    const greyAt = (x: number, y: number) => page?.data[(y * 200 + x) * 4]
    expect([greyAt(50, 35), greyAt(94, 64), greyAt(106, 35), greyAt(50, 76), greyAt(150, 105)]).toEqual([
      ...[20, 20],
      ...[240, 240, 240],
    ])
    expect(page?.data.length).toBe(200 * 140 * 4)
  })
})
