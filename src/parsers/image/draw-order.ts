import type { Limits } from '../elements/port.ts'

/** A picture, or a page of a document, to be drawn as `DRAWN` in the output folder. */
export type DrawOrder = {
  path: string
  name: string
  outFolder: string
  limits: Limits
  /** Starts at 1. */
  page: number
  /** Maximum width and height of the result in pixels. */
  longest: number
}

/** The result of an order: JPEG, which every provider and local server accepts. */
export const DRAWN = 'drawn.jpg'
