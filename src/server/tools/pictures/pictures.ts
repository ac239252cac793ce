import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { readingLimits } from '../../knowledge/documents/documents.ts'
import type { FilePart } from '../../models/models/port.ts'
import { Unreadable } from '../../platform/parsing/parsing.ts'
import type { Platform } from '../../platform/platform.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { listPictures } from '../images/images.ts'
import { findReferences } from './find-references.ts'
import { createPictureCache } from './picture-cache.ts'
import { listAttached } from './store.ts'

type Kit = Pick<Platform, 'db' | 'files' | 'parsing' | 'config' | 'log'>
type Run = Pick<RunContext, 'input' | 'signal'>

/** Longest side in pixels. Larger pictures are reduced by the providers themselves, which costs time and money. */
const MAX_SIDE_PIXELS = 1_568
const MAX_PER_RESULT = 4
const MAX_ATTACHED = 8
const cache = createPictureCache(32 * 1024 * 1024)

/** A picture attached to a chat. */
export type AttachedPicture = { added_at: Date; part: FilePart }

/** Returns the newest pictures among a chat's documents, as far as the person may read them. */
export async function loadAttached(kit: Kit, run: Run): Promise<AttachedPicture[]> {
  const person = await readPerson(kit, run.input)
  const stored = await listAttached(kit.db, person, run.input.session_id, MAX_ATTACHED)
  const drawn = await Promise.all(
    stored.map(async ({ added_at, ...file }) => ({ added_at, part: await draw(kit, file, run.signal) })),
  )
  return drawn.flatMap(({ added_at, part }) => (part ? [{ added_at, part }] : []))
}

/** Returns the pictures that a tool's result refers to. */
export async function loadResultPictures(kit: Kit, run: Run, result: unknown): Promise<FilePart[]> {
  const ids = findReferences(result, MAX_PER_RESULT)
  if (ids.length === 0) return []
  const stored = await listPictures(kit.db, await readPerson(kit, run.input), ids)
  const drawn = await Promise.all(stored.map((file) => draw(kit, file, run.signal)))
  return drawn.filter((part) => part !== null)
}

/** Renders a stored picture for models; null if the file is gone or is not a picture. */
async function draw(
  { files, parsing, config, log }: Kit,
  { name, file_key }: { name: string; file_key: string },
  signal: AbortSignal,
): Promise<FilePart | null> {
  const known = cache.get(file_key)
  if (known) return known
  try {
    const bring = async (path: string) => pipeline(await files.read(file_key), createWriteStream(path))
    const wish = { name, page: 1, longest: MAX_SIDE_PIXELS, limits: readingLimits(config, 0) }
    const bytes = await parsing.draw(wish, { signal, bring })
    const part: FilePart = {
      ...{ type: 'file', media_type: 'image/jpeg', name, data_base64: bytes.toString('base64') },
    }
    cache.set(file_key, part)
    return part
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Unreadable)) log.warn({ error, file_key }, 'A picture could not be read.')
    return null
  }
}
