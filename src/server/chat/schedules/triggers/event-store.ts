import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { may, type Person } from '../../../platform/access/access.ts'
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

/** Returns those documents that a person may read now, in their order. */
export async function keepReadable(db: Kysely<Tables>, person: Person, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select d.id from documents d
    where d.id = any(${ids}::uuid[]) and ${may(person, 'read document', 'd')}
    order by array_position(${ids}::uuid[], d.id) limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}
