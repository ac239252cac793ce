import { type Kysely, sql } from 'kysely'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import type { MemberSchedule } from '#shared/chat/schedules/schedule-administration.ts'
import { may, type Person } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { endOpenSlots, stopRuns } from '../slot-store.ts'
import { nameOf } from '../store.ts'

type Db = Kysely<Tables>
type Row = Omit<MemberSchedule, 'sentence' | 'next_at'> & {
  rule: Rule
  time_zone: string
  anchor_at: Date
  next_at: Date | null
}

/** Returns a page of the schedules of the people whom a person administers: those turned on first, by cost. */
export async function listMemberSchedules(
  db: Db,
  person: Person,
  { skip, limit }: { skip: number; limit: number },
) {
  const { rows } = await sql<Row>`
    select c.id, c.name, ${nameOf('owner')} as owner_name, c.kind, c.state, c.rule, c.time_zone, c.anchor_at,
      case when c.state = 'on' then
        (select min(due_at) from slots where schedule_id = c.id and state in ('planned', 'waiting')) end as next_at,
      (c.cost_of_removed + spent.cost)::float8 as cost, spent.cost_30_days, spent.runs_30_days
    from schedules c join users owner on owner.id = c.user_id
    cross join lateral (select coalesce(sum(cost), 0) as cost,
      coalesce(sum(cost) filter (where started_at > schedule_now() - interval '30 days'), 0)::float8 as cost_30_days,
      (count(*) filter (where started_at > schedule_now() - interval '30 days'))::int as runs_30_days
      from slots where schedule_id = c.id) spent
    where ${may(person, 'read member-schedule', 'c')}
    order by c.state <> 'on', spent.cost_30_days desc, c.created_at desc, c.id
    limit ${limit} offset ${skip}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from schedules c where ${may(person, 'read member-schedule', 'c')}`.execute(
    db,
  )
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Stops a schedule with its open slots and notifies its owner. Returns null when it was not turned on, and the runs to stop. */
export async function stopByAdministrator(
  trx: Db,
  id: string,
): Promise<{ stopped: { name: string } | null; runs: string[] }> {
  await stopRuns(trx, id)
  const { rows } = await sql<{ name: string; user_id: string; version: number }>`
    update schedules set state = 'stopped', stopped_for = '{"code": "by_administrator"}', version = version + 1,
      updated_at = clock_timestamp()
    where id = ${id} and state in ('on', 'paused') returning name, user_id, version`.execute(trx)
  const runs = await endOpenSlots(trx, id, 'by_administrator')
  const [stopped] = rows
  if (stopped)
    await sql`select notify_of_schedule(${stopped.user_id}, 'schedule_stopped',
      'schedule ' || ${id} || ' stopped ' || ${stopped.version}::int, ${id}, null) limit 1`.execute(trx)
  return { stopped: stopped ?? null, runs }
}
