import { type Kysely, sql } from 'kysely'
import type { PromptField } from '#shared/chat/prompts/fields.ts'
import type { ScheduleSettings } from '#shared/chat/schedules/settings.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { SlotDelivery } from '../triggers/event-data.ts'

type Db = Kysely<Tables>

/** Minutes after which a slot counts as missed. */
const MISSED_MINUTES = 10
/** Missed slots that `all` runs. */
const MAX_CAUGHT_UP = 10
/** Slots of one schedule that wait for the previous one. Further ones are skipped. */
const MAX_WAITING = 10

const isUnclaimed = sql<boolean>`(s.claimed_until is null or s.claimed_until < schedule_now())`
/** A slot of a rule counts only once all times up to now are planned, because the latest ones decide which are missed. */
const isPlanned = sql<boolean>`(c.state = 'on' and c.planned_until > schedule_now())`

/** Applies the rules for missed slots. A slot whose start is being prepared is not missed. */
export async function settleMissed(db: Db): Promise<void> {
  // A single run ends its schedule.
  await sql`
    select end_slot(s.id, 'missed', '{"code": "downtime"}') from slots s join schedules c on c.id = s.schedule_id
    where c.missed = 'skip' and c.rule ->> 'kind' = 'once' and s.state = 'planned' and s.origin = 'rule' and ${isUnclaimed}
      and s.due_at < schedule_now() - ${MISSED_MINUTES} * interval '1 minute'
    order by c.id, s.id limit 10000`.execute(db)
  await sql`
    with due as (
      select s.id, s.due_at, c.missed, row_number() over (partition by s.schedule_id order by s.due_at desc, s.id) as place
      from slots s join schedules c on c.id = s.schedule_id
      where s.state = 'planned' and s.origin = 'rule' and ${isUnclaimed} and s.due_at <= schedule_now()
    ), late as (
      select s.id, due.missed from slots s join due on due.id = s.id
      where s.state = 'planned' and due.due_at < schedule_now() - ${MISSED_MINUTES} * interval '1 minute'
        and due.place > case due.missed when 'skip' then 0 when 'last' then 1 else ${MAX_CAUGHT_UP} end
      for update of s skip locked
    )
    update slots set state = 'missed', ended_at = schedule_now(), claimed_until = null,
      reason = jsonb_build_object('code', case late.missed when 'skip' then 'downtime'
        when 'last' then 'downtime_last' else 'downtime_bound' end)
    from late where late.id = slots.id`.execute(db)
}

/** Sends due reminders. Slot and notification are one commit. Returns how many there were. */
export async function sendReminders(db: Db, limit: number): Promise<number> {
  // Schedules and people are locked in one order, and never waited for.
  const { rows } = await sql<{ id: string }>`
    with due as (
      select s.id, c.user_id from slots s join schedules c on c.id = s.schedule_id
      where s.state = 'planned' and s.due_at <= schedule_now() and c.kind = 'reminder'
        and (${isPlanned} or s.origin <> 'rule')
      order by s.due_at, s.id limit ${limit} for no key update of c, s skip locked
    ), begun as (
      update slots set started_at = schedule_now(), cost = 0 from due where due.id = slots.id
      returning slots.id, slots.schedule_id, due.user_id
    )
    select begun.id, end_slot_of_reminder(begun.id, begun.schedule_id) from begun
    order by begun.user_id, begun.id limit ${limit}`.execute(db)
  return rows.length
}

/** A due slot with what its run needs. */
export type DueSlot = {
  id: string
  schedule_id: string
  user_id: string
  due_at: Date
  name: string
  text: string
  fields: PromptField[]
  /** Someone else wrote the text. */
  is_by_others: boolean
  things: ScheduleSettings['things']
  model_name: string | null
  time_zone: string
  target: ScheduleSettings['target']
  session_id: string | null
  overlap: ScheduleSettings['overlap']
  max_cost: number | null
  max_minutes: number | null
  is_active: boolean
  /** The event that started it; null for a time or a person. */
  delivery: SlotDelivery | null
}

/** Attachments of the mail that started a slot are read first, for at most ten minutes. */
const hasReadFiles = sql<boolean>`(s.due_at < schedule_now() - interval '10 minutes' or not exists (
  select from trigger_deliveries d join mail_attachments a on a.schedule_id = d.schedule_id and a.foreign_id = d.foreign_id
  join documents file on file.id = a.document_id
  where d.slot_id = s.id and d.kind = 'mail' and file.status not in ('completed', 'failed') and file.deleted_at is null))`

