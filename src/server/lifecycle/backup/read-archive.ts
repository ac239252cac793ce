import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import type * as z from 'zod'
import { firstLine } from '../../platform/explain-failure.ts'
import { createSum, End, endName } from './archive-end.ts'
import { BackupError } from './backup-error.ts'

/** One file in an archive. Its content must be read, or drained, before the next one comes. */
export type Entry = { name: string; size: number; content: AsyncIterable<Buffer> }

const MAX_END_BYTES = 4_096
const READ_BYTES = 256 << 10

/**
 * The entries of an archive in order, each an ordinary file. Their names are not checked.
 * @throws BackupError when the archive is incomplete or was changed, at its end at the latest
 */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const handle = await openFile(path)
  try {
    yield* readOpened(handle, path)
  } finally {
    await handle.close()
  }
}

/** The same from a file that is open and stays open. */
export async function* readOpened(handle: FileHandle, path: string): AsyncGenerator<Entry> {
  const tar = extract()
  const sum = createSum()
  const fed = pipeline(bytesOf(handle), createGunzip(), tar)
  fed.catch(() => undefined)
  let end: z.infer<typeof End> | null = null
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      if (end) throw new Error('there is something after its end')
      if (type !== 'file') throw new Error('it holds something that is no file')
      if (name === endName) end = readEnd(await readAll(buffersOf(entry, path), MAX_END_BYTES))
      else {
        sum.begin(name, size)
        yield { name, size, content: sum.watch(buffersOf(entry, path)) }
      }
    }
    await fed
    const found = sum.end()
    if (!end) throw new Error('its end is missing')
    if (found.entries !== end.entries || found.sha256 !== end.sha256)
      throw new Error('its checksum is another')
  } catch (error) {
    throw damaged(path, error)
  } finally {
    tar.destroy()
    await fed.catch(() => undefined)
  }
}

/** All of a small entry. @throws when it is larger than `maxBytes` */
export async function readAll(content: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('an entry is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

/** Why an archive is not used. What says so already stays as it is. */
export function damaged(path: string, cause: unknown): BackupError {
  if (cause instanceof BackupError) return cause
  const why = firstLine(cause)
  return new BackupError(`${path} is no whole archive of Atrium (${why}): take another one.`, { cause })
}

function readEnd(bytes: Buffer): z.infer<typeof End> {
  return End.parse(JSON.parse(bytes.toString()))
}

/** All bytes of a file from its beginning. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The content of an entry; the library gives it no type. */
async function* buffersOf(entry: AsyncIterable<unknown>, path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry) yield chunk as Buffer
  } catch (error) {
    throw damaged(path, error)
  }
}

/** Opening a pipe would wait for its writer, and a device may have no end: both are refused. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    throw new BackupError(`${path} cannot be read: ${firstLine(error)}`)
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new BackupError(`${path} is no file: name an archive of "npm run backup".`)
}
