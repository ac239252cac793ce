import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import * as z from 'zod'
import { BackupError } from './backup-error.ts'

/** One file in an archive. Its content must be read, or drained, before the next one comes. */
export type Entry = { name: string; content: AsyncIterable<Buffer> }

export type ArchiveWriter = {
  /** @throws when the content has another size than was said */
  add(name: string, size: number, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void>
}

/** The last entry: how many there are before it, and one checksum over all of them. */
const endName = 'end.json'
const End = z.object({ entries: z.number(), sha256: z.string() })

/**
 * Writes a `.tar.gz` that only its owner may read. It appears under its name once it is whole.
 * @throws BackupError when it cannot be written, or is being written by somebody else
 */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const draft = `${path}.part`
  const tar = pack()
  const sum = createSum()
  const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(Readable.from(tar), createGzip(), output)
  // The side that fails first ends the other, and its reason counts.
  written.catch((error) => tar.destroy(error))
  const add: ArchiveWriter['add'] = async (name, size, content) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
    sum.begin(name, size)
    await pipeline(sum.watch(content), entry)
    await promise
  }
  try {
    await fill({ add })
    const end = Buffer.from(JSON.stringify(sum.end()))
    await add(endName, end.length, [end])
    tar.finalize()
    await written
    await rename(draft, path)
  } catch (error) {
    tar.destroy()
    await written.catch(() => undefined)
    const { code, message, path: where } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new BackupError(`${draft} exists: another backup writes it. If none does, remove it.`)
    await rm(draft, { force: true })
    throw code && where === draft ? new BackupError(`${path} cannot be written: ${message}.`) : error
  }
}

/** The entries of an archive in order. @throws BackupError when it is not whole or was changed; at its end at the latest */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const tar = extract()
  const sum = createSum()
  const fed = pipeline(createReadStream(path), createGunzip(), tar)
  fed.catch(() => undefined)
  let end: z.infer<typeof End> | null = null
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header
      if (end) throw new Error('there is something after its end')
      if (name === endName) end = End.parse(JSON.parse((await readAll(buffersOf(entry, path))).toString()))
      else {
        sum.begin(name, size)
        yield { name, content: sum.watch(buffersOf(entry, path)) }
      }
    }
    await fed
    const found = sum.end()
    if (!end) throw new Error('its end is missing')
    if (found.entries !== end.entries || found.sha256 !== end.sha256)
      throw new Error('its checksum is another')
  } catch (error) {
    throw error instanceof BackupError ? error : damaged(path, error)
  } finally {
    tar.destroy()
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

/** All of a small entry. */
export async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function damaged(path: string, cause: unknown): BackupError {
  const { code, message } = cause as NodeJS.ErrnoException
  if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? ''))
    return new BackupError(`${path} cannot be read: ${message}`)
  return new BackupError(`${path} is no whole archive of Atrium (${message}): take another one.`, { cause })
}

/** One checksum over the names, sizes and contents of all entries: its size does not grow with the archive. */
function createSum() {
  const hash: Hash = createHash('sha256')
  let entries = 0
  return {
    begin(name: string, size: number) {
      entries += 1
      hash.update(`${name}\0${size}\0`)
    },
    async *watch(content: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        hash.update(chunk)
        yield chunk
      }
    },
    end: () => ({ entries, sha256: hash.copy().digest('hex') }),
  }
}
