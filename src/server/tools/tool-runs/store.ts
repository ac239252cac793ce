import type { Insertable } from 'kysely'
import { type Kysely, sql } from 'kysely'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Maximum bytes of an input read for its line in a list. */
const MAX_LISTED_INPUT_BYTES = 20_000

type Page = { tool_id: string; before?: string | undefined; limit: number }

/** Time from announcement to end, excluding the questions of its run. */
const workedMs = sql<number | null>`(
  select extract(epoch from sum(upper(work) - lower(work)))::float * 1000
  from unnest(tstzmultirange(tstzrange(e.created_at, greatest(e.created_at, e.finished_at))) - coalesce((
    select range_agg(tstzrange(r.created_at, greatest(r.created_at, coalesce(r.answered_at, e.finished_at))))
    from input_requests r
    where r.run_id = e.run_id or r.run_id = (select parent_run_id from runs where id = e.run_id)
  ), '{}'::tstzmultirange)) as work
  where e.finished_at is not null)`

/** Whether a result says why it is incomplete. PostgreSQL cannot parse JSON with NUL characters. */
const gaveUp = sql<boolean>`coalesce(
  case when e.result::text not like '%\\\\u0000%' then json_typeof(e.result -> 'error') = 'string' end, false)`

/** Returns the executions of a tool a principal may see, newest first, and one more than the limit if there are more. */
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
      sql<unknown>`case when octet_length(e.input::text) <= ${MAX_LISTED_INPUT_BYTES} then e.input end`.as(
        'input',
      ),
    )
    .select(['e.created_at', 'e.finished_at', workedMs.as('worked_ms')])
    .select(gaveUp.as('gave_up'))
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
    .where(sql<boolean>`s.origin is distinct from 'temporary'`)
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

/** Returns whether a run executes one tool outside chats. */
export async function isStandalone(db: Kysely<Tables>, runId: string): Promise<boolean> {
  const run = await db.selectFrom('runs').select('kind').where('id', '=', runId).executeTakeFirst()
  return run?.kind === 'tool'
}

/** Deletes a run outside chats with everything that belongs to it. */
export async function deleteStandalone(db: Kysely<Tables>, runId: string): Promise<void> {
  await db.deleteFrom('runs').where('id', '=', runId).where('kind', '=', 'tool').execute()
}
