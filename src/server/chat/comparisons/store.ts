import { type Kysely, sql } from 'kysely'
import { COMPARISON, type ComparedReply } from '#shared/chat/comparisons/comparisons.ts'
import { AppError } from '#shared/platform/errors.ts'
import { grownBy } from '../../money/storage/storage.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findRunOfMessage, loadRecords, type RunInput } from '../../runs/runs/runs.ts'
import { messageOfModel, runOfModel, usageOfModel } from '../agents/agents.ts'

type Db = Kysely<Tables>

/** Returns the replies of a comparison in their order. @throws AppError `conflict` for another message */
export async function listReplies(db: Db, messageId: string): Promise<ComparedReply[]> {
  const run = await findRunOfMessage(db, messageId)
  if (run?.agent_type !== COMPARISON) throw new AppError('conflict', 'This message is not a comparison.')
  const [first] = await loadRecords(db, run.id, 0)
  const { compared = [] } = (first?.value ?? {}) as Partial<RunInput>
  return Promise.all(compared.map(({ model_name }, at) => readReply(db, run.id, model_name, at + 1)))
}

/** Adds the alternatives of a comparison to the stored bytes of its session. Called once, when its run ends. */
export async function countAlternatives(
  trx: Db,
  { session_id, user_message_id, message_id }: RunInput,
): Promise<void> {
  const bytes = sql<number>`coalesce((select sum(bytes) from messages
    where parent_id = ${user_message_id} and metadata ->> 'compared_in' = ${message_id}), 0)`
  await trx
    .updateTable('sessions')
    .set({ stored_bytes: grownBy(bytes) })
    .where('id', '=', session_id)
    .execute()
}

async function readReply(db: Db, runId: string, model_name: string, number: number): Promise<ComparedReply> {
  const childId = runOfModel(runId, number)
  const child = await db
    .selectFrom('runs')
    .select(['state', 'error'])
    .where('id', '=', childId)
    .executeTakeFirst()
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', messageOfModel(childId))
    .executeTakeFirst()
  const state = child?.state === 'completed' || child?.state === 'failed' ? child.state : 'working'
  const { detail = null } = (child?.error ?? {}) as { detail?: string | null }
  return {
    number,
    model_name,
    state,
    message_id: message?.id ?? null,
    usage: await usageOfModel(db, childId),
    error: detail,
  }
}
