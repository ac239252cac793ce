import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'

type App = Pick<TestApp, 'deps'>

/** Sets the clock of schedules, which then stands still, for all processes of the installation. */
export async function setScheduleClock({ deps: { db } }: App, time: string): Promise<void> {
  await sql`create or replace function schedule_now() returns timestamptz language sql volatile as
    ${sql.raw(`$$ select timestamptz '${new Date(time).toISOString()}' $$`)}`.execute(db)
}

/** Sets the clock between two jobs of schedules: one that is under way would start what it has not yet found to be missed. */
export async function setScheduleClockBetweenJobs(app: App, time: string): Promise<void> {
  const working = sql`select from graphile_worker.jobs
    where task_identifier = 'run-schedules' and locked_at is not null`
  const count = async () => (await working.execute(app.deps.db)).rows.length
  await expect.poll(count, { timeout: 20_000, interval: 20 }).toBe(0)
  await setScheduleClock(app, time)
}