/** Claims the next due slot of a prompt for a minute, after the slot `after` in order; null when there is none. */
export async function claimSlot(db: Db, after: string | null): Promise<DueSlot | null> {
  const { rows } = await sql<DueSlot>`
    update slots set claimed_until = schedule_now() + interval '1 minute'
    from schedules owned join users u on u.id = owned.user_id
    where owned.id = slots.schedule_id and slots.id = (
      select s.id from slots s join schedules c on c.id = s.schedule_id
      where s.state in ('planned', 'waiting') and s.due_at <= schedule_now() and c.kind = 'prompt'
        and (${isPlanned} or s.origin <> 'rule') and ${isUnclaimed} and ${hasReadFiles}
        and (${after}::uuid is null or (s.due_at, s.id) > (select due_at, id from slots where id = ${after}))
      order by s.due_at, s.id limit 1 for update of s skip locked)
    returning slots.id, slots.schedule_id, owned.user_id, slots.due_at, owned.name, owned.text, owned.fields, owned.is_by_others, owned.things,
      owned.model_name, owned.time_zone, owned.target, owned.session_id, owned.overlap,
      owned.max_cost::float8 as max_cost, owned.max_minutes, u.deactivated_at is null as is_active,
      (select jsonb_build_object('kind', d.kind, 'field_values', d.field_values, 'document_id', d.document_id, 'run_id', d.run_id,
        'files', (select coalesce(jsonb_agg(a.document_id order by a.place), '[]') from mail_attachments a
          where a.schedule_id = d.schedule_id and a.foreign_id = d.foreign_id and d.kind = 'mail'))
        from trigger_deliveries d where d.slot_id = slots.id limit 1) as delivery`.execute(db)
  return rows[0] ?? null
}

/** Lets a slot wait for the next look. Returns false when it may not, because too many of its schedule wait. */
export async function letWait(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`update slots s set state = 'waiting', claimed_until = null
    where id = ${id} and (state = 'waiting' or (state = 'planned' and ${MAX_WAITING} > (
      select count(*) from slots other where other.schedule_id = s.schedule_id and other.state = 'waiting')))
    returning id`.execute(db)
  return rows.length > 0
}

/** Start decision of a slot. `gone`: it began or ended elsewhere. `busy`: an earlier slot is not over. */
export type Readiness = 'free' | 'busy' | 'gone'

/** Locks the schedule and the slot in the transaction that starts the run. */
export async function lockSlot(trx: Db, slot: DueSlot): Promise<Readiness> {
  await sql`select from schedules where id = ${slot.schedule_id} for no key update`.execute(trx)
  await sql`select from slots where id = ${slot.id} for update`.execute(trx)
  return lookAtSlot(trx, slot)
}

/** Reads the start decision of a slot. */
export async function lookAtSlot(db: Db, { id, schedule_id, due_at, overlap }: DueSlot): Promise<Readiness> {
  const { rows } = await sql<{ is_open: boolean; is_first: boolean }>`
    select s.state in ('planned', 'waiting') as is_open, not exists (
      select from slots other where other.schedule_id = ${schedule_id} and other.id <> ${id} and (
        other.state in ('running', 'asking')
        or (other.state = 'waiting' and (other.due_at, other.id) < (${due_at}, ${id}::uuid)))) as is_first
    from slots s where s.id = ${id}`.execute(db)
  if (!rows[0]?.is_open) return 'gone'
  return overlap === 'parallel' || rows[0].is_first ? 'free' : 'busy'
}

/** Marks a slot as running with its message, in the transaction that starts the run. */
export async function markStarted(
  trx: Db,
  slot: DueSlot,
  messageId: string,
  sessionId: string,
): Promise<void> {
  await sql`update slots set state = 'running', started_at = schedule_now(), claimed_until = null,
    message_id = ${messageId}, session_id = ${sessionId} where id = ${slot.id}`.execute(trx)
  if (slot.target === 'one_chat')
    await sql`update schedules set session_id = ${sessionId} where id = ${slot.schedule_id}`.execute(trx)
}

/** Deletes the chat that was prepared for a slot, unless it has a message. */
export async function removeEmptyChat(db: Db, id: string): Promise<void> {
  await sql`delete from sessions where id = ${id} and active_leaf is null`.execute(db)
}

/** Returns slots whose questions were not answered in time, oldest first. */
export async function listUnanswered(
  db: Db,
  limit: number,
): Promise<{ id: string; run_id: string | null }[]> {
  const { rows } = await sql<{ id: string; run_id: string | null }>`select id, run_id from slots
    where state = 'asking' and skip_at <= schedule_now() order by skip_at, id limit ${limit}`.execute(db)
  return rows
}

/** Asks the deputies of slots whose owners did not answer in time. */
export async function askDeputies(db: Db): Promise<void> {
  await sql`
    with asked as (
      update slots s set deputy_asked_at = schedule_now() from schedules c
      where c.id = s.schedule_id and s.state = 'asking' and s.deputy_asked_at is null
        and s.deputy_at <= schedule_now() and c.deputy_id is not null
        and exists (select from input_requests q where q.run_id = s.run_id and q.state = 'waiting'
          and q.request ->> 'kind' = 'question')
        and exists (select from company_members a join company_members b on b.company_id = a.company_id
          where a.user_id = c.user_id and b.user_id = c.deputy_id)
      returning s.id, s.schedule_id, c.deputy_id, s.deputy_at
    )
    select notify_of_schedule(deputy_id, 'deputy_asked', 'slot ' || id || ' asks ' || deputy_at, schedule_id, id)
    from asked order by deputy_id, id limit 100000`.execute(db)
}
