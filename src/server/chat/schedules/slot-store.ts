import { type Kysely, type Selectable, sql } from 'kysely'
import type { Slot } from '#shared/chat/schedules/slots.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type SlotRow = Selectable<Tables['slots']> & { chat: string | null }

const columns = sql`t.*, t.cost::float8 as cost`
const chatOf = (person: Person) =>
  sql`(select s.id from sessions s where s.id = t.session_id and ${may(person, 'read session', 's')}) as chat`

/** Returns a page of the log: what is planned for the next day, and what was before, the newest first. */
export async function listSlots(
  db: Db,
  person: Person,
  { scheduleId, skip, limit }: { scheduleId: string; skip: number; limit: number },
): Promise<{ rows: SlotRow[]; total: number }> {
  const { rows } = await sql<SlotRow>`select ${columns}, ${chatOf(person)} from slots t
    where t.schedule_id = ${scheduleId} order by t.due_at desc, t.id limit ${limit} offset ${skip}`.execute(
    db,
  )
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from slots where schedule_id = ${scheduleId}`.execute(db)
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
  const origin = `now ${clientId}`
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

/** Asks the run of a slot to stop, in the transaction that ends the slot. */
export async function stopRunOfSlot(trx: Db, id: string): Promise<void> {
  await sql`update runs set stop_requested = true where id = (select run_id from slots where id = ${id})
    and state in ('queued', 'running', 'waiting', 'paused')`.execute(trx)
}

/** Returns a slot as the API shows it. */
export function toSlot(row: SlotRow): Slot {
  const at = (time: Date | null) => time?.toISOString() ?? null
  const { id, state, reason, cost, result, is_same, chat } = row
  return {
    ...{ id, state, reason, cost, result, is_same, session_id: chat },
    due_at: row.due_at.toISOString(),
    by_hand: row.origin !== 'rule',
    ...{ started_at: at(row.started_at), ended_at: at(row.ended_at) },
    deputy_at: row.deputy_asked_at === null ? at(row.deputy_at) : null,
    skip_at: at(row.skip_at),
  }
}
