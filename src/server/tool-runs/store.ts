import type { Insertable } from 'kysely'
import { type Kysely, sql } from 'kysely'
import { may, type Principal } from '../access/access.ts'
import type { Tables } from '../db/tables.ts'

/** Bytes of an input that is read for its line in a list. */
const LISTED_INPUT = 20_000

type Page = { tool_id: string; before?: string | undefined; limit: number }

/** The executions of a tool a principal may see, newest first: one more than the limit when there are more. */
export function findPastExecutions(
  db: Kysely<Tables>,
  principal: Principal,
  { tool_id, before, limit }: Page,
) {
  const listed = db
    .selectFrom('tool_executions as e')
    .leftJoin('sessions as s', 's.id', 'e.session_id')
    .select(['e.id', 'e.tool_id', 'e.session_id', 's.title', 'e.status', 'e.error'])
    .select(
      sql<unknown>`case when octet_length(e.input::text) <= ${LISTED_INPUT} then e.input end`.as('input'),
    )
    .select(['e.created_at', 'e.finished_at'])
    .select((row) =>
      row
        .exists(
          row
            .selectFrom('input_requests as r')
            .select('r.key')
            .whereRef('r.tool_execution_id', '=', 'e.id')
            .where('r.state', '=', 'waiting'),
        )
        .as('waits'),
    )
    .where(may(principal, 'read execution', 'e'))
    .where('e.tool_id', '=', tool_id)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit + 1)
  const after = sql<boolean>`(e.created_at, e.id) < (select created_at, id from tool_executions where id = ${before})`
  return (before ? listed.where(after) : listed).execute()
}

export async function insertExecution(
  trx: Kysely<Tables>,
  execution: Insertable<Tables['tool_executions']>,
): Promise<void> {
  await trx.insertInto('tool_executions').values(execution).execute()
}
