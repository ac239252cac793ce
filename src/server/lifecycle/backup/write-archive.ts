import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { isDiskFull } from '../../platform/db/db.ts'
import { firstLine } from '../../platform/explain-failure.ts'
import { createSum, endName } from './archive-end.ts'
import { BackupError } from './backup-error.ts'
import { openDraft, refuseTarget } from './draft.ts'
import { drain, readOpened } from './read-archive.ts'

export type ArchiveWriter = {
  /** @throws when the content has another size than was said */
  add(name: string, size: number, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void>
}

type WriteOptions = {
  /** Replaces an existing archive when the new one is complete. */
  replaces?: boolean
  signal?: AbortSignal
}

/**
 * Writes a `.tar.gz` that only its owner can read. It appears under its name only when it is complete and verified. A failure
 * leaves any earlier file unchanged.
 * @throws BackupError when it cannot be written or another process is writing it
 */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
  { replaces = false, signal = new AbortController().signal }: WriteOptions = {},
): Promise<void> {
  await refuseTarget(path, { replaces })
  const draft = await openDraft(path).catch((error) => {
    throw unwritable(path, error)
  })
  try {
    await writeTo(draft.handle, fill, signal).catch((error) => {
      throw error instanceof WriteFailure ? unwritable(path, error.cause) : error
    })
    for await (const { content } of readOpened(draft.handle, draft.path)) {
      signal.throwIfAborted()
      await drain(content)
    }
    await draft.publish({ replaces }).catch((error) => {
      throw unwritable(path, error)
    })
  } catch (error) {
    await draft.discard()
    throw error
  }
}

/** A disk failure, as opposed to any other. */
class WriteFailure extends Error {}

async function writeTo(
  handle: FileHandle,
  fill: (archive: ArchiveWriter) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const tar = pack()
  const sum = createSum()
  let failure: Error | null = null
  const fail = (error: Error) => {
    failure ??= error
    throw error
  }
  const written = pipeline(Readable.from(tar), createGzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const chunk of bytes) await handle.writeFile(chunk).catch(fail)
  })
  // The stream that fails first destroys the other one.
  written.catch((error) => tar.destroy(error))
  const stop = () => tar.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const add: ArchiveWriter['add'] = async (name, size, content) => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
    promise.catch(() => undefined)
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
    await handle.sync().catch(fail)
  } catch (error) {
    tar.destroy()
    await written.catch(() => undefined)
    signal.throwIfAborted()
    throw failure ? new WriteFailure('', { cause: failure }) : error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Explains why a file cannot be written and what to do. */
function unwritable(path: string, error: unknown): unknown {
  if (error instanceof BackupError) return error
  if (isDiskFull(error) || (error as NodeJS.ErrnoException).code === 'EFBIG')
    return new BackupError(`There is no room for ${path}: free some space, or choose another disk.`)
  return new BackupError(`${path} cannot be written: ${firstLine(error)}.`, { cause: error })
}
