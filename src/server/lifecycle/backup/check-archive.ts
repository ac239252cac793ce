import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { listMigrations } from '../../platform/db/db.ts'
import { BackupError } from './backup-error.ts'
import {
  Header,
  headerName,
  keyName,
  MAX_HEADER_BYTES,
  MAX_KEY_BYTES,
  MAX_ROWS_BYTES,
  readName,
  readRows,
} from './contents.ts'
import { damaged, drain, type Entry, readAll, readArchive } from './read-archive.ts'

/**
 * Reads a whole archive without changing anything. Returns its header.
 * @throws BackupError when it is damaged, from a newer version, not an archive, or larger than the disk
 */
export async function checkArchive(path: string, config: Config, signal?: AbortSignal): Promise<Header> {
  const room = await measureRoom(config)
  let header: Header | null = null
  for await (const entry of readArchive(path)) {
    signal?.throwIfAborted()
    if (header === null) header = await readHeader(entry, path)
    else await checkEntry(entry, path, room)
  }
  if (header === null) throw foreign(path)
  return header
}

async function readHeader({ name, content }: Entry, path: string): Promise<Header> {
  if (name !== headerName) throw foreign(path)
  const found = await readAll(content, MAX_HEADER_BYTES)
    .then((bytes) => Header.safeParse(JSON.parse(bytes.toString())))
    .catch((error) => {
      throw damaged(path, error)
    })
  const known = new Set(listMigrations())
  if (found.success && found.data.migrations.every((name) => known.has(name))) return found.data
  throw new BackupError(`${path} was made by a newer version of Atrium: restore it with that version.`)
}

async function checkEntry({ name, size, content }: Entry, path: string, room: Room): Promise<void> {
  const place = readName(name)
  if (name !== keyName && place === null)
    throw damaged(path, new Error(`it holds ${JSON.stringify(name.slice(0, 80))}, which no backup writes`))
  if (place) refuseBeyond(room, 'file' in place ? 'files' : 'rows', size, path)
  try {
    if (name === keyName) await readAll(content, MAX_KEY_BYTES)
    else if (place && 'table' in place) readRows(await readAll(content, MAX_ROWS_BYTES))
    else await drain(content)
  } catch (error) {
    throw damaged(path, error)
  }
}

/** Free bytes in the data folder, and which contents of the archive go there. */
type Room = { left: number; holds: Record<'files' | 'rows', boolean> }

async function measureRoom({ dataDir, S3_BUCKET, DATABASE_URL }: Config): Promise<Room> {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  return { left: bavail * bsize, holds: { files: !S3_BUCKET, rows: !DATABASE_URL } }
}

/** Checks the size that each entry declares, because a small archive may unpack to more than the disk. */
function refuseBeyond(room: Room, kind: 'files' | 'rows', size: number, path: string): void {
  if (!room.holds[kind]) return
  room.left -= size
  if (room.left < 0)
    throw new BackupError(`${path} unpacks to more than the data folder has room for: free some space.`)
}

const foreign = (path: string) => new BackupError(`${path} is no archive of Atrium: take another one.`)
