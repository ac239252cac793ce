import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Placed, pathOf } from './path-of.ts'

type Db = Kysely<Tables>

/** The request of a question that still waits. */
export type Waiting = { run_id: string; key: string; request: InputRequiredBlock; deadline: Date | null }
/** A notification with what a mail may quote, the question or the beginning of the reply, and what it can answer. */
export type Quotable = Notification & { content: string | null; waiting: Waiting | null }

type Row = Placed & {
  id: string
  name: string | null
  by: string | null
  text_en: string | null
  text_fr: string | null
  tool_set_id: string | null
  deadline: Date | null
  run_id: string | null
  request_key: string | null
  request: InputRequiredBlock | null
  content: string | null
  created_at: Date
  read_at: Date | null
}

/**
 * Joins the things of notifications that the person may still read. Notifications without their thing are not shown: it was
 * deleted or withdrawn, or the announcement ended.
 */
function shownTo(person: Person, now: Date): RawBuilder<unknown> {
  return sql`notifications n
    left join sessions s on s.id = n.session_id and ${may(person, 'read session', 's')}
    left join input_requests q on q.run_id = n.run_id and q.key = n.request_key and ${may(person, 'read request', 'q')}
    left join documents d on d.id = n.document_id and ${may(person, 'read document', 'd')}
    left join announcements a on a.id = n.announcement_id and ${may(person, 'read announcement', 'a')}
      and a.starts_at <= ${now} and a.ends_at > ${now}
    left join assistants bot on bot.id = n.assistant_id and ${may(person, 'read assistant', 'bot')}
    left join prompts p on p.id = n.prompt_id and ${may(person, 'read prompt', 'p')}
    left join own_tool_sets t on t.id = n.tool_set_id and ${may(person, 'read tool-set', 't')}
    left join schedules c on c.id = n.schedule_id and (${may(person, 'read schedule', 'c')}
      or ${may(person, 'read offered-schedule', 'c')} or n.kind = 'deputy_asked')
    left join slots slot on slot.id = n.slot_id and ${may(person, 'read deputy-question', 'slot')}
    left join connectors source on source.id = n.connector_id and ${may(person, 'read connector', 'source')}
    left join users sharer on sharer.id = n.sharer_id`
}

const hasThing = sql`case
  when n.kind in ('reply_finished', 'reply_failed', 'reply_unsent', 'mentioned', 'schedule_changed') then s.id is not null
  when n.kind = 'question_waiting' then q.run_id is not null and (n.session_id is null or s.id is not null)
  when n.kind in ('document_ready', 'document_failed') then d.id is not null
  when n.kind in ('budget_warning', 'budget_spent') then true
  when n.kind = 'deputy_asked' then slot.id is not null
  when n.kind in ('schedule_stopped', 'schedule_failed', 'reminder', 'schedule_offered') then c.id is not null
  when n.kind in ('connector_asks', 'connector_signed_out') then source.id is not null
  when n.kind = 'announcement' then a.id is not null
  else coalesce(bot.id, p.id, t.id) is not null end`

/** Returns a page of what the bell shows, the newest first. */
export async function findPage(
  db: Db,
  person: Person,
  { skip, limit, now, french }: { skip: number; limit: number; now: Date; french: boolean },
): Promise<Notification[]> {
  const { rows } = await sql<Row>`select ${columns} from ${shownTo(person, now)}
    where n.user_id = ${person.id} and n.in_app and ${hasThing}
    order by n.created_at desc, n.id limit ${limit} offset ${skip}`.execute(db)
  return rows.map((row) => {
    const { content: _, waiting: __, ...shown } = show(row, french)
    return shown
  })
}

/** Returns the named notifications that the person may still read, oldest first. */
export async function findQuotable(
  db: Db,
  person: Person,
  { ids, now, french }: { ids: string[]; now: Date; french: boolean },
): Promise<Quotable[]> {
  const { rows } = await sql<Row>`select ${columns} from ${shownTo(person, now)}
    where n.user_id = ${person.id} and n.id = any(${ids}::uuid[]) and ${hasThing}
    order by n.created_at, n.id limit ${ids.length}`.execute(db)
  return rows.map((row) => show(row, french))
}

