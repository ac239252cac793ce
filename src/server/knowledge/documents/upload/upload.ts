import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { UploadOptions } from '#shared/knowledge/documents/uploads.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertBalance } from '../../../money/billing/billing.ts'
import { findAllowed, type Person } from '../../../platform/access/access.ts'
import { takeClassOfRun } from '../../../platform/access/classes/classes.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { addDocument, maxUpload, storeBytes, tooLarge } from '../library/add.ts'
import { assertFreeSpace } from '../library/free-space.ts'
import { showDocuments } from '../library/show-rows.ts'
import { readDocuments } from '../library/store.ts'
import { readOptions, receiveFiles, takeWhole } from './receive.ts'

type Trx = Kysely<Tables>

/** Stores the files of a form and requests their processing. Returns one document, or an array of several. */
export async function uploadDocuments(
  deps: RunDeps,
  user: Person,
  request: FastifyRequest,
): Promise<Document | Document[]> {
  await assertBalance(deps, user.id)
  assertSize(deps, request)
  const ids: string[] = []
  for await (const { file, fields } of receiveFiles(request)) {
    const { media_id, ...options } = readOptions(fields)
    await assertPlaces(deps, user, options)
    const made = media_id ? await findAllowed(deps.db, user, 'read media', media_id) : null
    const stored = await takeWhole(file, (content) => storeBytes(deps, user.id, content))
    const wish = { ...options, name: file.filename }
    const classify = (trx: Trx, id: string) =>
      made ? takeClassOfRun(trx, id, made.run_id) : Promise.resolve()
    ids.push(await addDocument(deps, user.id, stored, wish, classify))
  }
  if (ids.length === 0) throw new AppError('malformed', 'Send at least one file as multipart form data.')
  const documents = await showDocuments(deps, await readDocuments(deps.db, ids))
  return documents.length === 1 ? documents[0]! : documents
}

/** Stores the file of a form as a newer version of a document. */
export async function replaceDocument(
  deps: RunDeps,
  user: Person,
  id: string,
  request: FastifyRequest,
): Promise<void> {
  await assertBalance(deps, user.id)
  assertSize(deps, request)
  for await (const { file } of receiveFiles(request)) {
    const stored = await takeWhole(file, (content) => storeBytes(deps, user.id, content))
    await addDocument(deps, user.id, stored, { name: file.filename, document_id: id })
    return
  }
  throw new AppError('malformed', 'Send one file as multipart form data.')
}

/** Checks that the user may write to the chat, workspace and document of an upload. @throws AppError `not_found`, `forbidden`, `conflict` for a temporary chat */
export async function assertPlaces(deps: RunDeps, user: Person, options: UploadOptions): Promise<void> {
  const { chat_session_id, workspace_id, document_id } = options
  if (chat_session_id) {
    const { origin } = await findAllowed(deps.db, user, 'write session', chat_session_id)
    if (origin === 'temporary')
      throw new AppError('conflict', 'Files cannot be uploaded to a temporary chat. Keep the chat first.')
  }
  if (workspace_id) await findAllowed(deps.db, user, 'write workspace', workspace_id)
  if (document_id) await findAllowed(deps.db, user, 'write document', document_id)
}

/** Refuses a request whose `content-length` exceeds the maximum upload size or the free space, before any byte is stored. */
function assertSize(deps: RunDeps, { headers }: FastifyRequest): void {
  const most = maxUpload(deps)
  const bytes = Number(headers['content-length'] ?? 0)
  // The form adds some bytes to the file.
  if (bytes > most * 1.01 + 100_000) throw tooLarge(most)
  assertFreeSpace(deps.config, bytes)
}
