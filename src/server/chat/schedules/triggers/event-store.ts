import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** Returns the chat, the state and the reply of a run. @throws AppError `not_found` */
export async function readEndedRun(
  db: Kysely<Tables>,
  runId: string,
): Promise<{ session_id: string; state: string; result: string }> {
  const { rows } = await sql<{ session_id: string; state: string; result: string }>`
    select r.session_id, r.state, coalesce(m.content, '') as result
    from runs r left join messages m on m.id = r.message_id where r.id = ${runId}`.execute(db)
  if (!rows[0]) throw new AppError('not_found', 'Run not found')
  return rows[0]
}
