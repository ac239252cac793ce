import type { FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { FILE_PREFIX, FilePurpose, type listWireFiles, type WireFile } from '#shared/api/openai/files.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { type Audit, auditBy } from '../../identity/audit/audit.ts'
import {
  addDocument,
  receiveFiles,
  removeDocument,
  type Stored,
  storeBytes,
  takeWhole,
} from '../../knowledge/documents/documents.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { type FileRow, listFiles } from './file-store.ts'

/** Stores the file of a form; its purpose may precede or follow it. @throws AppError `malformed`, `invalid`, `quota_exceeded` */
export async function createFile(deps: Deps, user: Caller, request: FastifyRequest): Promise<WireFile> {
  await assertBalance(deps, user.id)
  const { stored, name, fields } = await receiveFile(deps, user, request)
  const purpose = FilePurpose.safeParse(fields.purpose)
  if (!purpose.success) {
    await deps.files.remove(stored.file_key)
    const message = `must be one of ${FilePurpose.options.join(', ')}`
    throw new AppError('invalid', `purpose ${message}.`, { errors: [{ path: 'purpose', message }] })
  }
  const id = await addDocument(deps, user.id, stored, { name, purpose: purpose.data })
  return showFile(await findFile(deps, user, 'read document', id))
}

export type Received = { stored: Stored; name: string; fields: Record<string, string> }

/** Stores the single file of a form and returns it with all fields. The caller deletes it when it is not used. @throws AppError */
export async function receiveFile(deps: Deps, user: Caller, request: FastifyRequest): Promise<Received> {
  let found: Received | null = null
  try {
    for await (const { file, fields } of receiveFiles(request)) {
      if (found || file.fieldname !== 'file') throw new AppError('malformed', 'Send one file, as "file".')
      const stored = await takeWhole(file, (content) => storeBytes(deps, user.id, content))
      found = { stored, name: file.filename, fields }
    }
  } catch (error) {
    if (found) await deps.files.remove(found.stored.file_key)
    throw error
  }
  if (!found) throw new AppError('malformed', 'Send one file, as "file".')
  return found
}

type Wanted = z.output<NonNullable<typeof listWireFiles.query>>

/** Returns a page of a user's files. @throws AppError `not_found` for an unknown `after` */
export async function listOwnFiles(deps: Deps, user: Caller, { after, ...wanted }: Wanted) {
  const last = after === undefined ? null : await findFile(deps, user, 'read document', after)
  const rows = await listFiles(deps.db, user.id, { ...wanted, after: last, limit: wanted.limit + 1 })
  const data = rows.slice(0, wanted.limit).map(showFile)
  return {
    ...{ object: 'list' as const, data, has_more: rows.length > wanted.limit },
    ...{ first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null },
  }
}

/** Returns the document of a file id. @throws AppError `not_found`, `forbidden` */
export async function findFile(
  { db }: Pick<Deps, 'db'>,
  user: Caller,
  wish: 'read document' | 'manage document',
  given: string,
) {
  const id = given.startsWith(FILE_PREFIX) ? given.slice(FILE_PREFIX.length) : given
  if (!Id.safeParse(id).success) throw new AppError('not_found', 'There is no file with this id.')
  return findAllowed(db, user, wish, id)
}

/** Deletes a file like the library does. @throws AppError `not_found`, `forbidden` */
export async function deleteFile(deps: Deps, user: Caller, given: string, request: FastifyRequest) {
  const { id } = await findFile(deps, user, 'manage document', given)
  const audit: Audit = auditBy(deps, { user, request })
  await removeDocument(deps, id, audit)
  return { id: FILE_PREFIX + id, object: 'file' as const, deleted: true as const }
}

const statuses: Record<string, WireFile['status']> = { completed: 'processed', failed: 'error' }

export function showFile({ id, name, size, purpose, status, created_at }: FileRow): WireFile {
  return {
    ...{ id: FILE_PREFIX + id, object: 'file', bytes: Number(size), filename: name },
    created_at: Math.floor(created_at.getTime() / 1000),
    purpose: FilePurpose.safeParse(purpose).data ?? 'user_data',
    status: statuses[status] ?? 'uploaded',
    status_details: status === 'failed' ? 'The file could not be read.' : null,
    expires_at: null,
  }
}
