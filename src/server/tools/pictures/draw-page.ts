import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { readingLimits } from '../../knowledge/documents/documents.ts'
import type { FilePart } from '../../models/models/port.ts'
import { Unreadable } from '../../platform/parsing/parsing.ts'
import type { Platform } from '../../platform/platform.ts'
import { createPictureCache } from './picture-cache.ts'

export type Kit = Pick<Platform, 'db' | 'files' | 'parsing' | 'config' | 'audiences' | 'log'>

/** Longest side in pixels. Larger pictures are reduced by the providers themselves, which costs time and money. */
const LONGEST = 1_568
const cache = createPictureCache(32 * 1024 * 1024)

/** Draws a stored picture, or a page of a document, as models take it; null for a file that is gone or has no such page. */
export async function drawPage(
  { files, parsing, config, log }: Kit,
  { name, file_key }: { name: string; file_key: string },
  page: number,
  signal: AbortSignal,
): Promise<FilePart | null> {
  const key = `${file_key} ${page}`
  const known = cache.get(key)
  if (known) return known
  try {
    const bring = async (path: string) => pipeline(await files.read(file_key), createWriteStream(path))
    const limits = readingLimits(config, 0)
    const bytes = await parsing.draw({ name, page, longest: LONGEST, limits }, { signal, bring })
    const part: FilePart = {
      ...{ type: 'file', media_type: 'image/jpeg', name, data_base64: bytes.toString('base64') },
    }
    cache.set(key, part)
    return part
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Unreadable)) log.warn({ error, file_key }, 'A picture could not be read.')
    return null
  }
}
