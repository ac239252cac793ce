import type { Kysely } from 'kysely'
import { MAX_QUEUED } from '#shared/chat/message-queue/message-queue.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** A message that a person adds while a run works. */
export type SteeringNote = { id: string; content: string; sent_at: string }

/** A run's chat and the person for whom it works. Other members of a shared chat do not steer it: their words would count as the person's own. */
type Steered = { sessionId: string; userId: string }

/** Returns whether a step of the run has something to read. */
export async function hasNotes(db: Database, { sessionId, userId }: Steered): Promise<boolean> {
  const row = await db
    .selectFrom('queued_messages')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('way', '=', 'steer')
    .where('read_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Claims the steering messages of a chat, oldest first. From then on a person can no longer change them. Those that a lost attempt
 * of the step claimed are returned again.
 */
export async function claimNotes(
  db: Database,
  { sessionId, userId }: Steered,
  now: Date,
): Promise<SteeringNote[]> {
  const rows = await db
    .updateTable('queued_messages')
    .set({ claimed_at: now })
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('way', '=', 'steer')
    .where('read_at', 'is', null)
    .returning(['id', 'content', 'position', 'created_at'])
    .execute()
  return rows
    .toSorted((a, b) => a.position - b.position)
    .slice(0, MAX_QUEUED)
    .map(({ id, content, created_at }) => ({ id, content, sent_at: created_at.toISOString() }))
}

/**
 * Refuses a message that steered a run already. A browser repeats it when it did not receive the answer.
 * @throws AppError `already_answered`
 */
export async function assertUnread(
  db: Kysely<Tables>,
  sessionId: string,
  clientId: string | undefined,
): Promise<void> {
  if (clientId === undefined) return
  const row = await db
    .selectFrom('queued_messages')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('client_id', '=', clientId)
    .where('read_at', 'is not', null)
    .executeTakeFirst()
  if (row) throw new AppError('already_answered', 'A reply has read this message already.')
}

/** Marks claimed messages as read, in the transaction that commits the record of the step. */
export async function markRead(trx: Kysely<Tables>, ids: readonly string[], now: Date): Promise<void> {
  await trx.updateTable('queued_messages').set({ read_at: now }).where('id', 'in', ids).execute()
}
