import type { Format } from '../elements/port.ts'

export type Measure = { width: number; height: number }

/** The size of a picture in pixels, from its header alone; null if the header does not tell. */
export function measurePicture(bytes: Buffer, format: Format): Measure | null {
  try {
    if (format === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    if (format === 'gif') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    if (format === 'bmp')
      return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) }
    if (format === 'webp') return measureWebp(bytes)
    return format === 'jpg' ? measureJpeg(bytes) : null
  } catch {
    return null
  }
}

/** Three kinds: lossy (VP8), lossless (VP8L) and extended (VP8X). */
function measureWebp(bytes: Buffer): Measure | null {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) }
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

/** Segments follow each other up to the frame header (C0 to CF except C4, C8 and CC), which has the size. */
function measureJpeg(bytes: Buffer): Measure | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const mark = bytes[at + 1] ?? 0
    if (mark === 0xff) {
      at++
      continue
    }
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
