import { guessCorners } from './guess-corners.ts'
import { type Corners, type Size, sizeOf } from './homography.ts'
import { straighten } from './straighten.ts'

/** Longest side of a photo that is straightened; larger ones are made smaller first. */
const MAX_SIDE = 3200
/** Longest side of the picture in which the corners are looked for. */
const GUESS_SIDE = 300
const JPEG_QUALITY = 0.88

/** Opens a photo the right way up. @throws for a file that the browser cannot read as a picture */
export async function openPhoto(file: File): Promise<ImageBitmap> {
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const { width, height } = sizeWithin(whole, MAX_SIDE)
  if (width === whole.width) return whole
  try {
    return await createImageBitmap(whole, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })
  } finally {
    // A photo of a phone takes some 200 MB.
    whole.close()
  }
}

/** Guesses the corners of the page in a photo, in its pixels. */
export function guessIn(photo: ImageBitmap): Corners {
  const small = sizeWithin(photo, GUESS_SIDE)
  const corners = guessCorners(readPixels(photo, small))
  const scale = photo.width / small.width
  return corners.map(({ x, y }) => ({ x: x * scale, y: y * scale })) as unknown as Corners
}

/** Returns the straightened page as a JPEG file with the name of the photo; null when the corners make no page. */
export async function straightenPhoto(
  photo: ImageBitmap,
  corners: Corners,
  name: string,
): Promise<File | null> {
  const page = straighten(readPixels(photo, photo), corners, sizeOf(corners))
  if (!page) return null
  const canvas = Object.assign(document.createElement('canvas'), { width: page.width, height: page.height })
  const data = new ImageData(page.data as Uint8ClampedArray<ArrayBuffer>, page.width, page.height)
  canvas.getContext('2d')?.putImageData(data, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
  return blob && new File([blob], `${name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
}

function readPixels(photo: ImageBitmap, { width, height }: Size) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser has no canvas')
  context.drawImage(photo, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

function sizeWithin({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
