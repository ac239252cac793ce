import { type Kysely, sql } from 'kysely'
import type { ProjectMark } from '#shared/chat/projects/projects.ts'
import { may, type Person } from '../../platform/access/access.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Lets one call at a time change the order of a person's projects. */
export async function lockOrder(trx: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(32, hashtext(${userId}))`.execute(trx)
}

/** Changes how projects appear in a person's sidebar. Absent fields stay. */
export async function changeMarks(db: Db, person: Person, marks: readonly ProjectMark[]): Promise<void> {
  await sql`
    insert into project_marks as mark (user_id, workspace_id, is_pinned, is_collapsed)
    select ${person.id}::uuid, w.id, coalesce(change.is_pinned, false), coalesce(change.is_collapsed, true)
    from jsonb_to_recordset(${toJson(marks)}::jsonb)
      as change (workspace_id uuid, is_pinned boolean, is_collapsed boolean)
    join workspaces w on w.id = change.workspace_id and ${may(person, 'read workspace', 'w')}
    on conflict (user_id, workspace_id) do update set
      is_pinned = case when ${has(marks, 'is_pinned')} then excluded.is_pinned else mark.is_pinned end,
      is_collapsed = case when ${has(marks, 'is_collapsed')} then excluded.is_collapsed else mark.is_collapsed end`.execute(
    db,
  )
}

/** Returns the condition that the change of the row has the field. */
function has(marks: readonly ProjectMark[], field: 'is_pinned' | 'is_collapsed') {
  const ids = marks.filter((mark) => mark[field] !== undefined).map((mark) => mark.workspace_id)
  return sql`mark.workspace_id = any(${ids}::uuid[])`
}

/** Numbers a person's projects in this order. */
export async function numberProjects(trx: Db, userId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into project_marks as mark (user_id, workspace_id, position)
    select ${userId}::uuid, ordered.id, ordered.place::int
    from unnest(${[...ids]}::uuid[]) with ordinality as ordered (id, place)
    on conflict (user_id, workspace_id) do update set position = excluded.position
      where mark.position is distinct from excluded.position`.execute(trx)
}
