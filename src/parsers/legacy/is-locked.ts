import type { Format } from '../elements/port.ts'

/** Returns true if an Office file from before 2007 has a password, by the mark of its program. */
export function isLocked(bytes: Buffer, format: Format): boolean {
  if (format === 'doc') return hasLockedText(bytes)
  if (format === 'xls') return hasFilePass(bytes)
  // [MS-PPT] 2.3.2: the token of an encrypted file in the stream of its last user.
  return bytes.includes(Buffer.from('dfc4d1f3', 'hex'))
}

/** [MS-DOC] 2.5.2: a flag in the block at the beginning of the text, which is at the beginning of a sector. */
function hasLockedText(bytes: Buffer): boolean {
  for (let at = 512; at + 12 <= bytes.length; at += 512) {
    if (bytes.readUInt16LE(at) === 0xa5ec) return (bytes.readUInt16LE(at + 10) & 0x0100) !== 0
  }
  return false
}

/** [MS-XLS] 2.4.117: the record after the one that begins the workbook. */
function hasFilePass(bytes: Buffer): boolean {
  for (let at = 512; at + 24 <= bytes.length; at += 512) {
    if (bytes.readUInt16LE(at) !== 0x0809) continue
    const next = at + 4 + bytes.readUInt16LE(at + 2)
    return next + 2 <= bytes.length && bytes.readUInt16LE(next) === 0x002f
  }
  return false
}
