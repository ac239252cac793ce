import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'
/** The same bytes for clients that accept an encoding, and for those that accept none. */
export type Encoded = { plain: Buffer; br: Buffer; gzip: Buffer }

/** The highest quality takes ten times longer and saves a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Compresses bytes for all clients, in threads of zlib. */
export async function encode(plain: Buffer): Promise<Encoded> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain, BROTLI), promisify(gzip)(plain)])
  return { plain, br, gzip: gzipped }
}

/** Returns the best encoding a client accepts, from its `Accept-Encoding` header. */
export function encodingFor(accepted: string | string[] = ''): Encoding | 'plain' {
  const names = String(accepted)
    .slice(0, 500)
    .split(',')
    .flatMap((one) => {
      const [name = '', ...weights] = one.split(';').map((part) => part.trim().toLowerCase())
      return weights.some((weight) => /^q=0(\.0*)?$/.test(weight)) ? [] : [name]
    })
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'plain'
}
