import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

type Unpacked = { read: (bytes: Uint8Array) => void; end: () => void; fail: (error: Error) => void }

/** Returns what decodes the body of a server that compresses although it was asked not to; null for a plain body. */
export function unpack(encoding: unknown, { read, end, fail }: Unpacked) {
  const decoder = decoders[String(encoding ?? '').toLowerCase()]?.()
  if (!decoder) return null
  decoder.on('data', read).once('end', end).once('error', fail)
  return decoder
}
