import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'

type Opened = { content: AsyncIterable<Uint8Array>; size: number | null }

/** Where the files of a model come from. */
export type ModelSource = {
  /** A file by its path, of which no more than so many bytes are wanted; null where there is none. @throws AppError; the reason of `signal` */
  open(path: string, maxBytes: number, signal: AbortSignal): Promise<Opened | null>
  /** How it is spoken of. */
  place: string
}

const REDIRECTS = 5
const SECONDS = 30
/** Whoever stores a file notices first that it is too large, and says so. */
const SLACK = 1024 * 1024

/** A folder on this machine. */
export function folderSource(folder: string): ModelSource {
  return {
    place: folder,
    open: async (path) => {
      const found = await stat(join(folder, path)).catch(() => null)
      if (!found?.isFile()) return null
      return { content: createReadStream(join(folder, path)), size: found.size }
    },
  }
}

/** What stands under an address. Redirects are followed one by one, so that each is checked. */
export function addressSource(
  { outbound, config }: Pick<Platform, 'outbound' | 'config'>,
  address: string,
): ModelSource {
  const base = address.endsWith('/') ? address : `${address}/`
  if (!URL.canParse(base)) throw new AppError('invalid', 'Give an address that begins with https://.')
  const terms = { seconds: SECONDS, trusted: config.ATRIUM_WEB_PRIVATE }
  return {
    place: address,
    open: async (path, maxBytes, signal) => {
      let url = new URL(path, base).href
      for (let count = 0; count <= REDIRECTS; count += 1) {
        const answer = await outbound.open(url, { ...terms, maxBytes: maxBytes + SLACK, signal })
        const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
        if (location === null) return readAnswer(answer, url)
        await answer.body?.cancel()
        url = new URL(location, url).href
      }
      throw new AppError('unavailable', `${new URL(url).hostname} redirects too often.`)
    },
  }
}

async function readAnswer(answer: Response, url: string): Promise<Opened | null> {
  const { hostname } = new URL(url)
  if (answer.ok && answer.body) {
    const size = Number(answer.headers.get('content-length') ?? Number.NaN)
    return { content: answer.body, size: Number.isFinite(size) ? size : null }
  }
  await answer.body?.cancel()
  if (answer.status === 404 || answer.status === 410) return null
  if (answer.status === 401 || answer.status === 403)
    throw new AppError(
      'unavailable',
      `${hostname} gives this model to nobody without a sign-in (${answer.status}).`,
    )
  throw new AppError('unavailable', `${hostname} answered with ${answer.status} instead of the file.`)
}
