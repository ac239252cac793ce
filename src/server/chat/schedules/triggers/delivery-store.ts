import { type Kysely, type Selectable, sql } from 'kysely'
import type { PromptField } from '#shared/chat/prompts/fields.ts'
import type { SlotState } from '#shared/chat/schedules/slots.ts'
import { DELIVERY_DAYS, type DeliveryKind, MAX_REFUSED } from '#shared/chat/schedules/triggers.ts'
import { may, type Person } from '../../../platform/access/access.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { BY_DELIVERY } from '../slot-store.ts'

type Db = Kysely<Tables>
export type DeliveryRow = Selectable<Tables['trigger_deliveries']> & { about: string | null }
/** A delivery without what was sent, which may be large. */
export type ListedRow = Omit<DeliveryRow, 'headers' | 'body' | 'field_values'>

/** A schedule that is called. */
export type Target = {
  id: string
  state: 'on' | 'paused' | 'stopped' | 'ended'
  fields: PromptField[]
  is_called: boolean
}

export async function findTarget(db: Db, id: string): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select id, state, fields, kind = 'prompt' and rule ->> 'kind' = 'call' as is_called
    from schedules where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Locks the schedule, so that deliveries are accepted one after another. */
export async function lockTarget(trx: Db, id: string): Promise<Target | null> {
  await sql`select from schedules where id = ${id} for no key update`.execute(trx)
  return findTarget(trx, id)
}

type Accepted = { id: string; slot_id: string | null }

/** Counts a repetition of an accepted delivery and returns the first one; null for a new id. */
export async function countRepetition(
  trx: Db,
  scheduleId: string,
  kind: DeliveryKind,
  foreignId: string,
): Promise<Accepted | null> {
  const { rows } = await sql<Accepted>`update trigger_deliveries set repeats = least(repeats, 1000000) + 1
    where schedule_id = ${scheduleId} and kind = ${kind} and foreign_id = ${foreignId} and status = 202
    returning id, slot_id`.execute(trx)
  return rows[0] ?? null
}

/** Returns the times of the latest accepted deliveries of an hour, the newest first, at most `limit`. */
export async function listOfHour(
  trx: Db,
  scheduleId: string,
  limit: number,
): Promise<{ seconds_left: number }[]> {
  const { rows } = await sql<{ seconds_left: number }>`
    select ceil(extract(epoch from received_at + interval '1 hour' - clock_timestamp()))::int as seconds_left
    from trigger_deliveries where schedule_id = ${scheduleId} and status = 202
      and received_at > clock_timestamp() - interval '1 hour'
    order by received_at desc, id limit ${limit}`.execute(trx)
  return rows
}

export type NewDelivery = {
  schedule_id: string
  kind: 'call' | 'test' | 'replay' | 'mail'
  foreign_id: string
  headers: Record<string, string>
  body: string | null
  field_values: Record<string, string>
  signed_by: 'present' | 'previous' | null
  replay_of: string | null
}

/** Stores a delivery and the slot that it starts. */
export async function insertDelivery(trx: Db, row: NewDelivery): Promise<{ id: string; slot_id: string }> {
  const { rows } = await sql<{ id: string; slot_id: string }>`
    with slot as (
      insert into slots (schedule_id, due_at, origin)
      select ${row.schedule_id}, schedule_now(), ${BY_DELIVERY} || made.id from (select gen_random_uuid() as id) made
      returning id, origin
    )
    insert into trigger_deliveries (id, schedule_id, kind, foreign_id, status, headers, body, field_values, signed_by, replay_of, slot_id)
    select substr(origin, ${BY_DELIVERY.length + 1})::uuid, ${row.schedule_id}, ${row.kind}, ${row.foreign_id}, 202,
      ${toJson(row.headers)}::jsonb, ${row.body}, ${toJson(row.field_values)}::jsonb, ${row.signed_by}, ${row.replay_of}, id
    from slot returning id, slot_id`.execute(trx)
  return rows[0]!
}

type Refused = Pick<NewDelivery, 'schedule_id' | 'kind' | 'foreign_id' | 'headers'> & {
  status: number
  detail: string
}

