import { type Canvas, createCanvas } from '@napi-rs/canvas'
import UTIF from 'utif2'
import { type Job, Unreadable } from '../elements/port.ts'
import { rotateCanvas } from '../ocr/rotate-canvas.ts'
import { MAX_PIXELS } from './decode-picture.ts'

/** The orientation of the camera or scanner: the tag's value, and the clockwise rotation that corrects it. */
const turns = new Map<number, 90 | 180 | 270>([
  [3, 180],
  [6, 90],
  [8, 270],
])

/** The pages of a TIFF file, each decoded when it is requested. @throws Unreadable */
export function tiffPages(
  bytes: Buffer,
  { limits }: Pick<Job, 'limits'>,
): { count: number; at: (index: number) => Promise<Canvas> } {
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const pages = readable(() => UTIF.decode(whole)).filter((page) => numberOf(page.t256) > 0)
  if (pages.length === 0) throw new Unreadable('damaged')
  return {
    count: pages.length,
    at: async (index) => {
      const page = pages[index]
      const [width, height] = [numberOf(page?.t256), numberOf(page?.t257)]
      if (!page || width * height > Math.min(MAX_PIXELS, limits.unpackedBytes / 4))
        throw new Unreadable('too_large_inside', { width, height })
      return readable(() => draw(whole, page))
    },
  }
}

type Page = ReturnType<typeof UTIF.decode>[number]

function draw(whole: ArrayBuffer, page: Page): Canvas {
  UTIF.decodeImage(whole, page)
  const canvas = createCanvas(page.width, page.height)
  const context = canvas.getContext('2d')
  const pixels = context.createImageData(page.width, page.height)
  pixels.data.set(UTIF.toRGBA8(page))
  context.putImageData(pixels, 0, 0)
  // Decoded pixels of earlier pages are no longer needed.
  page.data = new Uint8Array()
  const turn = turns.get(numberOf(page.t274))
  return turn ? rotateCanvas(canvas, turn) : canvas
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new Unreadable('damaged', {}, { cause })
  }
}

const numberOf = (tag: unknown): number => (Array.isArray(tag) && typeof tag[0] === 'number' ? tag[0] : 0)
