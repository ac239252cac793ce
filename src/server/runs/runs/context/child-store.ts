import type { Kysely } from 'kysely'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Holder } from '../journal/journal-record.ts'
import { LostRunError } from '../journal/journal-record.ts'
import type { LiveRun } from './live-run.ts'
import type { ChildOutcome, RunInput } from './run-context.ts'

export type Trx = Kysely<Tables>

/** @throws LostRunError when the parent is another process's */
export async function assertHeld(trx: Trx, { runId, owner, epoch }: Holder): Promise<void> {
  const held = await trx
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where('owner', '=', owner)
    .where('epoch', '=', epoch)
    .forUpdate()
    .executeTakeFirst()
  if (!held) throw new LostRunError(runId)
}

/** Inserts or claims a sub-run. It has no message: its text is its result and appears as a step of the parent's message. */
export async function upsertChild(
  trx: Trx,
  parent: LiveRun,
  holder: Holder,
  input: RunInput,
  version: number,
) {
  const held = {
    state: 'running' as const,
    owner: holder.owner,
    epoch: holder.epoch,
    attempt: parent.attempt,
  }
  const { user_id, session_id, user_message_id, agent_type, model_name } = input
  const row = await trx
    .insertInto('runs')
    .values({
      ...{ id: holder.runId, parent_run_id: parent.id, user_id, session_id, user_message_id },
      ...{ agent_type, agent_version: version, model_name, ...held },
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(held))
    .returning('agent_version')
    .executeTakeFirstOrThrow()
  return row.agent_version
}

/** Marks a sub-run as ended. */
export async function settleChild(
  trx: Trx,
  id: string,
  { state, text }: ChildOutcome,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('runs')
    .set({
      ...{ state, owner: null, finished_at: now },
      error: state === 'failed' ? toJson({ detail: text }) : null,
    })
    .where('id', '=', id)
    .execute()
}