/** Logs a refused call without its body. Only the newest ones of a schedule are stored. */
export async function insertRefused(db: Db, row: Refused): Promise<void> {
  await sql`
    insert into trigger_deliveries (schedule_id, kind, foreign_id, status, detail, headers)
    select id, ${row.kind}, ${row.foreign_id}, ${row.status}, ${row.detail}, ${toJson(row.headers)}::jsonb
    from schedules where id = ${row.schedule_id}`.execute(db)
  await sql`
    delete from trigger_deliveries where id in (
      select id from trigger_deliveries where schedule_id = ${row.schedule_id} and status <> 202
      order by received_at desc, id limit 1000 offset ${MAX_REFUSED})`.execute(db)
}

const outcomes = { all: sql`true`, started: sql`d.status = 202`, refused: sql`d.status <> 202` }

const listed = sql`d.id, d.schedule_id, d.kind, d.foreign_id, d.status, d.detail, d.signed_by, d.repeats, d.replay_of,
  d.document_id, d.run_id, d.chain, d.slot_id, d.received_at`

const aboutFor = (person: Person) => sql`coalesce(
  (select t.name from documents t where t.id = d.document_id and ${may(person, 'read document', 't')}),
  (select s.title from runs r join sessions s on s.id = r.session_id
    where r.id = d.run_id and ${may(person, 'read session', 's')}),
  case when d.kind = 'mail' then nullif(d.headers ->> 'subject', '') end) as about`

type Page = { scheduleId: string; outcome: keyof typeof outcomes; skip: number; limit: number }

/** Returns a page of deliveries, the newest first, with the numbers of both outcomes. */
export async function listDeliveries(
  db: Db,
  person: Person,
  { scheduleId, outcome, skip, limit }: Page,
): Promise<{ rows: ListedRow[]; started: number; refused: number }> {
  const { rows } = await sql<ListedRow>`select ${listed}, ${aboutFor(person)} from trigger_deliveries d
    where d.schedule_id = ${scheduleId} and ${outcomes[outcome]}
    order by d.received_at desc, d.id limit ${limit} offset ${skip}`.execute(db)
  const counted = await sql<{ started: number; refused: number }>`
    select count(*) filter (where status = 202)::int as started, count(*) filter (where status <> 202)::int as refused
    from trigger_deliveries where schedule_id = ${scheduleId}`.execute(db)
  return { rows, ...(counted.rows[0] ?? { started: 0, refused: 0 }) }
}

export async function readDelivery(
  db: Db,
  person: Person,
  scheduleId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const { rows } = await sql<DeliveryRow>`select d.*, ${aboutFor(person)} from trigger_deliveries d
    where d.schedule_id = ${scheduleId} and d.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/**
 * Deletes a batch of old deliveries whose runs are over. Those of documents stay with their schedule, so that reading a
 * document again never starts a second run.
 */
export async function removeOldDeliveries(db: Db): Promise<void> {
  await sql`
    delete from trigger_deliveries where id in (
      select d.id from trigger_deliveries d
      where d.received_at < clock_timestamp() - ${DELIVERY_DAYS} * interval '1 day'
        and (d.kind <> 'document' or d.status <> 202)
        and not exists (select from slots s where s.id = d.slot_id and s.ended_at is null)
      order by d.received_at, d.id limit 10000)`.execute(db)
}

/** The run of a delivery, as its caller sees it. */
export type Outcome = {
  slot_id: string | null
  state: SlotState | null
  is_over: boolean
  result: string | null
}

/** Reads the state of a run, with its reply once it has completed. */
export async function readOutcome(db: Db, deliveryId: string): Promise<Outcome | null> {
  const { rows } = await sql<Outcome>`
    select s.id as slot_id, s.state, coalesce(s.ended_at is not null or s.state = 'asking', true) as is_over,
      case when s.state = 'completed' then (select m.content from runs r join messages m on m.id = r.message_id
        join sessions c on c.id = r.session_id where r.id = s.run_id and c.deleted_at is null) end as result
    from trigger_deliveries d left join slots s on s.id = d.slot_id where d.id = ${deliveryId}`.execute(db)
  return rows[0] ?? null
}
