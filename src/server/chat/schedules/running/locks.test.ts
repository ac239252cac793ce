import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { sendReminders } from './due-store.ts'
import { planAndRemind } from './plan-and-remind.ts'

let scheduling: Scheduling
beforeAll(async () => {
  scheduling = await startScheduling()
})
afterAll(() => scheduling.chat.close())

it('sends no reminder of a schedule that is being changed, and waits for no lock', async () => {
  const { aSchedule, moveTo, run, db } = scheduling
  const id = await aSchedule({ kind: 'reminder' })
  await run()
  await moveTo('2027-01-04T07:00:01Z')
  await db.transaction().execute(async (trx) => {
    await sql`select from schedules where id = ${id} for update`.execute(trx)
    expect(await sendReminders(db, 10)).toBe(0)
    await sql`delete from slots where schedule_id = ${id}`.execute(trx)
  })
  expect(await sendReminders(db, 10)).toBe(0)
})

it('ends a run while its schedule is being deleted', async () => {
  const { chat, aSchedule, moveTo, run, reaches, db } = scheduling
  const id = await aSchedule()
  await run()
  await moveTo('2027-01-05T07:00:01Z')
  chat.model.reply([calls('ask_person', { prompt: 'Which sites?' })])
  await run()
  await reaches(id, 'asking')
  const ended = await db.transaction().execute(async (trx) => {
    await sql`select from schedules where id = ${id} for update`.execute(trx)
    const ending = sql`update runs set state = 'stopped'
      where id in (select run_id from slots where schedule_id = ${id})`.execute(db)
    await waitsForLock()
    await sql`delete from schedules where id = ${id}`.execute(trx)
    return { ending }
  })
  await expect(ended.ending).resolves.toBeDefined()
})

it('starts a run although its transaction loses a deadlock', async () => {
  const { aSchedule, moveTo, run, reaches, db } = scheduling
  const id = await aSchedule()
  await run()
  await moveTo('2027-01-06T07:00:01Z')
  await planAndRemind(db, new AbortController().signal)
  const other = await db.startTransaction().execute()
  const begun = await db.transaction().execute(async (trx) => {
    await sql`select from schedules where id = ${id} for no key update`.execute(trx)
    const starting = run()
    await waitsForLock()
    // The run that starts notices the deadlock first.
    await sql`set local deadlock_timeout = '1min'`.execute(other)
    await sql`select pg_advisory_xact_lock(11, hashtext(user_id::text)) from schedules where id = ${id}`.execute(
      other,
    )
    return { starting }
  })
  await waitsForLock('advisory')
  await sql`select from schedules where id = ${id} for update`.execute(other)
  await other.commit().execute()
  await begun.starting
  await reaches(id, 'completed')
})

it('starts a slot later whose chat could not be made because of a deadlock', async () => {
  const { aSchedule, moveTo, run, reaches, db } = scheduling
  const id = await aSchedule()
  await run()
  await moveTo('2027-01-07T07:00:01Z')
  await sql`create function lose() returns trigger language plpgsql as
    $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(db)
  await sql`create trigger lose before insert on sessions for each row execute function lose()`.execute(db)
  await run()
  await reaches(id, 'waiting')
  await sql`drop trigger lose on sessions`.execute(db)
  await run()
  await reaches(id, 'completed')
})

/** Waits until a connection of this database waits for a lock. */
async function waitsForLock(kind = '%'): Promise<void> {
  const waiting = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where wait_event_type = 'Lock' and wait_event like ${kind} and datname = current_database() limit 1`.execute(
        scheduling.db,
      )
    ).rows[0]?.count
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0)
}
