import { type Kysely, sql } from 'kysely'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Model = { id: string; model_name: string; error: string | null }

/** Stores the finished run of a comparison and one sub-run per model. */
export async function insertComparison(
  trx: Db,
  { id, messageId, models }: { id: string; messageId: string; models: readonly Model[] },
): Promise<void> {
  const names = models.map(({ model_name }) => ({ model_name }))
  await sql`
    insert into runs (id, user_id, session_id, user_message_id, message_id, agent_type, agent_version, state, created_at, finished_at)
    select ${id}, s.user_id, s.id, m.parent_id, m.id, 'comparison', 1, 'completed', m.created_at, m.created_at
    from messages m join sessions s on s.id = m.session_id where m.id = ${messageId}`.execute(trx)
  await sql`
    insert into run_records (run_id, position, key, kind, value, epoch)
    values (${id}, 0, 'input', 'input', ${toJson({ value: { compared: names, is_imported: true }, events: [] })}::json, 0)`.execute(
    trx,
  )
  await sql`
    insert into runs (id, parent_run_id, user_id, session_id, user_message_id, agent_type, agent_version, model_name, state, error,
      created_at, finished_at)
    select model.id, r.id, r.user_id, r.session_id, r.user_message_id, 'single_turn', 1, model.model_name,
      case when model.error is null then 'completed' else 'failed' end,
      case when model.error is not null then jsonb_build_object('detail', model.error) end, r.created_at, r.created_at
    from runs r, jsonb_to_recordset(${toJson(models)}::jsonb) as model (id uuid, model_name text, error text)
    where r.id = ${id}`.execute(trx)
}
