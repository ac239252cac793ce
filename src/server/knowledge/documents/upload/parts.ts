import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { PART_BYTES, type Upload, type UploadOptions } from '#shared/knowledge/documents/uploads.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertBalance } from '../../../money/billing/billing.ts'
import { assertStorage } from '../../../money/storage/storage.ts'
import type { Person } from '../../../platform/access/access.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { addDocument, maxUpload, plainName, storeBytes, tooLarge } from '../library/add.ts'
import { assertFreeSpace } from '../library/free-space.ts'
import { receiveFiles, takeWhole } from './receive.ts'
import { assertPlaces } from './upload.ts'
import {
  addPart,
  countUploads,
  insertUpload,
  listForgotten,
  listUploads as listRows,
  readUpload,
  takeUpload,
  type UploadRow,
} from './upload-part-store.ts'

/** Maximum unfinished uploads per user. */
const UPLOADS_MAX = 100
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000

const keyOf = (id: string, offset: number) => `uploads/${id}/${offset}`
const show = ({ id, name, size, received }: UploadRow): Upload => ({ id, name, size, received })

export async function beginUpload(
  deps: RunDeps,
  user: Person,
  { name, size, ...options }: UploadOptions & { name: string; size: number },
): Promise<Upload> {
  await assertBalance(deps, user.id)
  if (size > maxUpload(deps)) throw tooLarge(maxUpload(deps))
  await assertPlaces(deps, user, options)
  await assertStorage(deps, user.id, size)
  // The parts and the whole file coexist until the parts are joined.
  assertFreeSpace(deps.config, 2 * size)
  return insert(deps, user, { name, size, options, is_import: false })
}

/** Begins the upload of a file that is not for the library: `takeParts` ends it. @throws AppError `conflict` */
export async function beginPlainUpload(
  deps: RunDeps,
  user: Person,
  { name, size }: { name: string; size: number },
): Promise<Upload> {
  assertFreeSpace(deps.config, size)
  return insert(deps, user, { name, size, options: {}, is_import: true })
}

/**
 * Ends a plain upload, whose parts now belong to the caller; null when it is gone. @throws AppError `conflict` while parts are missing
 */
export async function takeParts(trx: RunDeps['db'], id: string): Promise<UploadRow | null> {
  const upload = await takeUpload(trx, id)
  if (upload && !upload.is_import) throw new AppError('conflict', 'This upload is for the library.')
  if (upload && upload.received !== upload.size) throw missing(upload)
  return upload
}

async function insert(
  { db }: RunDeps,
  user: Person,
  upload: Pick<UploadRow, 'name' | 'size' | 'options' | 'is_import'>,
): Promise<Upload> {
  if ((await countUploads(db, user.id)) >= UPLOADS_MAX)
    throw new AppError('conflict', 'Too many uploads are under way. Finish or cancel some first.')
  return show(await insertUpload(db, { ...upload, user_id: user.id, name: plainName(upload.name) }))
}

const missing = ({ size, received }: UploadRow) =>
  new AppError('conflict', `${size - received} bytes of the file are missing.`)

export async function getUpload(deps: RunDeps, id: string): Promise<Upload> {
  return show(await find(deps, id))
}

/** Lists the user's unfinished uploads, the newest first. */
export async function listUploads({ db }: RunDeps, user: Person): Promise<Upload[]> {
  return (await listRows(db, user, UPLOADS_MAX)).map(show)
}

/** Stores the next part. A duplicate or early part changes nothing; `received` in the response says where to continue. */
export async function receivePart(deps: RunDeps, id: string, request: FastifyRequest): Promise<Upload> {
  const upload = await find(deps, id)
  for await (const { file, fields } of receiveFiles(request)) {
    const offset = Number(fields.offset)
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new AppError('invalid', 'The field offset is not valid.')
    if (offset !== upload.received) {
      file.file.resume()
      return show(upload)
    }
    assertFreeSpace(deps.config)
    const maxBytes = Math.min(2 * PART_BYTES, upload.size - offset)
    // `write` is atomic: two senders of the same part do not interleave.
    const { size } = await takeWhole(file, (content) =>
      deps.files.write(keyOf(id, offset), content, { maxBytes }),
    )
    if (size > 0) await addPart(deps.db, id, offset, size)
    return show(await find(deps, id))
  }
  throw new AppError('malformed', 'Send one file as multipart form data.')
}

/** Joins the parts to one file and creates its document. Returns the document id. @throws AppError `conflict` while parts are missing */
export async function endUpload(deps: RunDeps, user: Person, id: string): Promise<string> {
  const upload = await find(deps, id)
  if (upload.is_import) throw new AppError('conflict', 'This upload is for an import.')
  if (upload.received !== upload.size) throw missing(upload)
  await assertPlaces(deps, user, upload.options)
  const stored = await storeBytes(deps, user.id, Readable.from(joined(deps, upload)))
  const wish = { ...upload.options, name: upload.name }
  const documentId = await addDocument(deps, user.id, stored, wish, async (trx) => {
    if (!(await takeUpload(trx, id))) throw gone()
  })
  await removeParts(deps, upload)
  return documentId
}

export async function cancelUpload(deps: RunDeps, id: string): Promise<void> {
  const upload = await takeUpload(deps.db, id)
  if (upload) await removeParts(deps, upload)
}

/** Cancels uploads without progress for a day. */
export async function forgetUploads(deps: RunDeps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - FORGOTTEN_AFTER_MS)
  for (const id of await listForgotten(deps.db, before)) await cancelUpload(deps, id)
}

async function* joined({ files }: RunDeps, { id, parts }: UploadRow): AsyncGenerator<Buffer> {
  for (const offset of parts) yield* await files.read(keyOf(id, offset))
}

async function removeParts({ files }: RunDeps, { id, parts, received }: UploadRow): Promise<void> {
  // The part after the last one may be stored without being counted.
  for (const offset of [...parts, received]) await files.remove(keyOf(id, offset))
}

async function find({ db }: RunDeps, id: string): Promise<UploadRow> {
  const upload = await readUpload(db, id)
  if (!upload) throw gone()
  return upload
}

function gone(): AppError {
  return new AppError('not_found', 'Upload not found')
}
