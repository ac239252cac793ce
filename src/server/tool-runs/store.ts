import type { Kysely } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Tables } from '../db/tables.ts'

/**
 * One execution of a tool, if it is this user's.
 * @throws AppError `not_found` for an unknown id, `forbidden` for another user's execution
 */
export async function findOwnExecution(db: Kysely<Tables>, userId: string, id: string) {
  const row = await db
    .selectFrom('tool_executions')
    .innerJoin('runs', 'runs.id', 'tool_executions.run_id')
    .selectAll('tool_executions')
    .select(['runs.kind', 'runs.session_id as run_session_id'])
    .where('tool_executions.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Tool execution not found')
  if (row.user_id !== userId)
    throw new AppError('forbidden', 'You do not have access to this tool execution.')
  return row
}

export type ExecutionRow = Awaited<ReturnType<typeof findOwnExecution>>

/** How many standalone executions of a user are not over. */
export async function countRunning(db: Kysely<Tables>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('runs')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'tool')
    .where('state', 'in', ['queued', 'running', 'waiting', 'paused'])
    .executeTakeFirstOrThrow()
  return Number(count)
}
