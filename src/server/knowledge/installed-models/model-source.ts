import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/platform/errors.ts'
import { assertFetchable } from '../../platform/outbound/outbound.ts'
import type { Platform } from '../../platform/platform.ts'

/** `size` is that of the remaining content in bytes; `from` is its offset in the file. */
type Opened = { content: AsyncIterable<Uint8Array>; size: number | null; from: number }

/** A source of model files: a folder or an address. */
export type ModelSource = {
  /**
   * Opens a file of at most `maxBytes`; null if it does not exist. The content may begin at `from` or at 0.
   * @throws AppError; the reason of `signal`
   */
  open(path: string, maxBytes: number, signal: AbortSignal, from?: number): Promise<Opened | null>
  /** Its name in messages. */
  place: string
}

const REDIRECTS = 5
const SECONDS = 30
/** Bytes beyond the limit, so that the code that stores a file notices the excess first and reports it. */
const SLACK = 1024 * 1024

export function folderSource(folder: string): ModelSource {
  return {
    place: folder,
    open: async (path, _maxBytes, _signal, from = 0) => {
      const found = await lstat(join(folder, path)).catch(() => null)
      if (!found?.isFile()) return null
      const start = from <= found.size ? from : 0
      return {
        content: createReadStream(join(folder, path), { start }),
        size: found.size - start,
        from: start,
      }
    },
  }
}

const trustedBy = (config: Platform['config']) => [...config.ATRIUM_WEB_PRIVATE, config.ATRIUM_MODEL_HUB]

/** @throws AppError `invalid` for an address from which no model is fetched */
export async function assertModelAddress(config: Platform['config'], address: string): Promise<void> {
  await assertFetchable(address, trustedBy(config))
}

/** Reads files below an address. Redirects are followed one by one, so that each address is checked. */
export function addressSource(
  { outbound, config }: Pick<Platform, 'outbound' | 'config'>,
  address: string,
): ModelSource {
  const base = address.endsWith('/') ? address : `${address}/`
  if (!URL.canParse(base)) throw new AppError('invalid', 'Give an address that begins with https://.')
  const terms = { seconds: SECONDS, trusted: trustedBy(config) }
  return {
    place: address,
    open: async (path, maxBytes, signal, from = 0) => {
      const headers = from > 0 ? { range: `bytes=${from}-` } : undefined
      let url = new URL(path, base).href
      for (let count = 0; count <= REDIRECTS; count += 1) {
        const answer = await outbound.open(url, { ...terms, headers, maxBytes: maxBytes + SLACK, signal })
        const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
        if (location === null) return readAnswer(answer, url, from)
        await answer.body?.cancel()
        url = new URL(location, url).href
      }
      throw new AppError('unavailable', `${new URL(url).hostname} redirects too often.`)
    },
  }
}

async function readAnswer(answer: Response, url: string, from: number): Promise<Opened | null> {
  const { hostname } = new URL(url)
  if (answer.ok && answer.body) {
    const size = Number(answer.headers.get('content-length') ?? Number.NaN)
    const begins = answer.status === 206 ? startOfRange(answer.headers.get('content-range')) : 0
    if (begins !== 0 && begins !== from)
      throw new AppError('unavailable', `${hostname} answered with another part of the file.`)
    return { content: answer.body, size: Number.isFinite(size) ? size : null, from: begins }
  }
  await answer.body?.cancel()
  // The partial file is already complete.
  if (answer.status === 416 && from > 0) return { content: noBytes(), size: 0, from }
  if (answer.status === 404 || answer.status === 410) return null
  if (answer.status === 401 || answer.status === 403)
    throw new AppError(
      'unavailable',
      `${hostname} does not serve this model without a sign-in (${answer.status}).`,
    )
  throw new AppError('unavailable', `${hostname} answered with ${answer.status} instead of the file.`)
}

const startOfRange = (range: string | null): number =>
  Number(/^bytes (\d{1,15})-/.exec(range ?? '')?.[1] ?? -1)

async function* noBytes(): AsyncGenerator<Uint8Array> {}
