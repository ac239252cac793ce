import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { OfferedSchedule } from '#shared/chat/schedules/schedules.ts'
import type { ScheduleSettings } from '#shared/chat/schedules/settings.ts'
import { may, type Person } from '../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { BY_DELIVERY } from './slot-store.ts'

type Db = Kysely<Tables>
export type ScheduleRow = Selectable<Tables['schedules']> & {
  next_at: Date | null
  cost: number
  offered_to: string | null
  deputy_name: string | null
}

/** Name of a person. */
export const nameOf = (person: string) =>
  sql<string>`coalesce(nullif(trim(${sql.ref(`${person}.full_name`)}), ''), ${sql.ref(`${person}.username`)})`

const columns = sql`c.*, c.max_cost::float8 as max_cost,
  (select min(due_at) from slots where schedule_id = c.id and state in ('planned', 'waiting')) as next_at,
  (c.cost_of_removed + (select coalesce(sum(cost), 0) from slots where schedule_id = c.id))::float8 as cost,
  (select ${nameOf('taker')} from users taker where taker.id = c.transfer_to) as offered_to,
  (select ${nameOf('deputy')} from users deputy where deputy.id = c.deputy_id) as deputy_name`

/** Returns a page of the person's schedules, the newest first. */
export async function listSchedules(
  db: Db,
  person: Person,
  { skip, limit }: { skip: number; limit: number },
) {
  const { rows } = await sql<ScheduleRow>`select ${columns} from schedules c
    where ${may(person, 'read schedule', 'c')} order by c.created_at desc, c.id
    limit ${limit} offset ${skip}`.execute(db)
  const count = await sql<{ total: number }>`select count(*)::int as total from schedules c
    where ${may(person, 'read schedule', 'c')}`.execute(db)
  return { rows, total: count.rows[0]?.total ?? 0 }
}

/** Returns one schedule; null when it is gone. */
export async function readSchedule(db: Db, id: string): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`select ${columns} from schedules c where c.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export type OfferedRow = Pick<ScheduleRow, 'id' | 'name' | 'rule' | 'time_zone'> & Pick<OfferedSchedule, 'by'>

/** Returns the schedules that others offer to a person. */
export async function listOffered(db: Db, person: Person): Promise<OfferedRow[]> {
  const { rows } = await sql<OfferedRow>`
    select c.id, c.name, c.rule, c.time_zone, ${nameOf('owner')} as by
    from schedules c join users owner on owner.id = c.user_id
    where ${may(person, 'read offered-schedule', 'c')} order by c.updated_at desc, c.id limit 50`.execute(db)
  return rows
}

/** Locks a person's schedules for a new one. Returns how many are turned on. */
export async function countOn(trx: Db, userId: string, except: string | null = null): Promise<number> {
  await sql`select from users where id = ${userId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from schedules
    where user_id = ${userId} and state = 'on' and id is distinct from ${except}::uuid`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Counts all schedules of a person, at most 10,000. */
export async function countAll(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from schedules where user_id = ${userId} limit 10000) own`.execute(db)
  return rows[0]?.count ?? 0
}

export type NewRow = Omit<ScheduleSettings, 'max_cost'> & {
  id: string
  user_id: string
  kind: 'prompt' | 'reminder'
  state: 'on' | 'paused'
  max_cost: number | null
  is_by_others?: boolean
  /** Intervals count from here; now when absent. */
  anchor_at?: Date | null
}

/** Returns whether any person has a schedule with this id. */
export async function isStored(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from schedules where id = ${id}`.execute(db)
  return rows.length > 0
}

/** Stores a schedule. A known id stores nothing. Returns whether it was stored. */
export async function insertSchedule(trx: Db, row: NewRow): Promise<boolean> {
  const { id, user_id, kind, state, is_by_others = false, anchor_at = null, ...settings } = row
  const { rows } =
    await sql`insert into schedules (id, user_id, kind, state, is_by_others, anchor_at, planned_until, ${names(settings)})
    values (${id}, ${user_id}, ${kind}, ${state}, ${is_by_others}, coalesce(${anchor_at}::timestamptz, date_trunc('minute', schedule_now())), schedule_now(), ${values(settings)})
    on conflict (id) do nothing returning id`.execute(trx)
  return rows.length > 0
}

/** Changes settings. A new rule or zone plans again from now. */
export async function changeSchedule(trx: Db, id: string, settings: ScheduleSettings, isNewRule: boolean) {
  await sql`update schedules set (${names(settings)}) = row(${values(settings)}),
    version = version + 1, updated_at = clock_timestamp() where id = ${id}`.execute(trx)
  if (isNewRule) await planAgain(trx, id)
}

/** Forgets planned slots of a rule and plans from now on. */
export async function planAgain(trx: Db, id: string): Promise<void> {
  await sql`delete from slots where schedule_id = ${id} and state = 'planned' and origin = 'rule'`.execute(
    trx,
  )
  await sql`update schedules set planned_until = schedule_now(), anchor_at = date_trunc('minute', schedule_now())
    where id = ${id}`.execute(trx)
}

/** Sets the state. A schedule that is turned on counts failures from zero. */
export async function setState(trx: Db, id: string, state: 'on' | 'paused'): Promise<void> {
  await planAgain(trx, id)
  await sql`update schedules set state = ${state}, failures = 0, stopped_for = null, updated_at = clock_timestamp()
    where id = ${id}`.execute(trx)
  if (state === 'paused')
    await sql`update slots set state = 'skipped', reason = '{"code": "paused"}', ended_at = schedule_now()
      where schedule_id = ${id} and (state = 'waiting' and origin = 'rule'
        or state in ('planned', 'waiting') and origin like ${`${BY_DELIVERY}%`})`.execute(trx)
}

export async function lockSchedule(trx: Db, id: string): Promise<Selectable<Tables['schedules']> | null> {
  const { rows } = await sql<Selectable<Tables['schedules']>>`
    select *, max_cost::float8 as max_cost from schedules where id = ${id} for update`.execute(trx)
  return rows[0] ?? null
}

/** Deletes a schedule with its log. Returns its name; null when it is gone. */
export async function removeSchedule(trx: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    delete from schedules where id = ${id} returning name`.execute(trx)
  return rows[0]?.name ?? null
}

const settingNames = [
  ...([
    'name',
    'rule',
    'time_zone',
    'text',
    'fields',
    'things',
    'model_name',
    'target',
    'only_changes',
  ] as const),
  ...(['max_cost', 'max_minutes', 'overlap', 'missed', 'deputy_id'] as const),
  ...(['deputy_after_minutes', 'skip_after_minutes'] as const),
]
const asJson = new Set<string>(['rule', 'fields', 'things'])

const names = (_: object): RawBuilder<unknown> => sql.join(settingNames.map((name) => sql.ref(name)))

function values(
  settings: Omit<ScheduleSettings, 'max_cost'> & { max_cost: number | null },
): RawBuilder<unknown> {
  return sql.join(
    settingNames.map((name) => {
      const value = settings[name]
      if (asJson.has(name)) return sql`${toJson(value)}::jsonb`
      return sql`${typeof value === 'string' ? cleanCharacters(value) : value}`
    }),
  )
}

/** Returns whether two people belong to one company and the second is active. */
export async function isColleague(db: Db, userId: string, otherId: string): Promise<boolean> {
  const { rows } =
    await sql`select from users u where u.id = ${otherId} and u.deactivated_at is null and exists (
    select from company_members a join company_members b on b.company_id = a.company_id
    where a.user_id = ${userId} and b.user_id = u.id)`.execute(db)
  return rows.length > 0
}
