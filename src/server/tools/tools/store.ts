import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters, type Database, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { readArguments, type ToolCall, type ToolOutcome } from './call.ts'

/** Stores the full outcome of a call. @throws if the call was never announced */
export async function storeOutcome(trx: Kysely<Tables>, call: ToolCall, outcome: ToolOutcome): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('tool_executions')
    .set({
      status: outcome.ok ? 'complete' : 'error',
      input: storedInput(call),
      result: outcome.ok ? toJson(outcome.result) : null,
      error: outcome.ok ? null : cleanCharacters(outcome.error),
      finished_at: new Date(),
    })
    .where('id', '=', call.execution_id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`The call ${call.execution_id} was not announced.`)
}

/** Returns the stored result of an execution of a run or its chat. @throws AppError `broken` if it is gone */
export async function loadResult(
  db: Database,
  id: string,
  { runId, sessionId }: { runId: string; sessionId: string },
): Promise<unknown> {
  const row = await db
    .selectFrom('tool_executions')
    .select('result')
    .where('id', '=', id)
    .where('status', '=', 'complete')
    .where(({ or, eb }) => or([eb('run_id', '=', runId), eb('session_id', '=', sessionId)]))
    .executeTakeFirst()
  if (!row) throw new AppError('broken', 'The result of a tool is gone. Return to an earlier checkpoint.')
  return row.result
}

/** Stores the announced calls of a model's answer. */
export async function insertCalls(
  trx: Kysely<Tables>,
  { id: run_id, input: { user_id, session_id } }: Pick<RunContext, 'id' | 'input'>,
  calls: readonly ToolCall[],
): Promise<void> {
  const rows = calls.map((call) => {
    const { execution_id: id, tool_id } = call
    return { id, run_id, user_id, session_id, tool_id, input: storedInput(call), status: 'pending' }
  })
  await trx.insertInto('tool_executions').values(rows).execute()
}

/** Invalid JSON is stored as plain text. */
const storedInput = (call: ToolCall) => toJson(readArguments(call) ?? call.input)
