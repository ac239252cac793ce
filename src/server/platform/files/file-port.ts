import type { Readable } from 'node:stream'

export type StoredFile = { key: string; size: number; sha256: string }

/** Stores bytes by key, in a folder or an S3-compatible store. Keys are relative paths without `..`. */
export type FileStore = {
  /** Writes the whole stream or nothing. @throws AppError `too_large`, `storage_full` */
  write(key: string, content: Readable, options?: { maxBytes?: number }): Promise<StoredFile>
  /** Reads a file or a range of it, in bytes, inclusive. @throws AppError `not_found` */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  /** Lists the keys of all files in no particular order. */
  list(): AsyncIterable<string>
  /** Removes unfinished writes that began before this time. Their writer is gone. */
  clearUnfinished(before: Date): Promise<void>
}
