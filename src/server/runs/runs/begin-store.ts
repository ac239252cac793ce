import type { Insertable, Kysely } from 'kysely'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { keepNoted } from '../../platform/access/classes/classes.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunInput } from './context/run-context.ts'
import type { Inherited } from './inherit.ts'
import type { Holder } from './journal/journal-record.ts'
import type { Fork } from './journal/journal-store.ts'

type Trx = Kysely<Tables>

/** Increments the session's epoch and marks the session as working. Returns the epoch. */
export async function beginEpoch(trx: Trx, sessionId: string, leaf?: string): Promise<number> {
  const { epoch } = await trx
    .updateTable('sessions')
    .set((row) => ({
      epoch: row('epoch', '+', 1),
      status: 'GENERATING',
      agent_status: 'processing',
      pending_input: null,
      updated_at: new Date(),
      ...(leaf ? { active_leaf: leaf } : {}),
    }))
    .where('id', '=', sessionId)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

type Beginning = {
  /** Whether the process that starts the run also owns it. */
  isHeld: boolean
  version: number
  events: RunEvent[]
  /** The fork position. */
  fork?: Fork
  /** Record 0 of a fork contains only its own input, unless its origin has none. */
  isWhole?: boolean
  metadata?: Record<string, unknown>
}

/** Inserts the reply message and its run with record 0. */
export async function insertRun(
  trx: Trx,
  holder: Holder,
  input: RunInput,
  { isHeld, version, events, fork, isWhole = !fork, metadata = {} }: Beginning,
): Promise<void> {
  const { session_id, user_message_id, message_id, agent_type, model_name, assistant } = input
  await trx
    .insertInto('messages')
    .values({
      ...{ id: message_id, session_id, parent_id: user_message_id, role: 'assistant' },
      ...{ agent_type, model_name, status: 'streaming' },
      metadata: toJson({ ...metadata, ...(assistant && { assistant }) }),
    })
    .execute()
  await trx
    .insertInto('runs')
    .values({
      ...{ id: holder.runId, user_id: input.user_id, session_id, user_message_id, message_id },
      ...{ agent_type, agent_version: version, model_name },
      ...standing(holder, isHeld),
      ...{ forked_from_run: fork?.runId ?? null, forked_from_position: fork?.position ?? null },
    })
    .execute()
  await keepNoted(trx, holder.runId)
  const value = toJson({ value: isWhole ? input : { message_id, returned_to: input.returned_to }, events })
  await trx
    .insertInto('run_records')
    .values({ run_id: holder.runId, position: 0, key: 'input', kind: 'input', value, epoch: holder.epoch })
    .execute()
}

export async function insertStandalone(
  trx: Trx,
  holder: Holder,
  input: RunInput,
  { isHeld, version }: { isHeld: boolean; version: number },
) {
  const { user_id, agent_type, standalone } = input
  await trx
    .insertInto('runs')
    .values({
      ...{ id: holder.runId, kind: 'tool', user_id, session_id: standalone?.session_id ?? null },
      ...{ agent_type, agent_version: version, ...standing(holder, isHeld) },
    })
    .execute()
  await keepNoted(trx, holder.runId)
}

/** Announces inherited calls without a result under new ids, because the fork repeats them. */
export async function announceAgain(trx: Trx, runId: string, calls: Inherited['calls']): Promise<void> {
  for (const [from, to] of calls) {
    await trx
      .insertInto('tool_executions')
      .columns(['id', 'run_id', 'user_id', 'session_id', 'tool_id', 'input', 'status'])
      .expression((query) =>
        query
          .selectFrom('tool_executions')
          .select(({ val }) => [val(to).as('id'), val(runId).as('run_id')])
          .select(['user_id', 'session_id', 'tool_id', 'input'])
          .select(({ val }) => val('pending').as('status'))
          .where('id', '=', from),
      )
      .execute()
  }
}

export async function insertRecord(trx: Trx, record: Insertable<Tables['run_records']>): Promise<void> {
  await trx.insertInto('run_records').values(record).execute()
}

/** Returns the initial columns of a run: owned from the start, or queued before its first attempt in the same epoch. */
function standing({ owner, epoch }: Holder, isHeld: boolean) {
  return isHeld
    ? { state: 'running' as const, owner, epoch, attempt: 1 }
    : { state: 'queued' as const, owner: null, epoch, attempt: 0 }
}
