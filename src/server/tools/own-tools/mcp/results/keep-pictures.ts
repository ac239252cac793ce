import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { MediaReference } from '#shared/tools/media/media.ts'
import type { ImagePort } from '#shared/tools/tools/image-port.ts'
import type { McpResult } from '../../../../platform/mcp/mcp.ts'
import { readPictureName } from './picture-name.ts'

const MAX_PICTURES = 8
const Picture = z.union([
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: z.string(), mimeType: z.string().regex(/^image\//), blob: z.string() }),
  }),
])

/** An answer whose pictures are replaced with their names, and the stored pictures. */
export type WithPictures = { result: McpResult; pictures: MediaReference[] }

/**
 * Stores the pictures of a server's answer, so that the person and the model see them. A picture that cannot be stored
 * remains unchanged.
 */
export async function keepPictures(
  result: McpResult,
  images: Pick<ImagePort, 'keep'>,
): Promise<WithPictures> {
  const pictures: MediaReference[] = []
  const content: unknown[] = []
  for (const part of result.isError ? [] : result.content) {
    const kept = pictures.length < MAX_PICTURES ? await keepPicture(part, pictures.length + 1, images) : null
    if (kept) pictures.push(kept)
    content.push(kept ? { type: 'text', text: `[${kept.name}]` } : part)
  }
  return pictures.length > 0 ? { result: { ...result, content }, pictures } : { result, pictures }
}

async function keepPicture(
  part: unknown,
  number: number,
  images: Pick<ImagePort, 'keep'>,
): Promise<MediaReference | null> {
  const { data: picture } = Picture.safeParse(part)
  if (!picture) return null
  const base64 = picture.type === 'image' ? picture.data : picture.resource.blob
  const name = picture.type === 'resource' ? readPictureName(picture.resource.uri) : null
  try {
    return await images.keep(name ?? `image-${number}`, Buffer.from(base64, 'base64'))
  } catch (error) {
    // The picture is too large, of another format, or there is no storage left; the answer then says that it is
    // not shown.
    if (error instanceof AppError) return null
    throw error
  }
}
