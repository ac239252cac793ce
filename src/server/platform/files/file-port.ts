import type { Readable } from 'node:stream'

export type StoredFile = { key: string; size: number; sha256: string }

/** Bytes by key, in a folder or in an S3-compatible store. Keys are relative paths without `..`. */
export type FileStore = {
  /** Writes the whole stream or nothing. @throws AppError `too_large`, `storage_full` */
  write(key: string, content: Readable, options?: { maxBytes?: number }): Promise<StoredFile>
  /** `range` is inclusive, in bytes. @throws AppError `not_found` */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  /** The keys of all files, in no order. */
  list(): AsyncIterable<string>
  /** Removes what was begun before and never became whole: its writer is gone. */
  clearUnfinished(before: Date): Promise<void>
}
