import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import type * as z from 'zod'
import { firstLine } from '../../platform/explain-failure.ts'
import { createSum, End, endName } from './archive-end.ts'
import { BackupError } from './backup-error.ts'

/** One file in an archive. Read or drain its content before the next entry. */
export type Entry = { name: string; size: number; content: AsyncIterable<Buffer> }

const MAX_END_BYTES = 4_096
const READ_BYTES = 256 << 10

/**
 * Yields the entries of an archive in order; all are ordinary files. Names are not validated.
 * @throws BackupError when the archive is incomplete or modified, at the latest at its end
 */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const handle = await openFile(path)
  try {
    yield* readOpened(handle, path)
  } finally {
    await handle.close()
  }
}

/** Yields the entries of an open file and leaves it open. */
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

/** Returns the content of a small entry. @throws when it is larger than `maxBytes` */
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

/** Wraps the reason an archive is unusable. Errors that already say so stay unchanged. */
export function damaged(path: string, cause: unknown): BackupError {
  if (cause instanceof BackupError) return cause
  const why = firstLine(cause)
  return new BackupError(`${path} is no whole archive of Atrium (${why}): take another one.`, { cause })
}

function readEnd(bytes: Buffer): z.infer<typeof End> {
  return End.parse(JSON.parse(bytes.toString()))
}

/** Yields the bytes of a file from the start. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Yields an entry's content, which the library leaves untyped. */
async function* buffersOf(entry: AsyncIterable<unknown>, path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry) yield chunk as Buffer
  } catch (error) {
    throw damaged(path, error)
  }
}

/** Opens a regular file. Pipes and devices are refused, because they may block or never end. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    throw new BackupError(`${path} cannot be read: ${firstLine(error)}`)
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new BackupError(`${path} is no file: name an archive of "npm run backup".`)
}
