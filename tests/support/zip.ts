import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a test zip. `declaredSize` is a false size. */
export type ZipPart = {
  name: string
  content: string | Uint8Array
  declaredSize?: number
  isEncrypted?: boolean
}

/** Creates a compressed zip of these files. */
export function zipOf(parts: ZipPart[] | Record<string, string | Uint8Array>): Buffer {
  const list = Array.isArray(parts)
    ? parts
    : Object.entries(parts).map(([name, content]) => ({ name, content }))
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of list as ZipPart[]) {
    const content = Buffer.from(part.content)
    const name = Buffer.from(part.name)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x0800 | (part.isEncrypted ? 1 : 0), 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(part.declaredSize ?? content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    files.push(Buffer.from('PK\x03\x04'), fields, name, packed)
    const more = Buffer.alloc(14)
    more.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0'), fields, more, name)
    offset += 30 + name.length + packed.length
  }
  const names = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(list.length, 8)
  end.writeUInt16LE(list.length, 10)
  end.writeUInt32LE(names.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, names, end])
}
