import type { Transaction } from 'kysely'
import { deleteSession, RESTORABLE_MS, restoreSession } from '#shared/chat/sessions/sessions.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { readTrashDays, trashLimit } from '../../platform/trash/trash.ts'
import { stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { endTemporary } from './end-temporary.ts'
import { deleteWhole, readSession } from './store.ts'
import { hideSession, isEndedSession, type TrashLimits, unhideSessions } from './trash-store.ts'

type Record = (trx: Transaction<Tables>) => Promise<unknown>

/** Serves the deletion of a session: to the trash, hidden first so that it can be undone, or immediately. */
export function serveDeletion(server: Server, deps: Deps): void {
  const { db, jobs } = deps
  jobs.register('delete-session', async ({ session_id }) =>
    purgeChat(deps, String(session_id), await chatLimits(deps)),
  )
  serve(server, deleteSession, {
    handle: async ({ params: { sessionId }, query, user, request }) => {
      const { origin, active_leaf } = await findAllowed(db, user, 'manage session', sessionId)
      if (origin === 'temporary') {
        await endTemporary(deps, sessionId)
        return { message: 'The session was deleted.' }
      }
      const record: Record = (trx) =>
        auditBy(deps, { user, request })(trx, { did: 'chat.removed', subject: sessionId })
      const isKept = origin === 'chat' && active_leaf !== null && (await readTrashDays(db)) > 0
      if (isKept || query.undo) await hideChat(deps, sessionId, { isKept, record })
      else await deleteChat(deps, sessionId, record)
      return { message: 'The session was deleted.' }
    },
  })
  serve(server, restoreSession, {
    handle: async ({ user, body: { session_id }, request }) => {
      const limits = await chatLimits(deps)
      await db.transaction().execute(async (trx) => {
        for (const subject of await unhideSessions(trx, user, [session_id], limits))
          await auditBy(deps, { user, request })(trx, { did: 'chat.restored', subject })
      })
      await findAllowed(db, user, 'manage session', session_id)
      return readSession(db, user, session_id)
    },
  })
}

/** Returns the times before which deleted chats cannot be restored. Without a trash, a deletion can still be undone. */
export async function chatLimits({
  db,
  clock,
}: Pick<Deps, 'clock'> & { db: Database }): Promise<TrashLimits> {
  const now = clock.now()
  return {
    used: trashLimit(now, await readTrashDays(db), RESTORABLE_MS),
    empty: trashLimit(now, 0, RESTORABLE_MS),
  }
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
  await removeFiles(files, keys)
}

/** Deletes a chat whose time in the trash is over. Does nothing when it was restored. */
export async function purgeChat(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  sessionId: string,
  limits: TrashLimits,
): Promise<void> {
  const keys = await db
    .transaction()
    .execute(async (trx) =>
      (await isEndedSession(trx, sessionId, limits)) ? deleteWhole(trx, sessionId) : [],
    )
  await removeFiles(files, keys)
}

/** The hourly sweep removes files that remain. */
async function removeFiles(files: Deps['files'], keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => files.remove(key).catch(() => undefined)))
}

type Hiding = { isKept: boolean; record: Record }

/** Stops a chat and moves it to the trash. One that the trash does not keep is deleted by a job unless it is restored. */
async function hideChat(
  { db, engine, jobs, clock }: Deps,
  sessionId: string,
  { isKept, record }: Hiding,
): Promise<void> {
  await stopSession(engine, sessionId)
  await jobs.prepare()
  await db.transaction().execute(async (trx) => {
    await hideSession(trx, sessionId, clock.now())
    // A second late, so that the chat is overdue when the job looks.
    const runAt = new Date(clock.now().getTime() + RESTORABLE_MS + 1_000)
    const key = `delete-session:${sessionId}`
    if (!isKept) await jobs.add('delete-session', { session_id: sessionId }, { key, runAt, within: trx })
    await record(trx)
  })
}
