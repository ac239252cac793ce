import type { FileHandle } from 'node:fs/promises'
import { Unreadable } from '../elements/port.ts'

export const OLE_SIGNATURE = 'd0cf11e0a1b11ae1'

const MAX_SECTORS = 4096
const END_OF_CHAIN = 0xfffffffa

/**
 * Names of the streams and storages of an OLE file ([MS-CFB] 2.6), from its directory alone. Empty if the directory is
 * invalid. @throws Unreadable if it is truncated
 */
export async function readOleNames(file: FileHandle): Promise<string[]> {
  const head = await readAt(file, 0, 512)
  if (head.length < 512) return []
  const sectorBytes = 2 ** Math.min(16, head.readUInt16LE(30))
  const sector = (number: number) => readAt(file, (number + 1) * sectorBytes, sectorBytes)
  const fatSectors = Array.from({ length: 109 }, (_, at) => head.readUInt32LE(76 + at * 4))
  const names: string[] = []
  const seen = new Set<number>()
  let at = head.readUInt32LE(48)
  while (at < END_OF_CHAIN && !seen.has(at) && seen.size < MAX_SECTORS) {
    seen.add(at)
    const directory = await sector(at)
    if (directory.length < sectorBytes) throw new Unreadable('damaged')
    names.push(...namesIn(directory))
    const fatSector = fatSectors[Math.floor((at * 4) / sectorBytes)]
    if (fatSector === undefined || fatSector >= END_OF_CHAIN) break
    const fat = await sector(fatSector)
    const offset = (at * 4) % sectorBytes
    if (fat.length < offset + 4) throw new Unreadable('damaged')
    at = fat.readUInt32LE(offset)
  }
  return names
}

function namesIn(directory: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const bytes = directory.readUInt16LE(at + 64)
    if (bytes >= 2 && bytes <= 64) names.push(directory.toString('utf16le', at, at + bytes - 2))
  }
  return names
}

async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position)
  return buffer.subarray(0, bytesRead)
}
