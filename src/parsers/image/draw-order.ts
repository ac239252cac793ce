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
  /** Draws a picture as PNG and keeps what is transparent. Default: JPEG, which every provider and local server accepts. */
  isTransparent?: boolean
}

/** The result of an order: JPEG or PNG. */
export const DRAWN = 'drawn'
