import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#shared/platform/errors.ts'
import { CHAT_FILE } from '../../models/models/models.ts'
import type { ModelSource } from './model-source.ts'

/** Consecutive attempts without a new byte before a download fails. */
const MAX_SILENT = 3
const PAUSE_MS = 500

type Terms = {
  /** The path of the file at its source. */
  path: string
  sum: string
  maxBytes: number
  signal: AbortSignal
  /** Receives the bytes so far and the total; null if it is unknown. */
  onBytes: (bytes: number, of: number | null) => Promise<void>
}

/**
 * Downloads the file of a chat model into a folder and writes its checksum next to it. Resumes a partial download, also one of an
 * earlier attempt. Removes a file with another checksum. @throws AppError; the reason of `signal`
 */
export async function fetchChat(source: ModelSource, folder: string, terms: Terms): Promise<void> {
  const part = join(folder, `${CHAT_FILE}.part`)
  await fetchAll(source, part, terms)
  const sum = await sumOf(part, terms.signal)
  if (sum !== terms.sum || !(await isGguf(part))) {
    await rm(part, { force: true })
    throw new AppError(
      'invalid',
      sum === terms.sum
        ? 'The file is not a GGUF model.'
        : `${CHAT_FILE} is not what was stated: its SHA-256 is ${sum}. Compare it with what the publisher says.`,
    )
  }
  await rename(part, join(folder, CHAT_FILE))
  await writeFile(join(folder, 'SHA256SUMS'), `${sum}  ${CHAT_FILE}\n`)
}

async function fetchAll(source: ModelSource, part: string, terms: Terms): Promise<void> {
  for (let silent = 0; ; ) {
    const before = await sizeOf(part)
    try {
      return await fetchRest(source, part, before, terms)
    } catch (error) {
      terms.signal.throwIfAborted()
      const isFinal = error instanceof AppError && error.code !== 'unavailable'
      silent = (await sizeOf(part)) > before ? 0 : silent + 1
      if (isFinal || silent >= MAX_SILENT) throw error
      await sleep(PAUSE_MS * 2 ** silent, undefined, { signal: terms.signal })
    }
  }
}

async function fetchRest(source: ModelSource, part: string, before: number, terms: Terms): Promise<void> {
  const { path, maxBytes, signal, onBytes } = terms
  const opened = await source.open(path, maxBytes, signal, before)
  if (!opened) throw new AppError('invalid', `There is no file at ${source.place}.`)
  const of = opened.size === null ? null : opened.from + opened.size
  const tooLarge = () =>
    new AppError('too_large', `The file has more than ${Math.floor(maxBytes / 1024 / 1024)} MB, the limit.`)
  if ((of ?? 0) > maxBytes) throw tooLarge()
  const file = await open(part, opened.from > 0 ? 'r+' : 'w')
  let bytes = opened.from
  try {
    for await (const chunk of opened.content) {
      signal.throwIfAborted()
      if (bytes + chunk.byteLength > maxBytes) throw tooLarge()
      await file.write(chunk, 0, chunk.byteLength, bytes)
      bytes += chunk.byteLength
      await onBytes(bytes, of)
    }
  } finally {
    await file.close()
  }
  if (of !== null && bytes < of)
    throw new AppError('unavailable', `${source.place} ended before the file did.`)
}

const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0

async function sumOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 256 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

async function isGguf(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1') === 'GGUF'
  } finally {
    await file.close()
  }
}
