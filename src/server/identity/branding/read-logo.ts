import { writeFile } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { MAX_LOGO_BYTES } from '#shared/identity/branding/branding.ts'
import { AppError } from '#shared/platform/errors.ts'
import { refuseHalf } from '../../platform/http/refuse-half.ts'
import { Unreadable } from '../../platform/parsing/parsing.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Logo } from './brand-store.ts'

/** Longest side of a stored logo in pixels. */
const LONGEST = 512
const DRAW_MS = 30_000
/** A logo has one page and contains no files. */
const limits = { pages: 1, characters: 100_000, rows: 1, unpackedBytes: 1, entries: 1, depth: 0 }

/**
 * Reads the single file of a form as a logo, drawn again as PNG by a reader's process: nothing of the file itself is stored or served.
 * @throws AppError `malformed`, `too_large`, `invalid` unless it is a picture in PNG, JPEG, WebP or SVG
 */
export async function receiveLogo(
  { parsing }: Pick<Platform, 'parsing'>,
  request: FastifyRequest,
): Promise<Logo> {
  const options = { limits: { fileSize: MAX_LOGO_BYTES, files: 1, fields: 10 }, throwFileSizeLimit: false }
  const part = request.isMultipart() ? await request.file(options).catch(refuseHalf) : undefined
  if (!part) throw new AppError('malformed', 'Send one file as multipart form data.')
  const given = await part.toBuffer().catch(refuseHalf)
  if (part.file.truncated) throw new AppError('too_large', 'A logo may have 256 kB at most.')
  if (!isKnown(given)) throw noLogo()
  try {
    const content = await parsing.draw(
      { name: 'logo', page: 1, longest: LONGEST, isTransparent: true, limits },
      { signal: AbortSignal.timeout(DRAW_MS), bring: (path) => writeFile(path, given) },
    )
    return { content, width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
  } catch (error) {
    if (error instanceof Unreadable) throw noLogo()
    throw error
  }
}

/** Other pictures that a reader knows, such as GIF, are refused. The drawing itself is checked by the reader. */
function isKnown(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1a\n') || head.startsWith('\xff\xd8\xff')) return true
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return true
  return file.includes('<svg')
}

const noLogo = () => new AppError('invalid', 'Choose a logo in PNG, JPEG, WebP or SVG.')
