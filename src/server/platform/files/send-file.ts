import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { FileStore } from './file-port.ts'
import { mediaTypeOf } from './media-types.ts'

/** Storage key of a file, its name, and its kind as an extension. */
export type Content = { key: string; name: string; kind: string }
type Sent = Content & { isOriginal?: boolean }

/**
 * Sends a stored file or the requested range of it. Its content is never executed on this origin.
 * @throws AppError `not_found`, `invalid`
 */
export async function sendFile(
  { files }: { files: FileStore },
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { key, name, kind, isOriginal = false }: Sent,
): Promise<void> {
  const size = await files.size(key)
  if (size === null) throw new AppError('not_found', 'The file is gone.')
  const range = readRange(headers.range, size)
  reply
    .header('content-type', safeType(kind))
    .header('accept-ranges', 'bytes')
    .header(
      'content-disposition',
      `${isOriginal ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    )
    .header(
      'content-security-policy',
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    )
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-cache')
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw new AppError('invalid', 'The range is outside of the file.')
  }
  if (!range) return void (await reply.header('content-length', size).send(await files.read(key)))
  await reply
    .status(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1)
    .send(await files.read(key, range))
}

/** Sends markup as text, even if someone opens the address directly. */
function safeType(kind: string): string {
  const type = mediaTypeOf(kind)
  return /html|xml|svg/.test(type) && !type.includes('officedocument') ? 'text/plain; charset=utf-8' : type
}

/** Parses one byte range. Several ranges and other units get the whole file. RFC 9110, 14.1.2. */
function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}
