import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/platform/errors.ts'

const WINDOW_BYTES = 1024 * 1024
const DIGEST_BYTES = 20

/** A stored pack, without its digest at the end. */
export type PackFile = {
  size: number
  /** Returns at most `length` bytes; fewer at the end. */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Stores a pack in a file without a name, which disappears when it is closed or the process ends.
 * @throws AppError `too_large`, `unavailable` for a pack that is damaged
 */
export async function storePack(
  folder: string,
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<PackFile> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `pack-${randomUUID()}`)
  const file = await open(path, 'wx+')
  try {
    await unlink(path)
    let [size, tail] = [0, Buffer.alloc(0)]
    const hash = createHash('sha1')
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) throw new AppError('too_large', 'The pack is too large.')
      await file.appendFile(chunk)
      const joined = Buffer.concat([tail, chunk])
      const end = Math.max(joined.length - DIGEST_BYTES, 0)
      hash.update(joined.subarray(0, end))
      tail = Buffer.from(joined.subarray(end))
    }
    if (!hash.digest().equals(tail)) throw new AppError('unavailable', 'The repository arrived damaged.')
    const whole = size - DIGEST_BYTES
    return { size: whole, read: readerOf(file, whole), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Returns a reader that reads ahead, because most reads follow each other. */
function readerOf(file: Awaited<ReturnType<typeof open>>, size: number): PackFile['read'] {
  let window = { start: 0, bytes: Buffer.alloc(0) }
  return async (offset, wanted) => {
    const length = Math.max(Math.min(wanted, size - offset), 0)
    const from = offset - window.start
    if (from >= 0 && from + length <= window.bytes.length) return window.bytes.subarray(from, from + length)
    const bytes = Buffer.alloc(Math.max(Math.min(Math.max(length, WINDOW_BYTES), size - offset), 0))
    let read = 0
    while (read < bytes.length) {
      const { bytesRead } = await file.read(bytes, read, bytes.length - read, offset + read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    window = { start: offset, bytes: bytes.subarray(0, read) }
    return window.bytes.subarray(0, length)
  }
}
