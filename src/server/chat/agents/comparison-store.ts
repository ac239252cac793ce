import { type Kysely, sql } from 'kysely'
import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunUsage } from '#shared/runs/runs/usage.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { insertReplyRun } from '../../platform/access/classes/classes.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type ChildOutcome, executionId, loadRecords, type RunInput, sumUsage } from '../../runs/runs/runs.ts'
import { keepFactsOf } from '../memory/memory.ts'

type Db = Kysely<Tables>

/** Returns the id of the sub-run of a model. */
export const runOfModel = (runId: string, number: number): string =>
  executionId(runId, `child\nmodel${number}`)

/** Returns the id of the message that a sub-run's reply becomes. */
export const messageOfModel = (childId: string): string => executionId(childId, 'message')

/** Stores each reply as an alternative of the comparison, below the same message. Failed ones show their error. */
export async function keepAlternatives(
  trx: Db,
  runId: string,
  input: RunInput,
  outcomes: readonly ChildOutcome[],
): Promise<void> {
  for (const [at, model] of (input.compared ?? []).entries()) {
    const childId = runOfModel(runId, at + 1)
    const outcome = outcomes[at]
    if (outcome?.state !== 'completed') continue
    const records = await loadRecords(trx, childId)
    const view = foldEvents(
      emptyReply(childId, input, model.model_name),
      records.flatMap(({ events }) => events),
    )
    const blocks = (view?.blocks ?? []).filter(({ type }) => type !== 'checkpoint')
    const usage = await usageOfModel(trx, childId)
    await trx
      .insertInto('messages')
      .values({
        ...{ id: messageOfModel(childId), session_id: input.session_id, parent_id: input.user_message_id },
        ...{ role: 'assistant', agent_type: model.agent_type, model_name: model.model_name },
        ...{ content: cleanCharacters(view?.content ?? outcome.text), blocks: toJson(blocks) },
        status: 'completed',
        metadata: toJson({ compared_in: input.message_id, ...(usage && { usage }) }),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    await insertReplyRun(trx, messageOfModel(childId), childId)
    await keepFactsOf(trx, records, { from: input.message_id, to: messageOfModel(childId) })
  }
}

function emptyReply(run_id: string, input: RunInput, model_name: string): RunView {
  const { session_id, message_id, user_message_id } = input
  return {
    ...{ run_id, session_id, message_id, user_message_id, agent_type: 'multi_turn', model_name },
    ...{ status: 'streaming', stopped: false, content: '', blocks: [], progress: null },
  }
}

/** Returns the usage of a sub-run that has ended, with the time it took; null before that. */
export async function usageOfModel(db: Db, childId: string): Promise<RunUsage | null> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from finished_at - created_at)::float8 as seconds from runs
    where id = ${childId} and finished_at is not null`.execute(db)
  const [ended] = rows
  if (!ended) return null
  const { worked_ms: _, ...sum } = await sumUsage(db, childId)
  return { ...sum, seconds: Math.round(ended.seconds * 10) / 10 }
}
