import iconv from 'iconv-lite'

/** Code pages of DOS, which the Encoding Standard lacks, with the names of the library. */
const ofDos: Record<string, string> = {
  ibm437: 'cp437',
  ibm737: 'cp737',
  ibm850: 'cp850',
  ibm852: 'cp852',
  ibm857: 'cp857',
}

/** Decodes bytes in an encoding of the Encoding Standard, UTF-32 or a code page of DOS. Throws a RangeError for others. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, encoding === 'utf-32le')
  return createDecoder(encoding)(bytes)
}

/** Returns a decoder of consecutive chunks; without a chunk it ends the text. Not for UTF-32. */
export function createDecoder(encoding: string): (chunk?: Uint8Array, isMore?: boolean) => string {
  const page = ofDos[encoding]
  if (page) return (chunk = new Uint8Array()) => iconv.decode(chunk, page)
  const decoder = new TextDecoder(encoding)
  // Vietnamese in Windows-1258 has its tones as combining marks.
  if (encoding !== 'windows-1258') return (chunk, isMore = false) => decoder.decode(chunk, { stream: isMore })
  return (chunk, isMore = false) => decoder.decode(chunk, { stream: isMore }).normalize('NFC')
}

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  }
  return parts.join('').replace(/^\ufeff/, '')
}
