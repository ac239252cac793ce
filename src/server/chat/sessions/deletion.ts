import type { Transaction } from 'kysely'
import { deleteSession, RESTORABLE_MS, restoreSession } from '#shared/chat/sessions/sessions.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { deleteWhole, hideSession, isOverdue, readSession, unhideSession } from './store.ts'

type Record = (trx: Transaction<Tables>) => Promise<unknown>

/** Serves the deletion of a session: immediately, or hidden first so that it can be restored. */
export function serveDeletion(server: Server, deps: Deps): void {
  const { db, clock, jobs } = deps
  jobs.register('delete-session', async ({ session_id }) => {
    const before = new Date(clock.now().getTime() - RESTORABLE_MS)
    if (await isOverdue(db, String(session_id), before)) await deleteChat(deps, String(session_id))
  })
  serve(server, deleteSession, {
    handle: async ({ params: { sessionId }, query, user, request }) => {
      const record: Record = (trx) =>
        auditBy(deps, { user, request })(trx, { did: 'chat.removed', subject: sessionId })
      if (query.undo) await hideChat(deps, sessionId, record)
      else await deleteChat(deps, sessionId, record)
      return { message: 'The session was deleted.' }
    },
  })
  serve(server, restoreSession, {
    handle: async ({ user, body: { session_id }, request }) => {
      const since = new Date(clock.now().getTime() - RESTORABLE_MS)
      await db.transaction().execute(async (trx) => {
        if (await unhideSession(trx, user.id, session_id, since))
          await auditBy(deps, { user, request })(trx, { did: 'chat.restored', subject: session_id })
      })
      await findAllowed(db, user, 'manage session', session_id)
      return readSession(db, user, session_id)
    },
  })
}

/** Stops and deletes a chat with its media and exports. `record` runs in the same transaction. */
export async function deleteChat(
  { db, engine, files }: Pick<Deps, 'db' | 'engine' | 'files'>,
  sessionId: string,
  record?: Record,
): Promise<void> {
  await stopSession(engine, sessionId)
  const keys = await db.transaction().execute(async (trx) => {
    const found = await deleteWhole(trx, sessionId)
    await record?.(trx)
    return found
  })
  // The hourly sweep removes files that remain.
  await Promise.all(keys.map((key) => files.remove(key).catch(() => undefined)))
}

/** Stops and hides a chat. A job deletes it unless it is restored. */
async function hideChat({ db, engine, jobs, clock }: Deps, sessionId: string, record: Record): Promise<void> {
  await stopSession(engine, sessionId)
  await jobs.prepare()
  await db.transaction().execute(async (trx) => {
    await hideSession(trx, sessionId, clock.now())
    // A second late, so that the chat is overdue when the job looks.
    const runAt = new Date(clock.now().getTime() + RESTORABLE_MS + 1_000)
    const key = `delete-session:${sessionId}`
    await jobs.add('delete-session', { session_id: sessionId }, { key, runAt, within: trx })
    await record(trx)
  })
}
