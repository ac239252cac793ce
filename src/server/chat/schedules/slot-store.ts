import { type Kysely, type Selectable, sql } from 'kysely'
import type { Slot } from '#shared/chat/schedules/slots.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** Beginnings of the origins of slots that no rule made. */
const BY_HAND = 'now '
export const BY_DELIVERY = 'delivery '

export type SlotRow = Selectable<Tables['slots']> & { chat: string | null }

const columns = sql`t.*, t.cost::float8 as cost`
const chatOf = (person: Person) =>
  sql`(select s.id from sessions s where s.id = t.session_id and ${may(person, 'read session', 's')}) as chat`

/** Slots to come that the log lists. */
const NEXT_SLOTS = 5

/** Returns a page of the log, the newest first: the next slots and all earlier ones. */
export async function listSlots(
  db: Db,
  person: Person,
  { scheduleId, skip, limit }: { scheduleId: string; skip: number; limit: number },
): Promise<{ rows: SlotRow[]; total: number }> {
  // A frequent rule has hundreds of slots for the next day.
  const isListed = sql<boolean>`t.schedule_id = ${scheduleId} and t.due_at <= coalesce((select due_at from slots
    where schedule_id = ${scheduleId} and state = 'planned' order by due_at, id limit 1 offset ${NEXT_SLOTS - 1}), 'infinity')`
  const { rows } = await sql<SlotRow>`select ${columns}, ${chatOf(person)} from slots t
    where ${isListed} order by t.due_at desc, t.id limit ${limit} offset ${skip}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from slots t where ${isListed}`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Returns the latest slot of each schedule that is no longer only planned. */
export async function readLastSlots(db: Db, person: Person, ids: string[]): Promise<Map<string, SlotRow>> {
  const { rows } =
    await sql<SlotRow>`select distinct on (t.schedule_id) ${columns}, ${chatOf(person)} from slots t
    where t.schedule_id = any(${ids}::uuid[]) and t.state <> 'planned'
    order by t.schedule_id, t.due_at desc, t.id limit ${Math.max(1, ids.length)}`.execute(db)
  return new Map(rows.map((row) => [row.schedule_id, row]))
}

/** Returns slots by their ids. */
export async function readSlots(db: Db, person: Person, ids: string[]): Promise<Map<string, SlotRow>> {
  const { rows } = await sql<SlotRow>`select ${columns}, ${chatOf(person)} from slots t
    where t.id = any(${ids}::uuid[]) order by t.id limit ${Math.max(1, ids.length)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function readSlot(
  db: Db,
  person: Person,
  scheduleId: string,
  id: string,
): Promise<SlotRow | null> {
  const { rows } = await sql<SlotRow>`select ${columns}, ${chatOf(person)} from slots t
    where t.schedule_id = ${scheduleId} and t.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Adds a slot that is due now. The same `clientId` adds one. Returns its id. */
export async function insertSlotNow(db: Db, scheduleId: string, clientId: string): Promise<string> {
  const origin = BY_HAND + clientId
  await sql`insert into slots (schedule_id, due_at, origin)
    values (${scheduleId}, schedule_now(), ${origin})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ id: string }>`select id from slots
    where schedule_id = ${scheduleId} and origin = ${origin} order by due_at limit 1`.execute(db)
  return rows[0]!.id
}

/** Ends a slot that is not over. Returns whether it was ended now. */
export async function endSlot(
  trx: Db,
  id: string,
  state: 'failed' | 'skipped' | 'stopped',
  reason: { code: string; name?: string; detail?: string },
): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select end_slot(${id}, ${state}, ${JSON.stringify(reason)}::jsonb) as ended limit 1`.execute(trx)
  return rows[0]?.ended ?? false
}

const isActiveRun = sql`state in ('queued', 'running', 'waiting', 'paused')`

/** Asks the run of a slot to stop, in the transaction that ends the slot. */
export async function stopRunOfSlot(trx: Db, id: string): Promise<void> {
  await sql`update runs set stop_requested = true where id = (select run_id from slots where id = ${id})
    and ${isActiveRun}`.execute(trx)
}

/** Asks all runs of a schedule to stop. Call it before the schedule is locked: runs are locked first. */
export async function stopRuns(trx: Db, scheduleId: string): Promise<void> {
  await sql`update runs set stop_requested = true where id in (
      select run_id from slots where schedule_id = ${scheduleId} and state in ('running', 'asking'))
    and ${isActiveRun}`.execute(trx)
}

/** Ends the slots of a locked schedule that are not over, and deletes the planned ones. Returns the runs to stop. */
export async function endOpenSlots(trx: Db, scheduleId: string, code: string): Promise<string[]> {
  await sql`delete from slots where schedule_id = ${scheduleId} and state = 'planned'`.execute(trx)
  const { rows } = await sql<{ run_id: string | null }>`
    select run_id, end_slot(id, case state when 'waiting' then 'skipped' else 'stopped' end,
      ${JSON.stringify({ code })}::jsonb) from slots
    where schedule_id = ${scheduleId} and state in ('waiting', 'running', 'asking') order by id limit 10000`.execute(
    trx,
  )
  return rows.flatMap(({ run_id }) => run_id ?? [])
}

/** Deletes a batch of slots that ended before a time, except the latest of each schedule, which keeps their cost. */
export async function removeOldSlots(db: Db, before: Date): Promise<void> {
  await sql`
    with old as (
      select s.id, s.schedule_id from slots s join schedules c on c.id = s.schedule_id
      where s.ended_at < ${before} and exists (
        select from slots later where later.schedule_id = s.schedule_id and later.due_at > s.due_at and later.ended_at is not null)
      order by s.ended_at, s.id limit 10000 for no key update of c, s skip locked
    ), gone as (
      delete from slots where id in (select id from old) returning schedule_id, cost
    )
    update schedules c set cost_of_removed = c.cost_of_removed + spent.cost
    from (select schedule_id, coalesce(sum(cost), 0) as cost from gone group by schedule_id) spent
    where c.id = spent.schedule_id`.execute(db)
}

/** Returns a slot as the API shows it. */
export function toSlot(row: SlotRow): Slot {
  const at = (time: Date | null) => time?.toISOString() ?? null
  const { id, state, reason, cost, is_same, chat } = row
  return {
    ...{ id, state, reason, cost, is_same, session_id: chat },
    // A result is shown to those who may read its chat.
    result: chat === null ? null : row.result,
    due_at: row.due_at.toISOString(),
    by_hand: row.origin.startsWith(BY_HAND),
    delivery_id: row.origin.startsWith(BY_DELIVERY) ? row.origin.slice(BY_DELIVERY.length) : null,
    ...{ started_at: at(row.started_at), ended_at: at(row.ended_at) },
    deputy_at: row.deputy_asked_at === null ? at(row.deputy_at) : null,
    skip_at: at(row.skip_at),
  }
}
