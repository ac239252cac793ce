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
  zstdDecompress,
} from 'node:zlib'

type Whole = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>
type Encoding = { stream: () => Transform; whole: Whole }

const gzip: Encoding = { stream: createGunzip, whole: promisify(gunzip) }
const encodings: Record<string, Encoding> = {
  gzip,
  'x-gzip': gzip,
  deflate: { stream: createInflate, whole: promisify(inflate) },
  br: { stream: createBrotliDecompress, whole: promisify(brotliDecompress) },
  zstd: { stream: createZstdDecompress, whole: promisify(zstdDecompress) },
}

/** Proxies compress once more what a server has compressed. */
const MAX_LAYERS = 3

type Unpacked = { read: (bytes: Uint8Array) => void; end: () => void; fail: (error: Error) => void }

/** Returns a writer for the body of a server that compresses although it was asked not to. A plain body passes unchanged. */
export function unpack(encoding: unknown, given: Unpacked): Layer {
  return createLayer(encodingsOf(encoding), given, MAX_LAYERS)
}

type Layer = { write: (bytes: Uint8Array) => void; end: () => void; destroy: () => void }

function createLayer(named: Encoding[], given: Unpacked, left: number): Layer {
  let decoder: Transform | null = null
  let inner: Layer | null = null
  let isFirst = true
  const open = (encoding: Encoding): Transform => {
    inner = createLayer(named.slice(1), given, left - 1)
    return encoding.stream().on('data', inner.write).once('end', inner.end).once('error', given.fail)
  }
  return {
    write: (bytes) => {
      const encoding = isFirst && left > 0 ? encodingFor(named[0], bytes) : null
      isFirst = false
      if (encoding) decoder = open(encoding)
      if (decoder) decoder.write(bytes)
      else given.read(bytes)
    },
    end: () => {
      if (decoder) decoder.end()
      else given.end()
    },
    destroy: () => {
      decoder?.destroy()
      inner?.destroy()
    },
  }
}

/** Returns a whole body without its compression. @throws an error for damaged bytes, and for more than `most` */
export async function unpackWhole(encoding: unknown, bytes: Buffer, most: number): Promise<Buffer> {
  const named = encodingsOf(encoding)
  let plain = bytes
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const found = encodingFor(named[layer], plain)
    if (!found) break
    plain = await found.whole(plain, { maxOutputLength: most })
  }
  return plain
}

/** Returns the known encodings of a header, the outermost first. */
const encodingsOf = (encoding: unknown): Encoding[] =>
  String(encoding ?? '')
    .toLowerCase()
    .split(',')
    .flatMap((name) => (Object.hasOwn(encodings, name.trim()) ? [encodings[name.trim()] as Encoding] : []))
    .reverse()

/** Gzip is recognized by its first bytes: some servers do not announce it, and proxies that removed it leave the header. */
const encodingFor = (named: Encoding | undefined, bytes: Uint8Array): Encoding | null =>
  named && named !== gzip ? named : isGzip(bytes) ? gzip : null

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b
