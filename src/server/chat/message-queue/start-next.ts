import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { findActiveRun, type OnEnd } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { appendMessage, findByClientId, planMessage, startReply } from '../messages/messages.ts'
import {
  deleteQueued,
  findHold,
  isActivePerson,
  listQueued,
  mentionsIn,
  type QueuedRow,
  requeueUnread,
  updateQueued,
} from './store.ts'

/** The job that starts the first waiting message of a chat. */
export const startJob = 'start-queued'

/** Adds the job in the transaction that makes a start possible. Call `jobs.prepare` before it. */
export const requestStart = ({ jobs }: Pick<Deps, 'jobs'>, within: Kysely<Tables>, sessionId: string) =>
  jobs.add(startJob, { session_id: sessionId }, { key: `${startJob}:${sessionId}`, within })

/** Starts the next message when a run ends. Messages that no step of the run read come first. */
export function startAfterEnd(deps: Pick<Deps, 'jobs'>): OnEnd {
  return async ({ run }) => {
    await deps.jobs.prepare()
    return async (trx) => {
      if (await requeueUnread(trx, run.sessionId)) await requestStart(deps, trx, run.sessionId)
    }
  }
}

/** The first message changed while its reply was planned. */
class Changed extends Error {}

/**
 * Starts a run with the first waiting message, unless the queue is held. The message leaves the queue in the transaction that
 * starts its run, so a repetition of the job starts nothing twice. A refusal is stored with the message.
 */
export async function startNext(deps: Deps, sessionId: string): Promise<void> {
  for (;;) {
    const first = await findFirst(deps.db, sessionId)
    if (!first) return
    try {
      return await start(deps, sessionId, first)
    } catch (error) {
      if (error instanceof Changed) continue
      // The end of that run starts the next one.
      if (error instanceof AppError && error.code === 'session_busy') return
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error
      await updateQueued(deps.db, first.id, { failure: error.code })
      return
    }
  }
}

async function findFirst(db: Kysely<Tables>, sessionId: string): Promise<QueuedRow | null> {
  const rows = await listQueued(db, sessionId)
  if ((await findHold(db, sessionId, rows)) !== null) return null
  if (await findActiveRun(db, sessionId)) return null
  return rows.find(({ way }) => way !== 'steer') ?? null
}

async function start(deps: Deps, sessionId: string, first: QueuedRow): Promise<void> {
  const { options, client_id } = first
  // Others see why the queue is held, and may withdraw the message.
  if (!(await isActivePerson(deps.db, first.user_id)))
    throw new AppError('forbidden', 'The account of its author is closed.')
  const user = await callerOf(deps, first)
  const session = await findAllowed(deps.db, user, 'write session', sessionId)
  if (await findByClientId(deps.db, sessionId, client_id)) {
    // A browser sent it another way meanwhile.
    await deleteQueued(deps.db, first.id)
    throw new Changed()
  }
  const { plan, mentions } = await planMessage(deps, user, session, {
    tool_choice: options.tool_choice ?? null,
    mentions: mentionsIn(options),
  })
  await startReply(deps, plan, async (trx) => {
    const now = await findFirstWithin(trx, sessionId)
    if (now?.id !== first.id || (await findByClientId(trx, sessionId, client_id))) throw new Changed()
    await deleteQueued(trx, first.id)
    const document_ids = options.document_ids ?? []
    return appendMessage(trx, deps, sessionId, {
      ...{ content: now.content, client_id, document_ids, mentions },
      author_id: now.user_id,
    })
  })
}

/** Returns the first message under the lock of the session, when it may start. */
async function findFirstWithin(trx: Kysely<Tables>, sessionId: string): Promise<QueuedRow | null> {
  const rows = await listQueued(trx, sessionId)
  if ((await findHold(trx, sessionId, rows)) !== null) return null
  return rows.find(({ way }) => way !== 'steer') ?? null
}

/** The person who sent the message, with their current rights. */
async function callerOf(deps: Deps, { user_id, options: { time_zone } }: QueuedRow): Promise<Caller> {
  const user = await readUser(deps, user_id)
  const caller = { kind: 'user' as const, ...user, tokenHash: Buffer.alloc(0), verified: true }
  return { ...caller, ...(time_zone && { timeZone: time_zone }) }
}
