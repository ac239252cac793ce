/** Side of a person's picture in pixels: four times the displayed size. */
const SIDE = 256

/** Crops a picture to a small square without metadata such as places and cameras. @throws if it is not a picture */
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
    // A browser without WebP encoding returns PNG.
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/webp', 0.9)
  })
}
