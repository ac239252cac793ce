import { AppError } from '#shared/platform/errors.ts'

const damaged = () => new AppError('unavailable', 'The repository arrived damaged.')

/** Returns the object that a delta makes of its base; null when it is larger than `maxBytes`. @throws AppError `unavailable` */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer | null {
  let at = 0
  const next = () => {
    const byte = delta[at]
    if (byte === undefined) throw damaged()
    at += 1
    return byte
  }
  const readSize = () => {
    let [size, factor, byte] = [0, 1, 128]
    while (byte & 128) {
      byte = next()
      size += (byte & 127) * factor
      factor *= 128
    }
    return size
  }
  /** Reads the bytes that a mask names, the lowest first. */
  const readBytes = (mask: number, count: number) => {
    let value = 0
    for (let index = 0; index < count; index += 1) if (mask & (1 << index)) value += next() * 256 ** index
    return value
  }
  if (readSize() !== base.length) throw damaged()
  const size = readSize()
  if (size > maxBytes) return null
  const result = Buffer.alloc(size)
  let written = 0
  while (at < delta.length) {
    const order = next()
    const isCopy = (order & 128) !== 0
    const from = isCopy ? readBytes(order, 4) : at
    const length = isCopy ? readBytes(order >> 4, 3) || 65_536 : order
    const source = isCopy ? base : delta
    if (length === 0 || from + length > source.length || written + length > size) throw damaged()
    source.copy(result, written, from, from + length)
    written += length
    if (!isCopy) at += length
  }
  if (written !== size) throw damaged()
  return result
}
