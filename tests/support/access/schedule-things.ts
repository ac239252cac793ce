import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'

type Whose = { owner: TestUser; companyId: string; runId: string }

/** Creates schedules of the owner: one with a planned slot, one offered to a colleague, one whose run asks that colleague. */
export async function aSchedule({ deps: { db } }: TestApp, { owner, companyId, runId }: Whose) {
  const colleague = await findColleague(db, owner, companyId)
  const rule = JSON.stringify({ kind: 'days', count: 1, time: '08:00' })
  const insert = async (more: { transfer_to?: string | null; deputy_id?: string | null } = {}) => {
    const { rows } = await sql<{ id: string }>`
      insert into schedules (user_id, kind, name, rule, time_zone, anchor_at, planned_until, text, transfer_to, deputy_id)
      values (${owner.id}, 'reminder', 'Ada', ${rule}::jsonb, 'UTC', now(), now() + interval '2 days', 'Hello',
        ${more.transfer_to ?? null}, ${more.deputy_id ?? null}) returning id`.execute(db)
    return rows[0]?.id ?? ''
  }
  const slot = async (scheduleId: string, state: string, run: string | null) => {
    const { rows } = await sql<{ id: string }>`
      insert into slots (schedule_id, due_at, state, run_id, deputy_asked_at)
      values (${scheduleId}, now() + interval '1 hour', ${state}, ${run}, ${run === null ? null : new Date()})
      returning id`.execute(db)
    return rows[0]?.id ?? ''
  }
  const offered = await insert({ transfer_to: colleague })
  const asking = await insert({ deputy_id: colleague })
  const deputySlotId = await slot(asking, 'asking', runId)
  const scheduleId = await insert()
  const slotId = await slot(scheduleId, 'planned', null)
  const { rows } = await sql<{ id: string }>`
    insert into trigger_deliveries (schedule_id, kind, foreign_id, status, body)
    values (${scheduleId}, 'call', 'first', 202, '{}') returning id`.execute(db)
  return {
    scheduleId,
    slotId,
    triggerDeliveryId: rows[0]?.id ?? '',
    triggerId: scheduleId,
    offeredScheduleId: offered,
    memberScheduleId: scheduleId,
    deputySlotId,
  }
}

/** Returns the oldest other member of the company who is no administrator. */
export async function findColleague(
  db: TestApp['deps']['db'],
  owner: TestUser,
  companyId: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select m.user_id as id from company_members m join users u on u.id = m.user_id
    where m.company_id = ${companyId} and m.user_id <> ${owner.id} and m.role = 'member'
    order by u.created_at, u.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}
