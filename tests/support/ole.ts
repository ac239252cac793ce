const SECTOR = 512
const FREE = 0xffffffff
const END = 0xfffffffe

/** Creates an OLE file ([MS-CFB]) with empty streams of these names, enough for readers of its directory. */
export function oleOf(streams: string[]): Buffer {
  const head = Buffer.alloc(SECTOR)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head)
  head.writeUInt16LE(9, 30)
  head.writeUInt32LE(1, 48)
  head.writeUInt32LE(0, 76)
  for (let at = 80; at < SECTOR; at += 4) head.writeUInt32LE(FREE, at)
  const names = ['Root Entry', ...streams]
  const directory = Buffer.alloc(Math.ceil((names.length * 128) / SECTOR) * SECTOR)
  names.forEach((name, at) => {
    directory.write(name, at * 128, 'utf16le')
    directory.writeUInt16LE((name.length + 1) * 2, at * 128 + 64)
  })
  const fat = Buffer.alloc(SECTOR, 0xff)
  const sectors = directory.length / SECTOR
  for (let at = 1; at <= sectors; at += 1) fat.writeUInt32LE(at === sectors ? END : at + 1, at * 4)
  return Buffer.concat([head, fat, directory])
}
