import { trimZeros } from './trim-zeros.ts'

/** Lengths of fixed-length values in bytes, by type ([MS-OXCDATA] 2.11.1); shorter values are padded. */
const FIXED: Record<number, number> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
}
const [STRING8, UNICODE, OBJECT, BINARY, MULTIPLE] = [0x1e, 0x1f, 0x0d, 0x102, 0x1000]

export type Properties = {
  text(id: number): string
  bytes(id: number): Uint8Array | null
}

/** Reads a list of MAPI properties as TNEF stores them ([MS-OXTNEF] 2.1.3.4). @throws RangeError when it is truncated */
export function readProperties(data: Buffer, encoding: string): Properties {
  const values = new Map<number, { type: number; value: Buffer }>()
  let at = 0
  const long = () => {
    at += 4
    return data.readUInt32LE(at - 4)
  }
  const skip = (bytes: number) => {
    at += bytes + ((4 - (bytes % 4)) % 4)
    if (at > data.length + 3) throw new RangeError('cut')
  }
  const skipName = () => {
    at += 16
    if (long() === 0) at += 4
    else skip(long())
  }
  const count = long()
  for (let property = 0; property < count; property += 1) {
    const tag = long()
    const [type, id] = [tag & 0xffff, tag >>> 16]
    if (id >= 0x8000) skipName()
    const base = type & ~MULTIPLE
    const isVariable = base === STRING8 || base === UNICODE || base === OBJECT || base === BINARY
    const times = isVariable || type & MULTIPLE ? long() : 1
    for (let one = 0; one < times; one += 1) {
      const length = isVariable ? long() : FIXED[base]
      if (length === undefined) throw new RangeError(`type ${base}`)
      if (at + length > data.length) throw new RangeError('cut')
      if (one === 0) values.set(id, { type: base, value: data.subarray(at, at + length) })
      skip(length)
    }
  }
  return {
    bytes: (id) => values.get(id)?.value ?? null,
    text: (id) => {
      const found = values.get(id)
      if (!found) return ''
      const decoder = new TextDecoder(found.type === UNICODE ? 'utf-16le' : encoding)
      return trimZeros(decoder.decode(found.value))
    },
  }
}
