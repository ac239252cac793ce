import * as contract from '#shared/knowledge/documents/documents.ts'
import { getLibraryState } from '#shared/knowledge/documents/library-state.ts'
import * as playback from '#shared/knowledge/documents/playback.ts'
import * as uploads from '#shared/knowledge/documents/uploads.ts'
import * as versions from '#shared/knowledge/documents/versions.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { companyToShareWith, findAllowed, type Person } from '../../platform/access/access.ts'
import { assertTimeZone, cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import { readContents } from './library/contents.ts'
import { countByMonth, listDocuments } from './library/list-store.ts'
import type { Scope } from './library/narrow-store.ts'
import { findChunk, listChunks, listParts, readProcessing } from './library/part-store.ts'
import { openPlayback, servePlayback } from './library/playback.ts'
import { removeDocument } from './library/remove.ts'
import { sendContent, sendKept } from './library/send.ts'
import { showDocument } from './library/show.ts'
import { showDocuments } from './library/show-rows.ts'
import { readLibraryState } from './library/state.ts'
import { readDocument, shareDocument, updateDocument } from './library/store.ts'
import { readVersion } from './library/version-store.ts'
import { restoreVersion, showVersions } from './library/versions.ts'
import { cancelProcessing, processAgain, retryProcessing } from './pipeline/control.ts'
import { registerPipeline } from './pipeline/pipeline.ts'
import { readSpeeds } from './pipeline/speed-store.ts'
import { transcriptOf } from './pipeline/transcript.ts'
import { sweepFiles } from './sweep/sweep.ts'
import {
  beginUpload,
  cancelUpload,
  endUpload,
  forgetUploads,
  getUpload,
  listUploads,
  receivePart,
} from './upload/parts.ts'
import { assertPlaces, replaceDocument, uploadDocuments } from './upload/upload.ts'

export { addDocument, plainName, type Stored, storeBytes, tagsOf, writeBytes } from './library/add.ts'
export { addItemDocuments } from './library/add-many.ts'
export { defaultWorkspace, linkToSession, linkToWorkspace, unlinkFromSession } from './library/add-store.ts'
export { folderOf } from './library/files.ts'
export { assertFreeSpace, roomLeft } from './library/free-space.ts'
export { countInWorkspace, listDocuments } from './library/list-store.ts'
export { clearLeft, purgeDocument, removeDocument } from './library/remove.ts'
export { deleteDocument, lockReadings } from './library/remove-store.ts'
export { sendContent } from './library/send.ts'
export { showDocuments } from './library/show-rows.ts'
export { findStored, readDocument } from './library/store.ts'
export { endDocuments, listEndedDocuments, untrashDocuments } from './library/trash-store.ts'
export { chunkIdOf } from './pipeline/cut.ts'
export { readingLimits, readingSettings } from './pipeline/reading-settings.ts'
export { jobKey } from './pipeline/request.ts'
export { beginPlainUpload, takeParts } from './upload/parts.ts'
export { receiveFiles, takeWhole } from './upload/receive.ts'
export { assertPlaces }

/** Serves the library, its files, the processing of documents and uploads, and registers the jobs behind them. */
export function serveDocuments(server: Server, deps: RunDeps): void {
  serveLibrary(server, deps)
  serveFiles(server, deps)
  serveReadings(server, deps)
  serveUploads(server, deps)
  registerPipeline(deps)
  deps.jobs.register('forget-uploads', () => forgetUploads(deps), { cron: '41 * * * *' })
  deps.jobs.register('sweep-files', (_, signal) => sweepFiles(deps, signal), { cron: '53 * * * *' })
}

function serveLibrary(server: Server, deps: RunDeps): void {
  const { db } = deps
  const show = (id: string) => showOne(deps, id)
  serve(server, contract.listDocuments, {
    handle: async ({ query: { chat_session_id, workspace_id, ...filter }, user }) => {
      await findScope(db, user, { chat_session_id, workspace_id })
      const { rows, total } = await listDocuments(db, user, filter, { chat_session_id, workspace_id })
      const { page, limit } = filter
      const items = await showDocuments(deps, rows)
      return { items, total, page, has_more: page * limit < total }
    },
  })
  serve(server, contract.listDocumentMonths, {
    handle: async ({ query: { chat_session_id, workspace_id, ...filter }, user }) => {
      await findScope(db, user, { chat_session_id, workspace_id })
      await assertTimeZone(db, filter.time_zone)
      return { months: await countByMonth(db, user, filter, { chat_session_id, workspace_id }) }
    },
  })
  serve(server, getLibraryState, { handle: ({ user }) => readLibraryState(deps, user) })
  serve(server, contract.getDocument, {
    handle: ({ params, query }) => showOne(deps, params.documentId, query.version),
  })
  serve(server, contract.changeDocument, {
    handle: async ({ params, body, user, request }) => {
      const { name, tags, shared_access, ...rest } = body
      const clean = { name: name && cleanCharacters(name), tags: tags?.map(cleanCharacters) }
      await updateDocument(db, params.documentId, { ...rest, ...clean }, deps.clock.now())
      if (shared_access !== undefined) {
        const companyId = shared_access ? companyToShareWith(user) : null
        await db.transaction().execute(async (trx) => {
          await shareDocument(trx, params.documentId, companyId)
          const changes = changed('shared', null, shared_access ? 'yes' : 'no')
          const entry = { subject: params.documentId, changes }
          await auditBy(deps, { user, request })(trx, { did: 'document.changed', ...entry })
        })
      }
      return show(params.documentId)
    },
  })
  serve(server, contract.deleteDocument, {
    handle: async ({ params, query, user, request }) => {
      if (query.workspace_id) await findAllowed(db, user, 'write workspace', query.workspace_id)
      const audit = auditBy(deps, { user, request })
      await removeDocument(deps, params.documentId, audit, query.workspace_id)
    },
  })
}

function serveFiles(server: Server, deps: RunDeps): void {
  const play = servePlayback(deps)
  // The handler sends the file itself.
  serve(server, contract.readDocumentContent, {
    handle: async ({ params, query, request, reply }) => {
      await sendContent(deps, request, reply, { id: params.documentId, ...query })
      return undefined as never
    },
  })
  serve(server, playback.openPlayback, {
    handle: ({ params, body, user }) => openPlayback(deps, user, { id: params.documentId, ...body }),
  })
  serve(server, playback.readPlayback, {
    handle: async ({ params, request, reply }) => {
      await play(params.ticket, request, reply)
      return undefined as never
    },
  })
  serve(server, contract.readDocumentFile, {
    handle: async ({ params, query, request, reply }) => {
      await sendKept(deps, request, reply, { id: params.documentId, name: params.name, ...query })
      return undefined as never
    },
  })
}

function serveReadings(server: Server, deps: RunDeps): void {
  const { db } = deps
  const show = (id: string) => showOne(deps, id)
  serve(server, contract.listElements, {
    handle: ({ params, query }) => listParts(db, params.documentId, query),
  })
  serve(server, contract.listDocumentChunks, {
    handle: async ({ params, query }) => {
      const { processing_info, total } = await readProcessing(db, params.documentId)
      return { chunks: await listChunks(db, params.documentId, query), total, processing_info }
    },
  })
  serve(server, contract.getDocumentChunk, {
    handle: async ({ params }) => {
      const chunk = await findChunk(db, params.documentId, params.chunkId)
      if (!chunk) throw new AppError('not_found', 'Chunk not found')
      return chunk
    },
  })
  serve(server, contract.getDocumentReport, {
    handle: async ({ params, query }) => {
      const { report } = await readProcessing(db, params.documentId, query)
      if (!report) throw new AppError('conflict', 'The document has not been read yet.')
      return report
    },
  })
  serve(server, contract.reprocessDocument, {
    handle: async ({ params, body }) => {
      await processAgain(deps, params.documentId, body)
      return show(params.documentId)
    },
  })
  serve(server, contract.retryDocument, {
    handle: async ({ params }) => {
      await retryProcessing(deps, params.documentId)
      return show(params.documentId)
    },
  })
  serve(server, contract.cancelDocument, {
    handle: async ({ params }) => {
      await cancelProcessing(deps, params.documentId)
      return show(params.documentId)
    },
  })
  serve(server, versions.listDocumentVersions, {
    handle: ({ params, query }) => showVersions(deps, params.documentId, query),
  })
  serve(server, versions.restoreDocumentVersion, {
    handle: async ({ params }) => {
      await restoreVersion(deps, params.documentId, params.version)
      return show(params.documentId)
    },
  })
  serve(server, contract.transcribeDocument, {
    handle: async ({ params, request }) => ({ text: await transcriptOf(deps, params.documentId, request) }),
  })
}

function serveUploads(server: Server, deps: RunDeps): void {
  serve(server, contract.uploadDocuments, {
    handle: ({ user, request }) => uploadDocuments(deps, user, request),
  })
  serve(server, versions.replaceDocument, {
    handle: async ({ params, user, request }) => {
      await replaceDocument(deps, user, params.documentId, request)
      return showOne(deps, params.documentId)
    },
  })
  serve(server, uploads.listUploads, {
    handle: async ({ user }) => ({ items: await listUploads(deps, user) }),
  })
  serve(server, uploads.beginUpload, { handle: ({ user, body }) => beginUpload(deps, user, body) })
  serve(server, uploads.getUpload, { handle: ({ params }) => getUpload(deps, params.uploadId) })
  serve(server, uploads.sendPart, {
    handle: ({ params, request }) => receivePart(deps, params.uploadId, request),
  })
  serve(server, uploads.endUpload, {
    handle: async ({ params, user }) => showOne(deps, await endUpload(deps, user, params.uploadId)),
  })
  serve(server, uploads.cancelUpload, { handle: ({ params }) => cancelUpload(deps, params.uploadId) })
}

/** Checks that the user may read the chat and the workspace a list is narrowed to. @throws AppError `not_found`, `forbidden` */
async function findScope(
  db: RunDeps['db'],
  user: Person,
  { chat_session_id, workspace_id }: Scope,
): Promise<void> {
  if (chat_session_id) await findAllowed(db, user, 'read session', chat_session_id)
  if (workspace_id) await findAllowed(db, user, 'read workspace', workspace_id)
}

async function showOne(deps: RunDeps, id: string, version?: number): Promise<contract.Document> {
  const row = await (version ? readVersion(deps.db, id, version) : readDocument(deps.db, id))
  if (!row) throw new AppError('not_found', 'Document not found')
  const speeds = row.status === 'in_progress' ? await readSpeeds(deps.db) : new Map()
  return showDocument(row, { now: deps.clock.now(), speeds, contents: await readContents(deps, row) })
}
