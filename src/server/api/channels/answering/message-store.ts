import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Place } from '../wire.ts'

type Db = Kysely<Tables>

/** A message or the press of a button that waits, with its thread. */
export type WaitingEvent = {
  id: string
  kind: 'message' | 'press'
  sender: string
  body: string
  post_id: string | null
  choice: number | null
  thread_id: string
  is_direct: boolean
  place_name: string | null
  assistant_id: string | null
  /** The chat of the thread with its owner and visitor; null before the first message. */
  session_id: string | null
  owner_id: string | null
  visitor_id: string | null
} & Place

/** The thread has a question that may be answered by typing. */
const isAsked = sql<boolean>`exists (select from channel_posts p join input_requests q on q.run_id = p.run_id and q.key = p.request_key
  where p.thread_id = e.thread_id and p.kind = 'question' and p.state = 'posted' and q.state = 'waiting')`

/**
 * Returns presses, and the first message of each thread in which none is being answered, oldest first. Answers to a question come at any
 * time. A message that failed and is tried again later lets the next ones pass.
 */
export async function listWaiting(db: Db, channelId: string, limit: number): Promise<WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    select e.id, e.kind, e.sender, e.body, e.post_id, e.choice, t.id as thread_id, t.is_direct, p.name as place_name,
      p.assistant_id, t.conversation, t.root, t.service, t.team, t.directory_id, s.id as session_id, s.user_id as owner_id, s.visitor_id
    from channel_events e join channel_threads t on t.id = e.thread_id
      left join channel_places p on p.id = t.place_id left join sessions s on s.id = t.session_id and s.deleted_at is null
    where e.channel_id = ${channelId} and e.state = 'waiting' and e.due_at <= clock_timestamp()
      and (e.kind = 'press' or ${isAsked} or not exists (select from channel_events other where other.thread_id = e.thread_id
        and other.kind = 'message' and (other.state = 'answering'
          or (other.state = 'waiting' and (other.received_at, other.id) < (e.received_at, e.id)
            and not (other.tries > 0 and other.due_at > clock_timestamp())))))
    order by e.received_at, e.id limit ${limit}`.execute(db)
  return rows
}

/** Returns whether a message before this one in its thread is being answered. */
export async function hasEarlier(db: Db, { id, thread_id }: WaitingEvent): Promise<boolean> {
  const { rows } = await sql`select from channel_events where thread_id = ${thread_id} and kind = 'message'
    and state = 'answering' and id <> ${id} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns how many messages of others the chats of a person took in channels in the last day. The person paid for them. */
export async function countOfOthers(db: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from channel_events e join channel_threads t on t.id = e.thread_id
      join sessions s on s.id = t.session_id join messages m on m.id = e.user_message_id
    where s.user_id = ${ownerId} and s.visitor_id is null and m.is_by_others
      and e.received_at > clock_timestamp() - interval '1 day'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Locks an event. Returns whether it still waits. */
export async function lockWaiting(trx: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`select from channel_events where id = ${id} and state = 'waiting' for update`.execute(trx)
  return rows.length > 0
}

/** Marks a message as being answered, in the transaction that starts its run. The chat has its text from then on. */
export async function markAnswering(
  trx: Db,
  { id, thread_id }: WaitingEvent,
  messageId: string,
  sessionId: string,
) {
  await sql`update channel_events set state = 'answering', body = '', user_message_id = ${messageId} where id = ${id}`.execute(
    trx,
  )
  await sql`update channel_threads set session_id = ${sessionId} where id = ${thread_id}`.execute(trx)
}

/** Attempts to answer an event. With growing pauses they take about a day. */
export const MAX_EVENT_TRIES = 100

/** Counts a failed attempt and postpones the event, at last by 15 minutes. Returns whether that was the last one. */
export async function noteTry(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ tries: number }>`update channel_events set tries = tries + 1, due_at = ${later}
    where id = ${id} returning tries`.execute(db)
  return (rows[0]?.tries ?? 0) >= MAX_EVENT_TRIES
}
const later = sql`clock_timestamp() + least(900, 5 * 2 ^ least(tries, 10)) * interval '1 second'`

