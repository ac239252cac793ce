import { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { AppError } from '#shared/platform/errors.ts'
import type { FileStore } from '../../../platform/files/files.ts'
import { PartsReader, readRange, type StoredParts } from './parts-reader.ts'

/** A file inside of an export. */
type Member = { name: string; size: number }

/** An export file: a zip, or one bare JSON file, whose name is then empty. */
export type OpenExport = {
  /** JSON files, by name. */
  sources: string[]
  /** All files, by name. */
  members: ReadonlyMap<string, Member>
  /** Streams a file. Reading fails when it has more bytes than its directory says. */
  read(name: string): Promise<Readable>
  close(): void
}

/** Files of an archive. */
const MAX_MEMBERS = 200_000
/** Bytes of the names, extra fields and comments in the directory of an archive, which stay in memory. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024
/** Bytes of all files of an archive together, unpacked. */
const MAX_UNPACKED_BYTES = 40_000_000_000
/** Text shrinks 10 to 100 times; a large file that shrinks more than this is made to fill a disk. */
const MAX_COMPRESSION_RATIO = 300
const RATIO_COUNTS_FROM = 16 * 1024 * 1024
const ZIP_HEAD = Buffer.from('PK')
/** The file type of a symbolic link, in the upper half of the attributes that Unix writes. */
const [FILE_TYPE, SYMBOLIC_LINK] = [0o170000, 0o120000]

/** Opens an export by its content. @throws AppError `invalid` for an archive that is damaged or made to harm */
export async function openExport(files: FileStore, file: StoredParts): Promise<OpenExport> {
  const head = Buffer.concat(await readRange(files, file, 0, Math.min(2, file.size)).toArray())
  if (!head.equals(ZIP_HEAD)) return openBare(files, file)
  const zip = await openZip(files, file)
  try {
    return await openMembers(zip)
  } catch (error) {
    zip.close()
    throw error
  }
}

function openBare(files: FileStore, file: StoredParts): OpenExport {
  return {
    sources: [''],
    members: new Map([['', { name: '', size: file.size }]]),
    read: async () => readRange(files, file, 0, file.size),
    close: () => undefined,
  }
}

async function openZip(files: FileStore, file: StoredParts): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true }
  const opened = fromRandomAccessReaderPromise(new PartsReader(files, file), file.size, options)
  return opened.catch(refuseZip)
}

async function openMembers(zip: ZipFile): Promise<OpenExport> {
  if (zip.entryCount > MAX_MEMBERS)
    throw new AppError('invalid', `The archive has more than ${MAX_MEMBERS} files.`)
  const entries = new Map<string, Entry>()
  let [unpacked, directory] = [0, 0]
  try {
    for await (const entry of zip.eachEntry()) {
      directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directory > MAX_DIRECTORY_BYTES)
        throw new AppError('invalid', 'The names of the files in the archive are too long.')
      if (entry.fileName.endsWith('/')) continue
      assertHarmless(entry)
      unpacked += entry.uncompressedSize
      if (unpacked > MAX_UNPACKED_BYTES)
        throw new AppError('invalid', 'The archive is larger than 40 GB when it is unpacked.')
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
    }
  } catch (error) {
    return refuseZip(error)
  }
  const members = new Map(
    [...entries].map(([name, { uncompressedSize: size }]) => [name, { name, size }] as const),
  )
  return {
    sources: [...entries.keys()].filter((name) => name.endsWith('.json')).sort(inOrder),
    members,
    read: async (name) => {
      const entry = entries.get(name)
      if (!entry) throw new AppError('invalid', 'A file is missing in the archive.')
      const source = await zip.openReadStreamPromise(entry).catch(refuseZip)
      return Readable.from(guarded(source), { objectMode: false })
    },
    close: () => zip.close(),
  }
}

/** Lists of our own archive that its chats refer to, and those that refer to its chats and other lists. */
const [before, after] = [
  ['data/documents.json', 'data/workspaces.json', 'data/assistants.json'],
  [
    'data/forks.json',
    'data/tool-calls.json',
    'data/media.json',
    'data/journals.json',
    'data/memory-uses.json',
  ],
]

const placeOf = (name: string) =>
  before.includes(name) ? before.indexOf(name) - before.length : after.indexOf(name) + 1

/** Sorts by name, and lists after those that they refer to. */
const inOrder = (one: string, other: string) =>
  placeOf(one) - placeOf(other) || (one < other ? -1 : Number(one > other))

async function* guarded(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch (error) {
    refuseZip(error)
  }
}

/** @throws AppError `invalid` */
function assertHarmless(entry: Entry): void {
  if (entry.isEncrypted())
    throw new AppError('invalid', 'The archive has a password. Unpack it, and pack it without one.')
  const mode = entry.externalFileAttributes >>> 16
  if ((mode & FILE_TYPE) === SYMBOLIC_LINK)
    throw new AppError('invalid', 'The archive contains a link to another file. Nothing was imported.')
  const { uncompressedSize, compressedSize } = entry
  if (uncompressedSize > RATIO_COUNTS_FROM && uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO)
    throw new AppError(
      'invalid',
      'A file of the archive is packed so tightly that it may be made to fill a disk.',
    )
}

/** Converts errors of the zip library. @throws AppError `invalid` */
function refuseZip(error: unknown): never {
  if (error instanceof AppError || !(error instanceof Error)) throw error
  if (/invalid relative path|absolute path|invalid characters in fileName/.test(error.message))
    throw new AppError('invalid', 'The archive contains a path that leads out of it. Nothing was imported.')
  if (/too many bytes in the stream/.test(error.message))
    throw new AppError(
      'invalid',
      'A file of the archive is larger than the archive says. Nothing was imported.',
    )
  throw new AppError('invalid', 'The archive is damaged or incomplete. Download the export again.')
}