/** Counts at most 1,000 unread notifications. */
export async function countUnread(db: Db, person: Person, now: Date): Promise<number> {
  const { rows } = await sql<{ unread: number }>`select count(*)::int as unread from (
    select n.id from ${shownTo(person, now)}
    where n.user_id = ${person.id} and n.in_app and n.read_at is null and ${hasThing}
    order by n.id limit 1000) unread`.execute(db)
  return rows[0]?.unread ?? 0
}

/** Marks the person's notifications as read: the named ones, or all up to a time. */
export async function markRead(
  db: Db,
  userId: string,
  which: { ids: string[] } | { until: string },
): Promise<void> {
  // The time comes from the wire, which has milliseconds.
  const meant =
    'ids' in which
      ? sql`id = any(${which.ids}::uuid[])`
      : sql`date_trunc('milliseconds', created_at) <= ${which.until}`
  await sql`select read_notifications(array(select id from notifications
    where user_id = ${userId} and read_at is null and ${meant} order by created_at limit 10000))`.execute(db)
}

/** Deletes notifications from before a time. */
export async function removeOld(db: Db, before: Date): Promise<void> {
  await sql`delete from notifications where created_at < ${before}`.execute(db)
}

const columns = sql`n.id, n.kind, n.session_id, n.document_id, n.assistant_id, n.prompt_id, n.schedule_id, n.slot_id, n.connector_id, n.tool_set_id,
  n.message_id, n.facts,
  case n.kind when 'schedule_changed' then coalesce(c.name, s.title)
    else coalesce(s.title, d.name, bot.name, p.name, t.name, c.name, source.name) end as name, coalesce(sharer.full_name, sharer.username) as by,
  a.text_en, a.text_fr, a.link, case when not q.names_approver then q.request -> 'tool' ->> 'tool_id' end as tool_id, q.tool_execution_id,
  case when q.state = 'waiting' then q.deadline end as deadline, n.run_id, n.request_key,
  case when q.state = 'waiting' then q.request end as request,
  case n.kind when 'question_waiting' then q.request ->> 'prompt' when 'reply_finished' then s.preview
    when 'mentioned' then (select left(content, 400) from messages where id = n.message_id)
    when 'schedule_changed' then (select result from slots where id = n.slot_id)
    when 'schedule_failed' then (select concat_ws(': ', reason ->> 'name', reason ->> 'detail') from slots where id = n.slot_id)
    when 'reminder' then c.text when 'schedule_stopped' then concat_ws(': ', c.stopped_for ->> 'name', c.stopped_for ->> 'detail') end as content,
  n.created_at, n.read_at`

/** A mail answers questions of chats only. */
function waitingOf({ session_id, run_id, request_key: key, request, deadline }: Row): Waiting | null {
  return session_id && run_id && key && request ? { run_id, key, request, deadline } : null
}

function show(row: Row, french: boolean): Quotable {
  const { id, kind, by, facts, text_en, text_fr, deadline, content, created_at, read_at } = row
  const item = row.prompt_id ? 'prompt' : row.tool_set_id ? 'tool_set' : row.assistant_id ? 'assistant' : null
  const { kind: subject, period, amount, spent } = facts
  return {
    ...{ id, kind, by, content, item, waiting: waitingOf(row) },
    name: row.name ?? facts.name ?? null,
    text:
      kind === 'schedule_stopped' || kind === 'schedule_failed'
        ? content || null
        : ((french ? text_fr : text_en) ?? text_en ?? text_fr),
    budget: subject ? { kind: subject, period, amount, spent } : null,
    deadline: deadline?.toISOString() ?? null,
    path: pathOf(row),
    created_at: created_at.toISOString(),
    read_at: read_at?.toISOString() ?? null,
  }
}
