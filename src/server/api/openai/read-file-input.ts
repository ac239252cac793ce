import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileInput } from '#shared/api/openai/chat.ts'
import { AppError } from '#shared/platform/errors.ts'
import {
  findStored,
  folderOf,
  readDocument,
  readingLimits,
  readingSettings,
} from '../../knowledge/documents/documents.ts'
import type { FilePart, TextPart } from '../../models/models/port.ts'
import { readWhole } from '../../models/models/transcribe.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { mediaTypeOf } from '../../platform/files/media-types.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { Unreadable } from '../../platform/parsing/parsing.ts'
import type { Deps } from '../../tools/deps.ts'
import { findFile } from './files.ts'

/** Picture types and sizes that models accept. Other files are converted to text. */
const pictures = ['png', 'jpg', 'jpeg', 'gif', 'webp']
const PICTURE_BYTES = 10_000_000
const TEXT_BYTES = 2_000_000
/** Timeouts of waiting for a reading, and of reading an inline file. */
const TIMEOUT_MS = 60_000
const LOOK_EVERY_MS = 250

/** Converts a file of a call for models. @throws AppError `invalid`, `not_found`, `forbidden`, `conflict` while it is being read */
export async function readFileInput(
  deps: Deps,
  user: Caller,
  { file_id, file_data, filename }: FileInput,
): Promise<TextPart | FilePart> {
  if (file_id) return readStored(deps, (await findInput(deps, user, file_id)).id)
  if (file_data) return readInside(deps, file_data, filename ?? 'file')
  throw new AppError('invalid', 'A file is named by "file_id", or comes with the call as "file_data".')
}

/** Returns a file by id; the key needs the documents scope. @throws AppError `not_found`, `forbidden` */
export async function findInput(deps: Deps, user: Caller, given: string) {
  if (user.kind === 'key' && !user.key.scopes.includes('documents.read'))
    throw new AppError('forbidden', 'This API key is not for "documents.read". Create one that is.')
  return findFile(deps, user, 'read document', given)
}

async function readStored(deps: Deps, id: string): Promise<TextPart | FilePart> {
  for (const until = Date.now() + TIMEOUT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const row = await readDocument(deps.db, id)
    if (!row) throw new AppError('not_found', 'There is no file with this id.')
    await noteDocuments(deps.db, [id])
    if (pictures.includes(row.format ?? row.extension)) return readPicture(deps, row)
    if (row.status === 'failed') throw unreadable(row.name)
    if (row.files.includes('text.md')) {
      const key = `${folderOf(row.reading_id)}text.md`
      return told(row.name, await readWhole(await deps.files.read(key)))
    }
    if (Date.now() > until)
      throw new AppError('conflict', `The file ${row.name} is still being read. Try again in a moment.`, {
        retryAfterSeconds: 5,
      })
  }
}

type Named = { id: string; name: string; format: string | null; extension: string }

async function readPicture(deps: Deps, { id, name, format, extension }: Named): Promise<FilePart> {
  const stored = await findStored(deps.db, id)
  if (!stored || Number(stored.size) > PICTURE_BYTES) throw tooLong(name)
  const data_base64 = Buffer.from(await readWhole(await deps.files.read(stored.file_key))).toString('base64')
  return { type: 'file', media_type: mediaTypeOf(format ?? extension), name, data_base64 }
}

async function readInside(deps: Deps, data: string, name: string): Promise<TextPart | FilePart> {
  const comma = data.startsWith('data:') ? data.slice(0, 300).indexOf(',') : -1
  const media_type = comma > 0 ? (data.slice(5, comma).split(';')[0] ?? '') : ''
  const base64 = data.slice(comma + 1)
  if (/^image\/(png|jpeg|gif|webp)$/.test(media_type))
    return { type: 'file', media_type, name, data_base64: base64 }
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) throw unreadable(name)
  const wish = {
    ...{ name, pipeline: 'low_latency' as const, language: 'en' as const },
    ...{ limits: readingLimits(deps.config, 0), settings: await readingSettings(deps) },
  }
  const read = deps.parsing.read(wish, {
    ...{ signal: AbortSignal.timeout(TIMEOUT_MS), queue: 'pages', seconds: TIMEOUT_MS / 1000 },
    bring: (path) => pipeline(Readable.from([bytes]), createWriteStream(path)),
    use: (_, folder) => readFile(join(folder, 'text.md')),
  })
  return read.then(
    (words) => told(name, words),
    (cause) => {
      const isOurs = cause instanceof Unreadable || cause?.name === 'TimeoutError'
      throw isOurs ? unreadable(name, cause) : cause
    },
  )
}

function told(name: string, bytes: Uint8Array): TextPart {
  if (bytes.length > TEXT_BYTES) throw tooLong(name)
  return { type: 'text', text: `File "${name}":\n\n${Buffer.from(bytes).toString('utf8')}` }
}

const tooLong = (name: string) =>
  new AppError('invalid', `The file ${name} is too large for a call. Ask an assistant that answers from it.`)
const unreadable = (name: string, cause?: unknown) =>
  new AppError('invalid', `The file ${name} could not be read.`, { cause })
