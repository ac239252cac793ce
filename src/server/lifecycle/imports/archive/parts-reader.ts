import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'
import type { FileStore } from '../../../platform/files/files.ts'

/** A file that is stored in parts, by the offset of each. */
export type StoredParts = { upload_id: string; size: number; parts: number[] }

/** Returns the keys of the parts of a file in the file store. */
export const partKeys = ({ upload_id, parts }: Pick<StoredParts, 'upload_id' | 'parts'>) =>
  parts.map((offset) => `uploads/${upload_id}/${offset}`)

/** Reads a range of a file that is stored in parts. `end` is exclusive. */
export function readRange(files: FileStore, file: StoredParts, start: number, end: number): Readable {
  return Readable.from(chunksOf(files, file, start, end), { objectMode: false })
}

async function* chunksOf(
  files: FileStore,
  { upload_id, size, parts }: StoredParts,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  for (const [at, offset] of parts.entries()) {
    const partEnd = parts[at + 1] ?? size
    if (partEnd <= start || offset >= end) continue
    const range = { start: Math.max(start, offset) - offset, end: Math.min(end, partEnd) - offset - 1 }
    yield* await files.read(`uploads/${upload_id}/${offset}`, range)
  }
}

/** Lets the zip library read a file that is stored in parts, without a copy of it. */
export class PartsReader extends RandomAccessReader {
  private readonly files: FileStore
  private readonly file: StoredParts

  constructor(files: FileStore, file: StoredParts) {
    super()
    this.files = files
    this.file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return readRange(this.files, this.file, start, end)
  }
}
