import { AppError } from '#shared/platform/errors.ts'

const [OFFSET_DELTA, NAME_DELTA] = [6, 7]

/** Reads the bytes before the content of an object: its type, its size, and the base of a delta. `length` is their number. */
export function readEntryHead(
  bytes: Buffer,
  at: number,
): { type: number; size: number; base: number | string | null; length: number } {
  let position = 0
  const next = () => {
    const byte = bytes[position]
    if (byte === undefined) throw new AppError('unavailable', 'The repository arrived damaged.')
    position += 1
    return byte
  }
  let byte = next()
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let factor = 16; byte & 128; factor *= 128) {
    byte = next()
    size += (byte & 127) * factor
  }
  if (!Number.isSafeInteger(size)) throw new AppError('unavailable', 'The repository arrived damaged.')
  if (type === NAME_DELTA) {
    const base = bytes.toString('hex', position, position + 20)
    return { type, size, base, length: position + 20 }
  }
  if (type !== OFFSET_DELTA) return { type, size, base: null, length: position }
  byte = next()
  let back = byte & 127
  while (byte & 128) {
    byte = next()
    back = (back + 1) * 128 + (byte & 127)
  }
  if (back <= 0 || back > at) throw new AppError('unavailable', 'The repository arrived damaged.')
  return { type, size, base: at - back, length: position }
}
