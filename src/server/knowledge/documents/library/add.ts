import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { DEFAULT_PIPELINE, type Pipeline } from '#shared/knowledge/documents/documents.ts'
import type { UploadOptions } from '#shared/knowledge/documents/uploads.ts'
import { AppError } from '#shared/platform/errors.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { assertStorage, takeStorage } from '../../../money/storage/storage.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { MEGABYTE } from '../../../platform/limits.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { requestProcessing } from '../pipeline/request.ts'
import { warmPipeline } from '../pipeline/warm.ts'
import {
  copyInner,
  defaultWorkspace,
  findReading,
  insertDocument,
  keepBlob,
  linkToSession,
  linkToWorkspace,
  listShowing,
  showReading,
} from './add-store.ts'
import { blobKey } from './files.ts'
import { assertFreeSpace, nearlyFull, roomLeft } from './free-space.ts'
import { readDocument } from './store.ts'

type Db = Kysely<Tables>

/** Characters of the address of a file in its source. */
const MAX_ADDRESS = 2_000

/** Name, placement and pipeline of a new document. */
export type Wish = UploadOptions & {
  name: string
  purpose?: string
  /** Address of the file in its source. Only an http or https address is stored. */
  source_url?: string
}

/** Bytes of a user in the file store, under a new key. */
export type Stored = { file_key: string; size: number; sha256: string }

/**
 * Writes bytes to the file store.
 * @throws AppError `too_large`, `storage_full`, `quota_exceeded`, `invalid` when empty
 */
export async function storeBytes(deps: RunDeps, userId: string, content: Readable): Promise<Stored> {
  await assertStorage(deps, userId)
  return writeBytes(deps, userId, content)
}

/** Does the same for a caller that checks the quota itself. */
export async function writeBytes(deps: RunDeps, userId: string, content: Readable): Promise<Stored> {
  assertFreeSpace(deps.config)
  warmPipeline(deps)
  const file_key = blobKey(userId, randomUUID())
  const [most, room] = [maxUpload(deps), roomLeft(deps.config)]
  const maxBytes = Math.min(most, room)
  const { size, sha256 } = await deps.files.write(file_key, content, { maxBytes }).catch((error) => {
    if (!(error instanceof AppError) || error.code !== 'too_large') throw error
    throw room < most ? nearlyFull() : tooLarge(most)
  })
  if (size > 0) return { file_key, size, sha256 }
  await deps.files.remove(file_key)
  throw new AppError('invalid', 'The file is empty.')
}

export const maxUpload = ({ config }: Pick<RunDeps, 'config'>) => config.ATRIUM_MAX_UPLOAD_MB * MEGABYTE

export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `The file is larger than ${maxBytes / MEGABYTE} MB, the upload limit.`)
}

/**
 * Creates a document from stored bytes, or a newer version of `wish.document_id`, and requests its processing. The same bytes of a user are
 * stored and read once. `before` and `also` run in the same transaction. Returns the document id. @throws AppError `quota_exceeded`
 */
export async function addDocument(
  deps: RunDeps,
  userId: string,
  stored: Stored,
  wish: Wish,
  also?: (trx: Db, id: string) => Promise<void>,
  before?: (trx: Db) => Promise<void>,
): Promise<string> {
  await deps.jobs.prepare()
  try {
    const { id, isNew } = await deps.db.transaction().execute(async (trx) => {
      await before?.(trx)
      await takeStorage({ ...deps, db: trx }, userId, stored.size)
      const added = await insert(deps, trx, { userId, stored, wish })
      await also?.(trx, added.id)
      return added
    })
    if (!isNew) await deps.files.remove(stored.file_key)
    return id
  } catch (error) {
    // After any other error the document may be stored nevertheless; stray files are swept later.
    if (error instanceof AppError) await deps.files.remove(stored.file_key)
    throw error
  }
}

/** Creates a document, or a newer version, in a transaction that has checked the storage. `isNew` is false when its bytes are redundant. */
export const addWithin = (deps: RunDeps, trx: Db, userId: string, stored: Stored, wish: Wish) =>
  insert(deps, trx, { userId, stored, wish })

type Insert = { userId: string; stored: Stored; wish: Wish; parent_id?: string }

