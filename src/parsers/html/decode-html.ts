import { decodeBytes } from '../text/decode-bytes.ts'
import { decodeText, type Encoding } from '../text/decode-text.ts'

/** Text of a page: as its bytes show, else as its `meta` says; in a chosen encoding whatever they say. */
export function decodeHtml(bytes: Uint8Array, chosen?: string): Encoding & { text: string } {
  const decoded = decodeText(bytes, chosen)
  if (!decoded.isGuessed) return decoded
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  const declared =
    /<meta[^<>]+charset=["']?([\w-]+)/i.exec(head)?.[1] ?? /encoding=["']([\w-]+)/.exec(head)?.[1]
  if (!declared) return decoded
  try {
    return { text: decodeBytes(bytes, declared), encoding: declared, isGuessed: false }
  } catch {
    return decoded
  }
}
