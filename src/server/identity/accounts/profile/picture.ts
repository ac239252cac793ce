import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { refuseHalf } from '../../../platform/http/refuse-half.ts'
import type { Platform } from '../../../platform/platform.ts'
import { keepPicture, type Picture, readPicture } from './picture-store.ts'

/** Signatures of supported pictures. The declared type is ignored. */
const signatures: [Picture['media_type'], (head: Buffer) => boolean][] = [
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (head) => head.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1'))],
  [
    'image/webp',
    (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  ],
]

/**
 * Stores the single file of a form as the user's picture.
 * @throws AppError `malformed`, `too_large`, `invalid` unless it is PNG, JPEG or WebP
 */
export async function storePicture(
  deps: Pick<Platform, 'db' | 'config'>,
  userId: string,
  request: FastifyRequest,
): Promise<void> {
  const most = deps.config.ATRIUM_LIMIT_PICTURE_KB * 1024
  const limits = { fileSize: most, files: 1, fields: 10 }
  const options = { limits, throwFileSizeLimit: false }
  const part = request.isMultipart() ? await request.file(options).catch(refuseHalf) : undefined
  if (!part) throw new AppError('malformed', 'Send one file as multipart form data.')
  const content = await part.toBuffer().catch(refuseHalf)
  if (part.file.truncated)
    throw new AppError('too_large', `A picture may have ${deps.config.ATRIUM_LIMIT_PICTURE_KB} kB at most.`)
  const known = signatures.find(([, fits]) => fits(content))
  if (!known) throw new AppError('invalid', 'Choose a picture in PNG, JPEG or WebP.')
  await keepPicture(deps, userId, { media_type: known[0], content })
}

/** Sends a picture, or an empty response. Headers prevent active content. */
export async function sendPicture(
  deps: Pick<Platform, 'db'>,
  userId: string,
  reply: FastifyReply,
): Promise<void> {
  const picture = await readPicture(deps, userId)
  if (!picture) return void (await reply.status(204).send())
  const { media_type, content } = picture
  await reply
    .header('content-type', media_type)
    .header('content-disposition', 'inline; filename="picture"')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .send(content)
}