async function insert(deps: RunDeps, trx: Db, { userId, stored, wish, parent_id }: Insert) {
  const { file_key, size, sha256 } = stored
  const blob = await keepBlob(trx, { user_id: userId, sha256, size, file_key })
  const name = plainName(wish.name)
  const pipeline = wish.processing_pipeline ?? (await pipelineOf(trx, wish.document_id))
  const reading = await findReading(trx, { blob_id: blob.id, user_id: userId, pipeline, name })
  const shown = { reading_id: reading.id, name, size, extension: extensionOf(name) }
  if (wish.document_id) await showReading(trx, wish.document_id, shown)
  const id =
    wish.document_id ??
    (await insertDocument(trx, {
      ...shown,
      user_id: userId,
      parent_id: parent_id ?? null,
      purpose: wish.purpose ?? null,
      tags: tagsOf(wish.path),
      source_url: webAddress(wish.source_url),
    }))
  if (!wish.document_id && !parent_id) {
    await linkToWorkspace(trx, wish.workspace_id ?? (await defaultWorkspace(trx, userId)), [id], userId)
    if (wish.chat_session_id) await linkToSession(trx, wish.chat_session_id, [id])
  }
  // An earlier reading already found the inner files.
  if (!reading.begins && !wish.document_id) await copyInner(trx, reading.id, id)
  if (reading.begins) await requestProcessing(deps, { ...reading, user_id: userId }, trx)
  return { id, isNew: blob.isNew }
}

/** Returns an http or https address in its normal form; null for anything else, and for more than 2,000 characters. */
function webAddress(given = ''): string | null {
  if (given.length > MAX_ADDRESS || !/^https?:/i.test(given) || !URL.canParse(given)) return null
  return new URL(given).href
}

/** A newer version keeps the document's pipeline. */
async function pipelineOf(trx: Db, documentId: string | undefined): Promise<Pipeline> {
  const known = documentId ? await readDocument(trx, documentId) : null
  return known?.pipeline ?? DEFAULT_PIPELINE
}

/**
 * Adds files found inside a document below every document that shows its reading. Stores their bytes immediately; `insert` adds the rows in
 * a transaction, and `clear` then removes bytes that turned out redundant.
 */
export async function addInner(
  deps: RunDeps,
  { user_id: userId, id, pipeline }: { user_id: string; id: string; pipeline: Pipeline },
  files: { name: string; path: string }[],
): Promise<{ insert: (trx: Db) => Promise<void>; clear: () => Promise<void> }> {
  const stored: { name: string; bytes: Stored }[] = []
  for (const { name, path } of files) {
    const bytes = await storeBytes(deps, userId, createReadStream(path)).catch(skipEmpty)
    if (bytes) stored.push({ name, bytes })
  }
  const needless = new Set(stored.map(({ bytes }) => bytes.file_key))
  const insertAll = async (trx: Db) => {
    for (const parent of await listShowing(trx, id)) {
      for (const { name, bytes } of stored) {
        if (parent.inner.includes(plainName(name))) continue
        const wish = { name, path: folderPart(name), processing_pipeline: pipeline }
        const { isNew } = await insert(deps, trx, { userId, stored: bytes, wish, parent_id: parent.id })
        if (isNew) needless.delete(bytes.file_key)
      }
    }
  }
  const clear = async () => {
    for (const key of needless) await deps.files.remove(key)
  }
  return { insert: insertAll, clear }
}

function skipEmpty(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid') return null
  throw error
}

/** Returns the last part of a path, without characters that cannot be stored; never empty. */
export function plainName(name: string): string {
  const last = cleanLabel(name.replaceAll('\\', '/')).split('/').at(-1) ?? ''
  return basename(last).trim().slice(-255) || 'file'
}

const folderPart = (name: string) => name.replaceAll('\\', '/').split('/').slice(0, -1).join('/')

/** Returns folders as tags, the outermost first. */
export function tagsOf(path = ''): string[] {
  const folders = cleanLabel(path)
    .split('/')
    .map((one) => one.trim().slice(0, 200))
  return [...new Set(folders.filter((one) => one !== '' && one !== '.' && one !== '..'))].slice(0, 50)
}
