import * as z from 'zod'
import * as contract from '#shared/lifecycle/imports/imports.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { beginPlainUpload, takeParts } from '../../knowledge/documents/documents.ts'
import { assertStorage } from '../../money/storage/storage.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { partKeys } from './archive/parts-reader.ts'
import {
  countStoredBytes,
  deleteImport,
  findImport,
  hasBusy,
  insertImport,
  listBusy,
  listIdle,
  listImportRows,
  listProblems,
  moveImport,
  readImport,
} from './import-store.ts'
import { jobKey, removeFile, runImport } from './run-import.ts'
import { showImport } from './show-import.ts'

const jobName = 'import-chats'
const Payload = z.object({ importId: z.string() })
const HOUR_MS = 60 * 60 * 1000

/** Serves imports of the exports of other products, and registers the job behind them. */
export function serveImports(server: Server, deps: Deps): void {
  const { db, clock } = deps
  registerJobs(deps)
  serveBeginning(server, deps)
  serve(server, contract.listImports, {
    handle: async ({ user, query }) => ({
      items: (await listImportRows(db, user.id, query)).map(showImport),
    }),
  })
  serve(server, contract.getImport, { handle: ({ params }) => show(deps, params.importId) })
  serve(server, contract.listImportProblems, {
    handle: ({ params, query }) => listProblems(db, params.importId, query),
  })
  serve(server, contract.stopImport, {
    handle: async ({ params: { importId } }) => {
      const move = { from: ['importing'] as const, to: 'stopped' as const, now: clock.now() }
      if (!(await moveImport(db, importId, move)))
        throw new AppError('conflict', 'This import is not under way.')
      return show(deps, importId)
    },
  })
  serveEffects(server, deps)
}

function serveBeginning(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, contract.beginImportUpload, {
    handle: async ({ user, body }) => {
      if (body.size > contract.MAX_IMPORT_BYTES)
        throw new AppError('too_large', 'The file is larger than 20 GB, the limit of an import.')
      await assertStorage(deps, user.id)
      if ((await countStoredBytes(db, user.id)) + body.size > contract.MAX_IMPORT_BYTES)
        throw new AppError('quota_exceeded', 'Your import files exceed 20 GB. Remove an import first.')
      return beginPlainUpload(deps, user, body)
    },
  })
  serve(server, contract.createImport, {
    handle: async ({ user, body: { upload_id } }) => {
      await findAllowed(db, user, 'manage upload', upload_id)
      await deps.jobs.prepare()
      const id = await db.transaction().execute(async (trx) => {
        await assertNoneBusy(trx, user.id)
        const upload = await takeParts(trx, upload_id)
        if (!upload) throw new AppError('not_found', 'Upload not found')
        const { name, size, parts } = upload
        const made = await insertImport(trx, { user_id: user.id, upload_id, name, size, parts }, clock.now())
        await deps.jobs.add(jobName, { importId: made }, { key: jobKey(made), within: trx })
        return made
      })
      return show(deps, id)
    },
  })
}

function serveEffects(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, contract.startImport, {
    handle: async ({ params: { importId }, body, user, request }) => {
      const row = await findAllowed(db, user, 'write import', importId)
      if (row.parts.length === 0 || row.total === null)
        throw new AppError('conflict', 'The file of this import is gone. Upload it again.')
      await deps.jobs.prepare()
      await db.transaction().execute(async (trx) => {
        await assertNoneBusy(trx, user.id)
        const { with_assistants } = body
        const changes = with_assistants === undefined ? {} : { with_assistants }
        const move = {
          from: ['ready', 'stopped', 'failed'] as const,
          to: 'importing' as const,
          now: clock.now(),
        }
        if (!(await moveImport(trx, importId, move, { ...changes, error: null })))
          throw new AppError('conflict', 'This import cannot be started now.')
        await deps.jobs.add(jobName, { importId }, { key: jobKey(importId), within: trx })
        await auditBy(deps, { user, request })(trx, {
          ...{ did: 'import.started', subject: importId, changes: changed('format', null, row.format) },
        })
      })
      return show(deps, importId)
    },
  })
  serve(server, contract.undoImport, {
    handle: async ({ params: { importId }, user, request }) => {
      await deps.jobs.prepare()
      await db.transaction().execute(async (trx) => {
        await assertNoneBusy(trx, user.id)
        const move = {
          from: ['stopped', 'failed', 'done', 'undone'] as const,
          to: 'undoing' as const,
          now: clock.now(),
        }
        // An import that follows begins with the first entry again.
        if (!(await moveImport(trx, importId, move, { done: 0, error: null })))
          throw new AppError('conflict', 'There is nothing to undo now.')
        await deps.jobs.add(jobName, { importId }, { key: jobKey(importId), within: trx })
        await auditBy(deps, { user, request })(trx, { did: 'import.undone', subject: importId })
      })
      return show(deps, importId)
    },
  })
  serve(server, contract.removeImport, {
    handle: async ({ params: { importId } }) => {
      const row = await findImport(db, importId)
      if (!row) throw new AppError('not_found', 'Import not found')
      if (!(await deleteImport(db, importId)))
        throw new AppError('conflict', 'This import added chats. Undo it instead.')
      await deps.jobs.cancel(jobKey(importId))
      for (const key of partKeys(row)) await deps.files.remove(key)
    },
  })
}

function registerJobs(deps: Deps): void {
  const run = (payload: unknown, signal: AbortSignal) =>
    runImport(deps, Payload.parse(payload).importId, signal)
  // An import is long: chats and documents are read meanwhile.
  deps.jobs.register(jobName, run, { places: 1 })
  const look = async () => {
    for (const importId of await listBusy(deps.db))
      if (!(await deps.jobs.has(jobKey(importId))))
        await deps.jobs.add(jobName, { importId }, { key: jobKey(importId) })
    const before = new Date(deps.clock.now().getTime() - contract.IMPORT_FILE_HOURS * HOUR_MS)
    for (const id of await listIdle(deps.db, before)) await removeFile(deps, id)
  }
  deps.jobs.register('look-for-imports', look, { cron: '37 * * * *' })
}

/** Locks the imports of a person until the end of the transaction. @throws AppError `conflict` while a job works on one */
async function assertNoneBusy(trx: Deps['db'], userId: string): Promise<void> {
  if (await hasBusy(trx, userId))
    throw new AppError('conflict', 'An import is under way already. Wait for it, or stop it.')
}

async function show({ db }: Pick<Deps, 'db'>, id: string): Promise<contract.Import> {
  const row = await readImport(db, id)
  if (!row) throw new AppError('not_found', 'Import not found')
  return showImport(row)
}
