import { type Kysely, sql } from 'kysely'
import type { ProjectSchedule } from '#shared/chat/project-lifecycle/project-schedules.ts'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Stop = { id: string; name: string; code: 'project_archived' | 'project_deleted' }

/** Stops the schedules of a project that are turned on, with their slots that have not begun, and notifies their owners. */
export async function stopSchedules(trx: Db, { id, name, code }: Stop): Promise<void> {
  const reason = JSON.stringify({ code, name, project_id: id })
  const { rows } = await sql<{ id: string; user_id: string; version: number }>`
    update schedules set state = 'stopped', stopped_for = ${reason}::jsonb, version = version + 1,
      updated_at = clock_timestamp()
    where state = 'on' and id in (
      select id from schedules where id in (select schedules_of_project(${id})) and state = 'on' order by id for update)
    returning id, user_id, version`.execute(trx)
  const ids = rows.map((row) => row.id)
  await sql`
    update slots set state = 'skipped', reason = '{"code": "stopped"}', ended_at = schedule_now(), claimed_until = null
    where schedule_id = any(${ids}::uuid[]) and state = 'waiting'`.execute(trx)
  await sql`delete from slots where schedule_id = any(${ids}::uuid[]) and state = 'planned'`.execute(trx)
  for (const row of rows.sort((a, b) => (a.user_id < b.user_id ? -1 : 1)))
    await sql`select notify_of_schedule(${row.user_id}, 'schedule_stopped',
      'schedule ' || ${row.id}::text || ' stopped ' || ${row.version}::int, ${row.id}, null) limit 1`.execute(
      trx,
    )
}

/** Turns on again what the archiving of a project stopped. Times that passed meanwhile do not count. */
export async function resumeSchedules(trx: Db, id: string): Promise<void> {
  await sql`
    update schedules set state = 'on', stopped_for = null, failures = 0, version = version + 1,
      planned_until = schedule_now(), anchor_at = date_trunc('minute', schedule_now()), updated_at = clock_timestamp()
    where state = 'stopped' and stopped_for ->> 'code' = 'project_archived' and stopped_for ->> 'project_id' = ${id}`.execute(
    trx,
  )
}

type Row = Pick<ProjectSchedule, 'id' | 'name' | 'state'> & {
  rule: Rule
  time_zone: string
  next_at: Date | null
}

/** Returns a person's schedules in a project, and the number of those of other people. */
export async function findProjectSchedules(
  db: Db,
  person: Person,
  projectId: string,
  limit: number,
): Promise<{ rows: Row[]; others: number }> {
  const { rows } = await sql<Row>`
    select c.id, c.name, c.state, c.rule, c.time_zone,
      (select min(due_at) from slots where schedule_id = c.id and state = 'planned') as next_at
    from schedules c where c.id in (select schedules_of_project(${projectId})) and ${may(person, 'read schedule', 'c')}
    order by c.state <> 'on', next_at nulls last, lower(c.name), c.id limit ${limit}`.execute(db)
  const { rows: counted } = await sql<{ others: number }>`
    select count(*)::int as others from schedules c
    where c.id in (select schedules_of_project(${projectId})) and not ${may(person, 'read schedule', 'c')}`.execute(
    db,
  )
  return { rows, others: counted[0]?.others ?? 0 }
}
