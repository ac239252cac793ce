import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas'
import { type Format, Unreadable } from '../elements/port.ts'
import { measurePicture } from './measure-picture.ts'

/** Larger pictures are refused before they are decoded: 400 MB of memory. */
export const MAX_PIXELS = 100_000_000
/** The size of a drawing is declared by the drawing itself. */
const MAX_SVG_SIDE = 4000

type Look = {
  /** Default: white behind the picture. */
  isTransparent?: boolean
  /** Draws a drawing with this longest side in pixels. Default: its own size. */
  svgSide?: number
}

/** The picture as people see it, rotated as its camera noted. @throws Unreadable */
export async function decodePicture(
  bytes: Buffer,
  format: Format,
  { isTransparent = false, svgSide }: Look = {},
): Promise<Canvas> {
  const size = format === 'svg' ? null : measurePicture(bytes, format)
  if (size && size.width * size.height > MAX_PIXELS)
    throw new Unreadable('too_large_inside', { width: size.width, height: size.height })
  try {
    const image = await loadImage(bytes)
    const longest = Math.max(image.width, image.height)
    if (longest === 0) throw new Error('A picture without pixels')
    const scale = format === 'svg' ? (svgSide ?? Math.min(MAX_SVG_SIDE, longest)) / longest : 1
    // A drawing is drawn at the size of its image, not enlarged afterwards.
    const [width, height] = [Math.ceil(image.width * scale), Math.ceil(image.height * scale)]
    if (scale > 1) [image.width, image.height] = [width, height]
    const canvas = createCanvas(width, height)
    const context = canvas.getContext('2d')
    if (!isTransparent) {
      context.fillStyle = 'white'
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas
  } catch (cause) {
    throw new Unreadable('damaged', {}, { cause })
  }
}
