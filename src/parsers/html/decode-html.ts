import { decodeText } from '../text/decode-text.ts'

/** Text of a page: as its bytes show, else as its `meta` says. */
export function decodeHtml(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const decoded = decodeText(bytes)
  if (!decoded.isGuessed) return decoded
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  const declared =
    /<meta[^<>]+charset=["']?([\w-]+)/i.exec(head)?.[1] ?? /encoding=["']([\w-]+)/.exec(head)?.[1]
  if (!declared) return decoded
  try {
    return { text: new TextDecoder(declared).decode(bytes), isGuessed: false }
  } catch {
    return decoded
  }
}
