import { type Corners, mapToCorners, type Size } from './homography.ts'

/** Pixels in rows, four bytes each: red, green, blue, alpha. */
export type Pixels = Size & { data: Uint8ClampedArray }

/** Returns the page between the corners of a photo as a rectangle; null when three corners are on a line. */
export function straighten(photo: Pixels, corners: Corners, size: Size): Pixels | null {
  const map = mapToCorners(size, corners)
  if (!map) return null
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 1] = map
  const data = new Uint8ClampedArray(size.width * size.height * 4)
  for (let row = 0, at = 0; row < size.height; row += 1)
    for (let column = 0; column < size.width; column += 1, at += 4) {
      const [x, y] = [column + 0.5, row + 0.5]
      const w = g * x + h * y + i
      sample(photo, (a * x + b * y + c) / w - 0.5, (d * x + e * y + f) / w - 0.5, data, at)
    }
  return { ...size, data }
}

/** Writes the colour at a place between four pixels, weighted by their distance. */
function sample(
  { data, width, height }: Pixels,
  x: number,
  y: number,
  into: Uint8ClampedArray,
  at: number,
): void {
  const within = (value: number, max: number) => Math.min(max, Math.max(0, value))
  const [left, top] = [within(Math.floor(x), width - 1), within(Math.floor(y), height - 1)]
  const [right, bottom] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)]
  const [across, down] = [within(x - left, 1), within(y - top, 1)]
  const [p, q, r, s] = [
    ...[(top * width + left) * 4, (top * width + right) * 4],
    ...[(bottom * width + left) * 4, (bottom * width + right) * 4],
  ] as [number, number, number, number]
  for (let part = 0; part < 3; part += 1) {
    const above = (data[p + part] ?? 0) * (1 - across) + (data[q + part] ?? 0) * across
    const below = (data[r + part] ?? 0) * (1 - across) + (data[s + part] ?? 0) * across
    into[at + part] = above * (1 - down) + below * down
  }
  into[at + 3] = 255
}
