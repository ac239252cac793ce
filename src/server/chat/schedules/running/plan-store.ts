import { type Kysely, sql } from 'kysely'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type ToPlan = {
  id: string
  rule: Rule
  time_zone: string
  anchor_at: Date
  planned_until: Date
  /** End of the day to plan. */
  horizon: Date
}
export type Planned = { id: string; until: Date; times: Date[] }

/** Locks schedules whose slots end within the next hours, and returns them. */
export async function lockToPlan(trx: Db, limit: number): Promise<ToPlan[]> {
  const { rows } = await sql<ToPlan>`
    select id, rule, time_zone, anchor_at, planned_until, schedule_now() + interval '1 day' as horizon
    from schedules where state = 'on' and planned_until < schedule_now() + interval '12 hours'
    order by planned_until, id limit ${limit} for update skip locked`.execute(trx)
  return rows
}

/** Stores the slots of all these schedules in one statement. */
export async function storePlanned(trx: Db, planned: Planned[]): Promise<void> {
  const due = planned.flatMap(({ id, times }) => times.map((at) => ({ id, at: at.toISOString() })))
  const until = planned.map(({ id, until }) => ({ id, at: until.toISOString() }))
  await sql`
    with made as (insert into slots (schedule_id, due_at)
      select (v ->> 'id')::uuid, (v ->> 'at')::timestamptz from jsonb_array_elements(${JSON.stringify(due)}::jsonb) v
      on conflict do nothing)
    update schedules c set planned_until = (v ->> 'at')::timestamptz
    from jsonb_array_elements(${JSON.stringify(until)}::jsonb) v where c.id = (v ->> 'id')::uuid`.execute(trx)
}
