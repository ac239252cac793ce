export type Point = { x: number; y: number }
/** The corners of a page in a photo: top left, top right, bottom right, bottom left. */
export type Corners = readonly [Point, Point, Point, Point]
export type Size = { width: number; height: number }

/** Longest side of a straightened page, in pixels. */
const MAX_SIDE = 2200
const MIN_SIDE = 32

/**
 * Returns the projective map from a rectangle at the origin to the corners: nine numbers in rows, the last one 1. Null when
 * three corners are on a line. After Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.3.
 */
export function mapToCorners({ width, height }: Size, [a, b, c, d]: Corners): number[] | null {
  const [dx1, dx2] = [b.x - c.x, d.x - c.x]
  const [dy1, dy2] = [b.y - c.y, d.y - c.y]
  const [sx, sy] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y]
  const area = dx1 * dy2 - dx2 * dy1
  if (Math.abs(area) < 1e-9) return null
  const g = (sx * dy2 - dx2 * sy) / area
  const h = (dx1 * sy - sx * dy1) / area
  const unit = [
    ...[b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x],
    ...[b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y],
    ...[g, h, 1],
  ]
  // The unit square becomes the rectangle.
  return unit.map((value, at) => (at % 3 === 0 ? value / width : at % 3 === 1 ? value / height : value))
}

/** Returns where a map of `mapToCorners` takes a point. */
export function project(map: readonly number[], { x, y }: Point): Point {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 1] = map
  const w = g * x + h * y + i
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w }
}

/** Returns the size of the straightened page: the longer ones of opposite sides, bounded. */
export function sizeOf([a, b, c, d]: Corners): Size {
  const between = (from: Point, to: Point) => Math.hypot(to.x - from.x, to.y - from.y)
  const width = Math.max(between(a, b), between(d, c))
  const height = Math.max(between(a, d), between(b, c))
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  const bounded = (side: number) => Math.max(MIN_SIDE, Math.round(side * scale))
  return { width: bounded(width), height: bounded(height) }
}

/** Returns whether the corners are those of a page that is not folded over: all turns go the same way. */
export function isConvex(corners: Corners): boolean {
  return corners.every((point, at) => {
    const next = corners[(at + 1) % 4] ?? point
    const last = corners[(at + 2) % 4] ?? point
    return (next.x - point.x) * (last.y - next.y) - (next.y - point.y) * (last.x - next.x) > 1e-6
  })
}
