/** The side of a picture of a person, in pixels: four times what is drawn. */
const SIDE = 256

/** The middle of a picture as a small square; what else the file held, places and cameras included, stays behind. @throws when it is no picture */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const side = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const left = (picture.width - side) / 2
  const top = (picture.height - side) / 2
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE)
  picture.close()
  return new Promise((resolve, reject) => {
    // A browser that writes no WebP gives PNG.
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/webp', 0.9)
  })
}
