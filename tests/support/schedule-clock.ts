import { sql } from 'kysely'
import type { TestApp } from './app.ts'

/** Sets the clock of schedules, which then stands still, for all processes of the installation. */
export async function setScheduleClock({ deps: { db } }: Pick<TestApp, 'deps'>, time: string): Promise<void> {
  await sql`create or replace function schedule_now() returns timestamptz language sql volatile as
    ${sql.raw(`$$ select timestamptz '${new Date(time).toISOString()}' $$`)}`.execute(db)
}