/** Postpones the other events of a sender who cannot be read, each as long as its own attempts say. */
export async function postponeOfSender(db: Db, channelId: string, sender: string): Promise<void> {
  await sql`update channel_events set due_at = ${later}
    where channel_id = ${channelId} and sender = ${sender} and state = 'waiting' and due_at <= clock_timestamp()`.execute(
    db,
  )
}

/** Returns whether something of a connection failed before and is tried again. */
export async function isRetrying(db: Db, channelId: string): Promise<boolean> {
  const { rows } = await sql<{ retries: boolean }>`select
    exists (select from channel_events where channel_id = ${channelId} and state = 'waiting' and tries > 0)
    or exists (select from channel_posts where channel_id = ${channelId} and state in ('waiting', 'started') and tries > 0)
    as retries`.execute(db)
  return rows[0]?.retries ?? false
}

export async function postpone(db: Db, id: string, seconds: number): Promise<void> {
  await sql`update channel_events set due_at = clock_timestamp() + ${seconds} * interval '1 second' where id = ${id}`.execute(
    db,
  )
}

/** Lets messages of a thread be tried that waited for an answer. */
export async function wakeThread(trx: Db, threadId: string): Promise<void> {
  await sql`update channel_events set due_at = clock_timestamp() where thread_id = ${threadId} and state = 'waiting'`.execute(
    trx,
  )
}

/** Notes that an event is settled. */
export async function settleEvent(trx: Db, id: string, detail: string | null = null): Promise<void> {
  await sql`update channel_events set state = ${detail === null ? 'done' : 'failed'}, detail = ${detail}, body = '',
    done_at = clock_timestamp() where id = ${id}`.execute(trx)
}

/** A message whose run is over. */
export type EndedMessage = { id: string; thread_id: string }

/** Returns messages whose runs are over, oldest first. A run that waits or is paused is not over. */
export async function listEnded(db: Db, channelId: string, limit: number): Promise<EndedMessage[]> {
  const { rows } = await sql<EndedMessage>`
    select e.id, e.thread_id from channel_events e
      left join lateral (select state from runs
        where user_message_id = e.user_message_id and parent_run_id is null order by created_at, id limit 1) r on true
    where e.channel_id = ${channelId} and e.state = 'answering' and e.kind = 'message'
      and coalesce(r.state, 'failed') in ('completed', 'failed', 'stopped')
    order by e.received_at, e.id limit ${limit}`.execute(db)
  return rows
}

/** Returns whether runs of a connection work at this moment, or something else will be due within seconds. */
export async function isWorking(db: Db, channelId: string): Promise<boolean> {
  const { rows } = await sql<{ works: boolean }>`select
    exists (select from channel_events e join runs r on r.user_message_id = e.user_message_id and r.parent_run_id is null
      where e.channel_id = ${channelId} and e.state = 'answering' and r.state <> 'paused' and (r.state <> 'waiting'
        or exists (select from channel_threads t join input_requests q on q.session_id = t.session_id and q.state = 'waiting'
          where t.id = e.thread_id and not exists (select from channel_posts p where p.run_id = q.run_id and p.request_key = q.key))))
    or exists (select from channel_events where channel_id = ${channelId} and state = 'waiting'
      and due_at < clock_timestamp() + interval '20 seconds')
    or exists (select from channel_posts where channel_id = ${channelId} and state in ('waiting', 'started')
      and due_at < clock_timestamp() + interval '20 seconds') as works`.execute(db)
  return rows[0]?.works ?? false
}

/** Removes the chat of a message whose run could not start. */
export async function removeEmptyChat(trx: Db, id: string): Promise<void> {
  await sql`delete from sessions where id = ${id} and not exists (select from messages where session_id = ${id})`.execute(
    trx,
  )
}
