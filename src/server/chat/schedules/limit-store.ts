import { type Kysely, sql } from 'kysely'
import type { ScheduleLimits } from '#shared/chat/schedules/schedule-administration.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

const defaults: ScheduleLimits = { min_minutes: 5, max_per_person: 100 }

/** Returns the limits of all schedules of the installation. */
export async function readLimits(db: Db): Promise<ScheduleLimits> {
  const { rows } = await sql<ScheduleLimits>`
    select min_minutes, max_per_person from schedule_limits order by 1 limit 1`.execute(db)
  return rows[0] ?? defaults
}

/** Sets the limits and returns the previous ones. */
export async function writeLimits(trx: Db, limits: ScheduleLimits): Promise<ScheduleLimits> {
  await sql`lock table schedule_limits in share row exclusive mode`.execute(trx)
  const before = await readLimits(trx)
  await sql`insert into schedule_limits (min_minutes, max_per_person)
    values (${limits.min_minutes}, ${limits.max_per_person})
    on conflict (only_row) do update set min_minutes = excluded.min_minutes,
      max_per_person = excluded.max_per_person`.execute(trx)
  return before
}

/** Returns the clock of schedules. */
export async function readNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select schedule_now() as now limit 1`.execute(db)
  return rows[0]?.now ?? new Date()
}
