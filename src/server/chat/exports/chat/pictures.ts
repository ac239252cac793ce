import { buffer } from 'node:stream/consumers'
import type { Block, Inline } from '#shared/platform/markdown/tree.ts'
import { findAllowed, type Principal } from '../../../platform/access/access.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ChatDocument, Picture } from './chat-document.ts'
import { mapInlines } from './notes.ts'

/** Maximum size of a picture, and of all pictures of a document together. */
const PICTURE_BYTES = 12 * 1024 * 1024
const PICTURES_BYTES = 60 * 1024 * 1024
/** Maximum side length in pixels. Larger pictures are scaled down. */
const SIDE_MOST = 2_000

const asset = /assets\/tools\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
const inText = /^data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=\s]+)$/

/** Adds the pictures that the user may see. Pictures on other hosts stay links; they are never fetched. */
export async function addPictures(
  deps: Pick<Platform, 'db' | 'files'>,
  principal: Principal,
  document: ChatDocument,
): Promise<void> {
  let left = PICTURES_BYTES
  for (const address of addressesOf(document)) {
    const bytes = await readBytes(deps, principal, address).catch(() => null)
    if (!bytes || bytes.length > Math.min(left, PICTURE_BYTES)) continue
    const picture = await toPicture(bytes).catch(() => null)
    if (!picture) continue
    left -= picture.bytes.length
    document.images[address] = picture
  }
}

async function readBytes(
  deps: Pick<Platform, 'db' | 'files'>,
  principal: Principal,
  address: string,
): Promise<Uint8Array | null> {
  const inside = inText.exec(address)?.[1]
  if (inside !== undefined) return Buffer.from(inside, 'base64')
  const id = asset.exec(address)?.[1]
  return id === undefined ? null : ((await readPicture(deps, principal, id))?.bytes ?? null)
}

/** Returns a picture made by a tool; null for other files and oversized ones. @throws AppError as `findAllowed` does */
export async function readPicture(
  { db, files }: Pick<Platform, 'db' | 'files'>,
  principal: Principal,
  id: string,
): Promise<{ bytes: Buffer; mediaType: string } | null> {
  const { file_key, size, media_type } = await findAllowed(db, principal, 'read media', id)
  if (Number(size) > PICTURE_BYTES || !/^image\/(?:png|jpeg|gif|webp)$/.test(media_type)) return null
  return { bytes: await buffer(await files.read(file_key)), mediaType: media_type }
}

/** Converts to PNG or JPEG, which every format accepts, scaled to page size. */
async function toPicture(bytes: Uint8Array): Promise<Picture> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const image = await loadImage(bytes)
  const scale = Math.min(1, SIDE_MOST / Math.max(image.width, image.height))
  const [width, height] = [
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  ]
  const type = isJpeg(bytes) ? 'jpg' : 'png'
  // Always redrawn: this resolves interlaced PNGs and rotated JPEGs.
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').drawImage(image, 0, 0, width, height)
  const drawn = type === 'jpg' ? await canvas.encode('jpeg', 88) : await canvas.encode('png')
  return { type, width, height, bytes: new Uint8Array(drawn) }
}

const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xd8

function addressesOf({ chapters }: ChatDocument): Set<string> {
  const found = new Set<string>()
  const look = (node: Inline): Inline[] => {
    if (node.type === 'image') found.add(node.url)
    if ('children' in node) node.children.forEach(look)
    return [node]
  }
  const walk = (blocks: Block[]) => blocks.forEach((block) => void mapInlines(block, look))
  for (const { entries } of chapters)
    for (const { parts } of entries)
      for (const part of parts) {
        if (part.kind === 'picture') found.add(part.address)
        if (part.kind === 'text') walk(part.blocks)
      }
  return found
}
