import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { type Content, sendFile } from '../../../platform/files/send-file.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { folderOf } from './files.ts'
import { findStored, type StoredReading } from './store.ts'

/** Views that replace files browsers cannot show, in order of preference. */
const views = ['view.pdf', 'view.png', 'view.mp4', 'view.m4a', 'view.html']

/** Sends a document's bytes: the uploaded file, or its view. */
export async function sendContent(
  deps: RunDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, original, version }: { id: string; original?: boolean | undefined; version?: number | undefined },
): Promise<void> {
  const stored = await findStored(deps.db, id, version)
  if (!stored) throw new AppError('not_found', 'Document not found')
  const content = original ? originalOf(stored) : contentOf(stored)
  await sendFile(deps, request, reply, { ...content, isOriginal: original ?? false })
}

/** Returns the file that viewers show: the view if there is one, otherwise the uploaded file. */
export function contentOf(stored: StoredReading): Content {
  const view = views.find((name) => stored.files.includes(name))
  if (!view) return originalOf(stored)
  return { key: folderOf(stored.reading_id) + view, name: view, kind: extensionOf(view) }
}

const originalOf = ({ file_key: key, name, format }: StoredReading): Content => ({
  ...{ key, name },
  kind: format ?? extensionOf(name),
})

/** Sends a file that was made for the viewers. */
export async function sendKept(
  deps: RunDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, name, version }: { id: string; name: string; version?: number | undefined },
): Promise<void> {
  const stored = await findStored(deps.db, id, version)
  if (!stored?.files.includes(name)) throw new AppError('not_found', 'File not found')
  // A new attempt rewrites the files of a reading.
  const etag = `"${stored.reading_id}.${stored.attempt}"`
  if (request.headers['if-none-match'] === etag)
    return void (await reply.header('etag', etag).status(304).send())
  reply.header('etag', etag)
  await sendFile(deps, request, reply, {
    key: folderOf(stored.reading_id) + name,
    name,
    kind: extensionOf(name),
  })
}
