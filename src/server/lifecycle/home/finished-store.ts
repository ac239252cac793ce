import { sql } from 'kysely'
import { type FinishedItem, MAX_COUNTED, MAX_HOME_ITEMS } from '#shared/lifecycle/home/home.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

type Row = Omit<FinishedItem, 'at'> & { at: Date; total: number }

/**
 * Returns the person's replies and documents that were finished after `since`, newest first. A chat counts once, with its
 * latest reply; results that a schedule did not keep do not count. `sees` says what the caller may read besides chats.
 */
export async function findFinished(
  db: Database,
  person: Person,
  since: Date,
  sees: { documents: boolean; schedules: boolean },
): Promise<{ items: FinishedItem[]; total: number }> {
  const { rows } = await sql<Row>`
    with replies as (
      select * from (
        select distinct on (r.session_id) r.id, r.session_id, r.state as outcome, r.finished_at as at
        from runs r join sessions s on s.id = r.session_id and s.origin = 'chat'
        where r.user_id = ${person.id} and r.kind = 'chat' and r.parent_run_id is null and r.finished_at > ${since}
        order by r.session_id, r.finished_at desc) latest
      order by at desc, id limit ${MAX_COUNTED}
    ), finished as (
      select case when c.id is null then 'reply' else 'schedule' end as kind, s.id, coalesce(c.name, s.title) as name,
        r.outcome, s.activity > coalesce(mark.seen, 0) as is_unread, r.at
      from replies r join sessions s on s.id = r.session_id
        left join session_marks mark on mark.session_id = s.id and mark.user_id = ${person.id}
        left join slots slot on slot.run_id = r.id
        left join schedules c on c.id = slot.schedule_id and ${may(person, 'read schedule', 'c')} and ${sees.schedules}::boolean
      where s.user_id = ${person.id} and ${may(person, 'read session', 's')}
        and mark.archived_at is null and slot.is_same is distinct from true
      union all
      (select 'document', d.id, d.name, d.status, false, d.updated_at from documents d
      where d.user_id = ${person.id} and d.status in ('completed', 'failed') and d.updated_at > ${since}
        and ${may(person, 'read document', 'd')} and ${sees.documents}::boolean
      order by d.updated_at desc, d.id limit ${MAX_COUNTED})
    )
    select *, count(*) over ()::int as total from finished order by at desc, id limit ${MAX_HOME_ITEMS}`.execute(
    db,
  )
  return {
    items: rows.map(({ total: _, at, ...item }) => ({ ...item, at: at.toISOString() })),
    total: rows[0]?.total ?? 0,
  }
}
