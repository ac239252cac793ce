import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { type Job, Unreadable } from '../elements/port.ts'
import { decodeBytes } from '../text/decode-bytes.ts'
import { nameEncoding } from './name-encoding.ts'

/** A file in a zip. Its name never leads out of the folder it would be unpacked to. */
export type ZipEntry = { name: string; size: number; isEncrypted: boolean }

/** An open zip; call `close`. Its output is counted, whatever its directory declares. */
export type Zip = {
  entries: ZipEntry[]
  /** Names that lead out of their folder or are empty; they cannot be read. */
  refused: string[]
  has(name: string): boolean
  /** @throws Unreadable if it is larger than declared or than the limit. Null if there is no such entry. */
  read(name: string): Promise<Buffer | null>
  stream(name: string): Promise<Readable | null>
  unpack(name: string, target: string): Promise<void>
  close(): void
}

/** Text shrinks 10 to 100 times; a large entry that shrinks more than this is made to fill a disk. */
const MAX_COMPRESSION_RATIO = 300
const RATIO_COUNTS_FROM = 64 * 1024 * 1024
/** The maximum size of a part that is read as a whole. */
const MAX_PART_BYTES = 256 * 1024 * 1024

/**
 * Opens a zip after checking its directory: the number of entries, their total size and the declared compression ratio.
 * @throws Unreadable
 */
export async function openZip(job: Pick<Job, 'path' | 'limits' | 'signal'>): Promise<Zip> {
  const zip = await openDirectory(job.path)
  try {
    const entries = new Map<string, Entry>()
    const refused: string[] = []
    await readDirectory(zip, job, entries, refused)
    return guarded(zip, entries, refused, job)
  } catch (error) {
    zip.close()
    throw translate(error)
  }
}

async function openDirectory(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false })
  } catch (error) {
    throw (await isOleFile(path)) ? new Unreadable('encrypted') : translate(error)
  }
}

async function readDirectory(
  zip: ZipFile,
  { path, limits, signal }: Pick<Job, 'path' | 'limits' | 'signal'>,
  entries: Map<string, Entry>,
  refused: string[],
): Promise<void> {
  if (zip.entryCount > limits.entries) throw new Unreadable('too_large_inside', { entries: limits.entries })
  let declared = 0
  const all: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted()
    all.push(entry)
  }
  const encoding = nameEncoding(all.filter(isUnnamed).map(({ fileNameRaw }) => fileNameRaw))
  for (const entry of all) {
    const written = writtenName(entry, encoding)
    if (written.endsWith('/')) continue
    declared += entry.uncompressedSize
    const name = plainName(written)
    if (name === null) refused.push(written)
    else if (!entries.has(name)) entries.set(name, entry)
  }
  const isBlownUp = declared > RATIO_COUNTS_FROM && declared > zip.fileSize * MAX_COMPRESSION_RATIO
  if (declared > limits.unpackedBytes || isBlownUp)
    throw new Unreadable('too_large_inside', { megabytes: Math.round(limits.unpackedBytes / 1e6) })
  if (entries.size === 0 && refused.length === 0 && zip.fileSize > 22)
    throw new Unreadable('damaged', {}, { cause: new Error(`nothing in ${path}`) })
}

function guarded(
  zip: ZipFile,
  entries: Map<string, Entry>,
  refused: string[],
  { limits, signal }: Pick<Job, 'limits' | 'signal'>,
): Zip {
  let given = 0
  const count = (bytes: number) => {
    given += bytes
    // A part may be read twice (its beginning, then the whole), but not many times.
    if (given > limits.unpackedBytes * 2)
      throw new Unreadable('too_large_inside', { megabytes: Math.round(limits.unpackedBytes / 1e6) })
  }
  const stream = async (name: string) => {
    const entry = entries.get(name)
    if (!entry) return null
    if (entry.isEncrypted()) throw new Unreadable('encrypted')
    try {
      const source = await zip.openReadStreamPromise(entry)
      const counter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          try {
            signal.throwIfAborted()
            count(chunk.length)
            done(null, chunk)
          } catch (error) {
            done(error instanceof Error ? error : new Error(String(error)))
          }
        },
      })
      source.on('error', (error) => counter.destroy(translate(error)))
      counter.on('close', () => source.destroy())
      return source.pipe(counter)
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    entries: [...entries].map(([name, entry]) => ({
      name,
      size: entry.uncompressedSize,
      isEncrypted: entry.isEncrypted(),
    })),
    refused,
    has: (name) => entries.has(name),
    stream,
    read: async (name) => {
      const source = await stream(name)
      return source && readWhole(source)
    },
    unpack: async (name, target) => {
      const source = await stream(name)
      if (source) await pipeline(source, createWriteStream(target))
    },
    close: () => zip.close(),
  }
}

async function readWhole(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > MAX_PART_BYTES)
      throw new Unreadable('too_large_inside', { megabytes: MAX_PART_BYTES / 1024 / 1024 })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The library refuses a whole zip for one bad name; here only that entry is refused. */
function writtenName(entry: Entry, encoding: string | null): string {
  if (encoding && isUnnamed(entry)) return decodeBytes(entry.fileNameRaw, encoding)
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
}

const UTF8_FLAG = 0x800
const UNICODE_PATH = 0x7075

/** Returns whether an entry does not say which letters its name is made of. */
const isUnnamed = ({ generalPurposeBitFlag, extraFields }: Entry) =>
  (generalPurposeBitFlag & UTF8_FLAG) === 0 && !extraFields.some(({ id }) => id === UNICODE_PATH)

/** A name with forward slashes that stays in its folder, else null. */
function plainName(name: string): string | null {
  const plain = name.replaceAll('\\', '/').replace(/^\.\//, '')
  const isTrick = plain.startsWith('/') || /^[a-z]:/i.test(plain) || plain.includes('\0')
  if (isTrick || plain.split('/').some((part) => part === '..') || plain === '') return null
  return plain
}

/** Office files with a password are not zips but encrypted inside an OLE file. */
async function isOleFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.toString('hex') === 'd0cf11e0a1b11ae1'
  } finally {
    await file.close()
  }
}

/** Converts errors of the zip library and zlib. Errors of the caller, and an abort, pass through. */
function translate(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (error instanceof Unreadable || error.name === 'AbortError') return error
  const isLarger = /too many bytes in the stream/.test(error.message)
  return new Unreadable(isLarger ? 'too_large_inside' : 'damaged', {}, { cause: error })
}
