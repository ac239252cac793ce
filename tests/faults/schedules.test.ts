import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser } from '../support/builders.ts'
import { setScheduleClock } from '../support/schedule-clock.ts'
import { type SchedulingProcess, startSchedulingProcess } from '../support/scheduling-process.ts'

const KILLS = Number(process.env.SCHEDULE_KILLS ?? 50)
/** Times in the hour that a clock change skips or repeats. */
const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe'] as const
const times = ['01:15', '01:30', '01:45', '02:00', '02:15', '02:20', '02:30', '02:45', '12:00']
const WEEK_MS = 7 * 86_400_000
const start = Date.UTC(2027, 0, 1, 12)
const weeks = 53

let app: TestApp
let userId: string
const running: { reminders: SchedulingProcess[]; everything: SchedulingProcess[] } = {
  reminders: [],
  everything: [],
}
const config = { ATRIUM_SECRET_KEY: 'of all that share this database' }
beforeAll(async () => {
  app = await startApp({ config, jobs: false })
  userId = (await aUser(app)).id
  await setScheduleClock(app, new Date(start).toISOString())
  // Counts how often each slot begins and ends.
  await sql`create table seen (slot_id uuid not null, what text not null)`.execute(app.deps.db)
  await sql`create function see() returns trigger language plpgsql as $$ begin
    if old.started_at is null and new.started_at is not null then insert into seen values (new.id, 'begun'); end if;
    if old.state <> new.state and new.ended_at is not null then insert into seen values (new.id, new.state); end if;
    return null; end $$`.execute(app.deps.db)
  await sql`create trigger see after update on slots for each row execute function see()`.execute(app.deps.db)
})
afterAll(async () => {
  await Promise.all([...running.reminders, ...running.everything].map((one) => one.kill()))
  await app.close()
})

async function aSchedule(kind: 'prompt' | 'reminder', zone: string, rule: object): Promise<void> {
  await sql`insert into schedules (user_id, kind, name, rule, time_zone, anchor_at, planned_until, text, missed, target, overlap)
    values (${userId}, ${kind}, ${`${kind} ${zone}`}, ${JSON.stringify(rule)}::jsonb, ${zone}, schedule_now(), schedule_now(),
      'What is 2 + 2?', 'all', 'new_chats', 'parallel')`.execute(app.deps.db)
}

type Kind = keyof typeof running
/** Due prompts of one schedule before the clock waits. More than ten would count as missed. */
const MAX_BACKLOG = 8
/** Kills that hit a process which also starts runs; such a process takes seconds to start. */
const EVERYTHING_EVERY = 16

async function begin(kind: Kind): Promise<void> {
  running[kind].push(
    await startSchedulingProcess(app.address, kind === 'everything' ? { kind, config } : { kind }),
  )
}

/** Lets one die at any moment of its work, while another one begins. */
async function replace(kind: Kind): Promise<void> {
  await sleep(Math.random() * 100)
  await Promise.all([running[kind].shift()?.kill(), begin(kind)])
}

async function count(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  return (await query.execute(app.deps.db)).rows[0]?.count ?? 0
}
const open = () =>
  count(sql`select count(*)::int as count from slots where state in ('running', 'asking', 'waiting')
    or (state = 'planned' and due_at <= schedule_now())`)
const openReminders = () =>
  count(sql`select count(*)::int as count from slots s join schedules c on c.id = s.schedule_id
    where s.state = 'planned' and s.due_at <= schedule_now() and c.kind = 'reminder'`)
/** Returns the most prompts of one schedule that are due and not begun. */
const longestBacklog = () =>
  count(sql`select coalesce(max(due), 0)::int as count from (select count(*) as due from slots s
    join schedules c on c.id = s.schedule_id where s.state = 'planned' and s.due_at <= schedule_now()
      and c.kind = 'prompt' group by c.id) of_each`)
const unplanned = () =>
  count(
    sql`select count(*)::int as count from schedules where planned_until < schedule_now() + interval '1 hour'`,
  )

it('runs 10,000 slots of a year with clock changes in three zones once each, while processes are killed [SD-03]', {
  timeout: 1_500_000,
}, async () => {
  const { db } = app.deps
  for (const zone of zones) {
    for (const time of times) await aSchedule('reminder', zone, { kind: 'days', count: 1, time })
    await aSchedule('prompt', zone, { kind: 'weekdays', days: [7], time: '02:30' })
  }
  await Promise.all([begin('everything'), begin('reminders')])
  let killed = 0
  for (let week = 1; week <= weeks; week += 1) {
    await setScheduleClock(app, new Date(start + week * WEEK_MS).toISOString())
    if (killed < KILLS) {
      await replace(killed % EVERYTHING_EVERY === EVERYTHING_EVERY - 1 ? 'everything' : 'reminders')
      killed += 1
    }
    await expect.poll(unplanned, { timeout: 200_000, interval: 20 }).toBe(0)
    await expect.poll(openReminders, { timeout: 200_000, interval: 20 }).toBe(0)
    await expect.poll(longestBacklog, { timeout: 200_000, interval: 20 }).toBeLessThanOrEqual(MAX_BACKLOG)
  }
  // Claims of killed processes expire.
  const end = start + weeks * WEEK_MS
  await setScheduleClock(app, new Date(end + 120_000).toISOString())
  await expect.poll(open, { timeout: 400_000, interval: 100 }).toBe(0)
  expect(killed).toBe(KILLS)

  const { rows } = await sql<{
    id: string
    zone: string
    kind: string
    rule: { time: string }
    schedule: string
    due: Date
  }>`
    select s.id, c.time_zone as zone, c.kind, c.rule, c.id as schedule, s.due_at as due from slots s
    join schedules c on c.id = s.schedule_id where s.due_at <= schedule_now() order by s.due_at, s.id limit 100000`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(10_000)
  // Each day of each zone has one slot of each schedule, whatever the clocks did.
  const days = new Map<string, Set<string>>()
  for (const { schedule, zone, due } of rows) {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(due)
    const known = days.get(schedule) ?? new Set()
    expect(known.has(day)).toBe(false)
    days.set(schedule, known.add(day))
  }
  const lengths = [...days.values()].map((known) => known.size)
  const daily = (weeks * WEEK_MS) / 86_400_000
  expect(lengths.filter((length) => length === daily)).toHaveLength(zones.length * times.length)
  expect(lengths.filter((length) => length === weeks)).toHaveLength(zones.length)
  const { rows: seen } = await sql<{ what: string; count: number; slots: number }>`
    select what, count(*)::int as count, count(distinct slot_id)::int as slots from seen group by what order by what limit 10`.execute(
    db,
  )
  const once = { count: rows.length, slots: rows.length }
  expect(seen).toEqual([
    { what: 'begun', ...once },
    { what: 'completed', ...once },
  ])
  const prompts = rows.filter(({ kind }) => kind === 'prompt').length
  expect(await count(sql`select count(*)::int as count from notifications where kind = 'reminder'`)).toBe(
    rows.length - prompts,
  )
  expect(await count(sql`select count(*)::int as count from runs`)).toBe(prompts)
  expect(await count(sql`select count(*)::int as count from messages where role = 'user'`)).toBe(prompts)
})
