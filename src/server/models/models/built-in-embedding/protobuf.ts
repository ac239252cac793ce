/** One field of a protobuf message. `bytes` is its content without the length; for a number, the encoded number. */
export type Field = { number: number; wire: number; bytes: Buffer }

const varint = 0
const withLength = 2
const widths: Record<number, number> = { 1: 8, 5: 4 }

/** Returns the fields of a message in order. They share its memory. @throws Error when the message is malformed */
export function readFields(message: Buffer): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)
    const wire = tag.value & 7
    const start = wire === withLength ? readVarint(message, tag.end) : { value: 0, end: tag.end }
    const end = endOf(message, wire, start)
    if (end > message.length) throw new Error('the message ends within a field')
    fields.push({ number: tag.value >>> 3, wire, bytes: message.subarray(start.end, end) })
    at = end
  }
  return fields
}

/** Returns the numbers of a field, packed or not. */
export function readNumbers({ bytes }: Field): number[] {
  const numbers: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = readVarint(bytes, at)
    numbers.push(value)
    at = end
  }
  return numbers
}

/** Encodes a message of these fields. */
export function writeFields(fields: Field[]): Buffer {
  return Buffer.concat(fields.flatMap(writeField))
}

function writeField({ number, wire, bytes }: Field): Buffer[] {
  const head = writeVarint(number * 8 + wire)
  return wire === withLength ? [head, writeVarint(bytes.length), bytes] : [head, bytes]
}

export function bytesField(number: number, bytes: Buffer): Field {
  return { number, wire: withLength, bytes }
}

export function textField(number: number, text: string): Field {
  return bytesField(number, Buffer.from(text))
}

export function numberField(number: number, value: number): Field {
  return { number, wire: varint, bytes: writeVarint(value) }
}

/** Returns a field that contains another message. */
export function messageField(number: number, fields: Field[]): Field {
  return bytesField(number, writeFields(fields))
}

function endOf(message: Buffer, wire: number, { value, end }: { value: number; end: number }): number {
  if (wire === varint) return readVarint(message, end).end
  if (wire === withLength) return end + value
  const width = widths[wire]
  if (width === undefined) throw new Error(`wire type ${wire} is unknown`)
  return end + width
}

/** Exact up to 2^53. Negative numbers, which take ten bytes, have a wrong value but the right end. */
function readVarint(bytes: Buffer, from: number): { value: number; end: number } {
  let value = 0
  for (let at = from, scale = 1; at < bytes.length; at++, scale *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return { value, end: at + 1 }
  }
  throw new Error('the message ends within a number')
}

function writeVarint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
