export type ZoomRange = { least: number; most: number }

const STEPS_PER_ONE = 10

export const PDF_ZOOM: ZoomRange = { least: 0.2, most: 3 }
export const IMAGE_ZOOM: ZoomRange = { least: 0.1, most: 5 }

export const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** Returns the next tenth above or below, within the range: from 1.37 to 1.4 or 1.3. */
export function stepZoom(zoom: number, direction: 1 | -1, { least, most }: ZoomRange): number {
  const tenths = Number((zoom * STEPS_PER_ONE).toFixed(6))
  const next = direction > 0 ? Math.floor(tenths) + 1 : Math.ceil(tenths) - 1
  return clamp(next / STEPS_PER_ONE, least, most)
}

/** Returns the nearest tenth, within the range. */
export function roundZoom(zoom: number, { least, most }: ZoomRange): number {
  return clamp(Math.round(zoom * STEPS_PER_ONE) / STEPS_PER_ONE, least, most)
}
