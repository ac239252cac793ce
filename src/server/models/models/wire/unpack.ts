import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  inflate,
} from 'node:zlib'

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

type Unpacked = { read: (bytes: Uint8Array) => void; end: () => void; fail: (error: Error) => void }

/** Returns true for the beginning of a compressed body, which some servers do not announce. */
export const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

/** Returns a decoder for the body of a server that compresses although it was asked not to; null for a plain body. */
export function unpack(encoding: unknown, { read, end, fail }: Unpacked) {
  const decoder = decoders[lastOf(encoding)]?.()
  if (!decoder) return null
  decoder.on('data', read).once('end', end).once('error', fail)
  return decoder
}

const wholes: Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Returns a whole body without its compression. @throws an error for damaged bytes, and for more than `most` */
export async function unpackWhole(encoding: unknown, bytes: Buffer, most: number): Promise<Buffer> {
  const whole = wholes[isGzip(bytes) ? 'gzip' : lastOf(encoding)]
  return whole ? whole(bytes, { maxOutputLength: most }) : bytes
}

const lastOf = (encoding: unknown): string =>
  String(encoding ?? '')
    .toLowerCase()
    .split(',')
    .at(-1)
    ?.trim() ?? ''
