import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

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
  const names = String(encoding ?? '')
    .toLowerCase()
    .split(',')
  const decoder = decoders[names.at(-1)?.trim() ?? '']?.()
  if (!decoder) return null
  decoder.on('data', read).once('end', end).once('error', fail)
  return decoder
}
