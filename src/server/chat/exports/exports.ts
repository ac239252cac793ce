import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import * as contract from '#shared/chat/exports/exports.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy, changed } from '../../identity/audit/audit.ts'
import { assertFreeSpace } from '../../knowledge/documents/documents.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { assertTimeZone } from '../../platform/db/db.ts'
import { sendFile } from '../../platform/files/send-file.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { refuseTemporary } from '../sessions/sessions.ts'
import { planChapters } from './chat/read-chat.ts'
import { fileName } from './file-name.ts'
import { jobKey, makeExport } from './make-export.ts'
import {
  deleteExport,
  deleteOldExports,
  type ExportRow,
  findChat,
  findExport,
  insertExport,
  isBeingMade,
  listExportRows,
} from './store.ts'

export { quietParts } from './chat/quiet-parts.ts'
export { fill, wordsOf } from './chat/words.ts'

const jobName = 'make-export'
const Payload = z.object({ exportId: z.string() })

/** Serves exports: chats as documents, and all data of an account. */
export function serveExports(server: Server, deps: Deps): void {
  const { db } = deps
  registerJobs(deps)
  serve(server, contract.exportChat, {
    handle: async ({ params: { sessionId }, body, user, request }) => {
      await assertTimeZone(db, body.time_zone)
      await refuseTemporary(db, user, sessionId)
      const session = await findChat(db, sessionId)
      if (!session) throw new AppError('not_found', 'Session not found')
      const { stretches, bytes } = await planChapters(deps, session, body.what)
      if (stretches.every(({ nodes }) => nodes.length === 0))
        throw new AppError('conflict', 'There is nothing in this chat yet.')
      const now = deps.clock.now()
      const name = fileName(session.title, now, body.format)
      const row = { user_id: user.id, session_id: sessionId, kind: 'chat' as const, name }
      const id = await begin(deps, row, body, auditBy(deps, { user, request }))
      if (bytes <= contract.SHORT_BYTES) await makeExport(deps, id, new AbortController().signal)
      else await deps.jobs.add(jobName, { exportId: id }, { key: jobKey(id), maxAttempts: 3 })
      return show(await findExport(db, id))
    },
  })
  serve(server, contract.exportAccount, {
    handle: async ({ body, user, request }) => {
      await assertTimeZone(db, body.time_zone)
      assertFreeSpace(deps.config)
      if (await isBeingMade(db, user.id, 'account'))
        throw new AppError('conflict', 'An archive is being made already. Wait for it, or stop it.')
      const name = fileName(`atrium-${user.username}`, deps.clock.now(), 'zip')
      const row = { user_id: user.id, session_id: null, kind: 'account' as const, name }
      const id = await begin(deps, row, body, auditBy(deps, { user, request }))
      await deps.jobs.add(jobName, { exportId: id }, { key: jobKey(id), maxAttempts: 3 })
      return show(await findExport(db, id))
    },
  })
  serve(server, contract.listExports, {
    handle: async ({ user, query }) => ({ items: (await listExportRows(db, user.id, query)).map(show) }),
  })
  serve(server, contract.getExport, {
    handle: async ({ params }) => show(await findExport(db, params.exportId)),
  })
  serve(server, contract.readExport, {
    handle: async ({ params, user, request, reply }) => {
      const { name, file_key } = await findAllowed(db, user, 'read export', params.exportId)
      if (file_key === null) throw new AppError('conflict', 'The file is not ready yet.')
      const kind = name.slice(name.lastIndexOf('.') + 1)
      await sendFile(deps, request, reply, { key: file_key, name, kind, isOriginal: true })
      // The file itself is the response.
      return undefined as never
    },
  })
  serve(server, contract.removeExport, {
    handle: async ({ params: { exportId }, user, request }) => {
      const { file_key } = await findAllowed(db, user, 'manage export', exportId)
      await db.transaction().execute(async (trx) => {
        await deleteExport(trx, exportId)
        await auditBy(deps, { user, request })(trx, { did: 'export.removed', subject: exportId })
      })
      await deps.jobs.cancel(jobKey(exportId))
      if (file_key !== null) await deps.files.remove(file_key)
    },
  })
}

function registerJobs(deps: Deps): void {
  // Exports are long and frequent: chats and documents are read meanwhile.
  const make = (payload: unknown, signal: AbortSignal) =>
    makeExport(deps, Payload.parse(payload).exportId, signal)
  deps.jobs.register(jobName, make, { places: 1 })
  deps.jobs.register(
    'remove-old-exports',
    async () => {
      for (const key of await deleteOldExports(deps.db, deps.clock.now())) await deps.files.remove(key)
    },
    { cron: '23 * * * *' },
  )
}

/** Registers an export. Exports over the limit are removed. */
async function begin(
  { db, clock, files }: Deps,
  row: Pick<ExportRow, 'user_id' | 'session_id' | 'kind' | 'name'>,
  wish: object,
  audit: Audit,
): Promise<string> {
  const id = randomUUID()
  const now = clock.now()
  const expires_at = new Date(now.getTime() + contract.EXPORT_DAYS * 86_400_000)
  const made = { ...row, id, wish, created_at: now, expires_at }
  const gone = await db.transaction().execute(async (trx) => {
    const left = await insertExport(trx, made, contract.MAX_EXPORTS)
    const kind = row.name.slice(row.name.lastIndexOf('.') + 1)
    const changes = changed(row.kind, null, kind)
    await audit(trx, { did: 'export.created', subject: row.session_id ?? row.kind, subjectId: id, changes })
    return left
  })
  for (const { file_key } of gone) if (file_key !== null) await files.remove(file_key)
  return id
}

function show(row: ExportRow | null): contract.Export {
  if (!row) throw new AppError('not_found', 'Export not found')
  const { id, kind, session_id, name, state, progress, stage, error, size } = row
  const times = { created_at: row.created_at.toISOString(), expires_at: row.expires_at.toISOString() }
  return {
    id,
    kind,
    session_id,
    name,
    state,
    progress,
    stage: stage as contract.Export['stage'],
    error,
    size,
    ...times,
  }
}
