import type { Kysely } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { parseJson } from '#shared/runs/join.ts'
import { cleanCharacters, type Database, toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import type { ToolCall, ToolOutcome } from './call.ts'

/** Writes what came of a call where it is kept whole. @throws when the call was never announced */
export async function storeOutcome(trx: Kysely<Tables>, call: ToolCall, outcome: ToolOutcome): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('tool_executions')
    .set({
      status: outcome.ok ? 'complete' : 'error',
      input: toJson(parseJson(call.input) ?? call.input),
      result: outcome.ok ? toJson(outcome.result) : null,
      error: outcome.ok ? null : cleanCharacters(outcome.error),
      finished_at: new Date(),
    })
    .where('id', '=', call.execution_id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`The call ${call.execution_id} was not announced.`)
}

/** The result of an execution, as it was stored. @throws AppError `broken` when it is gone */
export async function loadResult(db: Database, id: string): Promise<unknown> {
  const row = await db
    .selectFrom('tool_executions')
    .select('result')
    .where('id', '=', id)
    .where('status', '=', 'complete')
    .executeTakeFirst()
  if (!row) throw new AppError('broken', 'The result of a tool is gone. Return to an earlier checkpoint.')
  return row.result
}
