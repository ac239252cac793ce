import type { Format } from '../elements/port.ts'

const signatures: [format: Format, offset: number, bytes: string][] = [
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['jpg', 0, '\xff\xd8\xff'],
  ['gif', 0, 'GIF8'],
  ['bmp', 0, 'BM'],
  ['tiff', 0, 'II*\0'],
  ['tiff', 0, 'MM\0*'],
  ['tiff', 0, 'II+\0'],
  ['webp', 8, 'WEBP'],
  ['wav', 8, 'WAVE'],
  ['avi', 8, 'AVI '],
  ['ogg', 0, 'OggS'],
  ['flac', 0, 'fLaC'],
  ['mp3', 0, 'ID3'],
  ['rtf', 0, '{\\rtf'],
  // Outlook's mail format, mostly `winmail.dat`.
  ['eml', 0, '\x78\x9f\x3e\x22'],
]

const brands: [format: Format, pattern: RegExp][] = [
  ['mov', /^qt/],
  ['m4a', /^M4[AB]/],
  ['mp4', /^(isom|iso\d|mp4|avc1|M4V|MSNV|dash|f4v|3g)/],
]

/** The format of bytes with a signature; undefined if they have none, null if the format is not supported. */
export function sniffBinary(head: Uint8Array): Format | null | undefined {
  const text = Buffer.from(head.subarray(0, 4096)).toString('latin1')
  if (text.slice(0, 1024).includes('%PDF-')) return 'pdf'
  if (text.startsWith('ftyp', 4))
    return brands.find(([, brand]) => brand.test(text.slice(8, 12)))?.[0] ?? null
  if (text.startsWith('\x1aE\xdf\xa3')) return text.includes('webm') ? 'webm' : 'mkv'
  const riff = text.startsWith('RIFF')
  const found = signatures.find(([format, offset, bytes]) => {
    if ((offset === 8 && !riff) || !text.startsWith(bytes, offset)) return false
    return format !== 'bmp' || isBitmap(head)
  })
  if (found) return found[0]
  return frameSync(head)
}

/** A text may begin with the letters BM; in a picture the two reserved numbers are zero. */
function isBitmap(head: Uint8Array): boolean {
  return head.length > 26 && head.subarray(6, 10).every((byte) => byte === 0)
}

/** Sound without a container: frames of MPEG audio and of AAC begin with eleven or twelve set bits. */
function frameSync([first = 0, second = 0, third = 0]: Uint8Array): Format | undefined {
  if (first !== 0xff || third === 0xff) return undefined
  if ((second & 0xf6) === 0xf0) return 'aac'
  const isLayer3 = (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08
  return isLayer3 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c ? 'mp3' : undefined
}
