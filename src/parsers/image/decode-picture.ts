import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas'
import { type Format, Unreadable } from '../elements/port.ts'
import { measurePicture } from './measure-picture.ts'

/** Larger pictures are refused before they are decoded: 400 MB of memory. */
export const MAX_PIXELS = 100_000_000
/** The size of a drawing is declared by the drawing itself. */
const MAX_SVG_SIDE = 4000

/** The picture as people see it, rotated as its camera noted. @throws Unreadable */
export async function decodePicture(bytes: Buffer, format: Format): Promise<Canvas> {
  const size = format === 'svg' ? null : measurePicture(bytes, format)
  if (size && size.width * size.height > MAX_PIXELS)
    throw new Unreadable('too_large_inside', { width: size.width, height: size.height })
  try {
    const image = await loadImage(bytes)
    const longest = Math.max(image.width, image.height)
    if (longest === 0) throw new Error('A picture without pixels')
    const scale = format === 'svg' ? Math.min(1, MAX_SVG_SIDE / longest) : 1
    const canvas = createCanvas(Math.ceil(image.width * scale), Math.ceil(image.height * scale))
    const context = canvas.getContext('2d')
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas
  } catch (cause) {
    throw new Unreadable('damaged', {}, { cause })
  }
}
