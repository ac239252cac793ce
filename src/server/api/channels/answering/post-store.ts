import { type Kysely, sql } from 'kysely'
import { may, type Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Place } from '../wire.ts'

type Db = Kysely<Tables>

/** Seconds after which a started post without a result was interrupted. A request takes at most 15 seconds. */
export const INTERRUPTED_S = 20

export type Post = {
  id: string
  thread_id: string
  kind: 'answer' | 'notice' | 'private' | 'question'
  event_id: string | null
  run_id: string | null
  request_key: string | null
  body: string
  recipient: string | null
  tries: number
  /** The chat of the request is a visitor's. */
  is_of_visitor: boolean
  foreign_id: string | null
  /** True when an earlier attempt was interrupted, so that it may have arrived. */
  was_started: boolean
} & Place

const columns = sql`p.id, p.thread_id, p.kind, p.event_id, p.run_id, p.request_key, p.body, p.recipient, p.tries, p.foreign_id,
  t.conversation, t.root, t.service, t.team, t.directory_id, p.state = 'started' as was_started,
  exists (select from runs r join sessions s on s.id = r.session_id where r.id = p.run_id and s.visitor_id is not null) as is_of_visitor`

type NewPost = {
  channelId: string
  threadId: string
  eventId: string
  kind: 'answer' | 'notice' | 'private'
  body?: string
  recipient?: string
}

/** Decides to say something, once per event and kind. */
export async function insertPost(trx: Db, post: NewPost): Promise<void> {
  await sql`insert into channel_posts (channel_id, thread_id, event_id, kind, body, recipient)
    values (${post.channelId}, ${post.threadId}, ${post.eventId}, ${post.kind}, ${post.body ?? ''}, ${post.recipient ?? null})
    on conflict do nothing`.execute(trx)
}

/** Decides to post the questions that runs of a connection wait for, each once. */
export async function insertQuestions(db: Db, channelId: string): Promise<void> {
  await sql`insert into channel_posts (channel_id, thread_id, event_id, kind, run_id, request_key)
    select t.channel_id, t.id, e.id, 'question', q.run_id, q.key
    from channel_events e join channel_threads t on t.id = e.thread_id
      join input_requests q on q.session_id = t.session_id and q.state = 'waiting'
    where e.channel_id = ${channelId} and e.state = 'answering'
    order by q.created_at, q.key limit 100 on conflict do nothing`.execute(db)
}

/** Returns what is to be said, in order. Nothing overtakes an earlier post of its thread. */
export async function listDue(db: Db, channelId: string, limit: number): Promise<Post[]> {
  const { rows } = await sql<Post>`select ${columns}
    from channel_posts p join channel_threads t on t.id = p.thread_id
    where p.channel_id = ${channelId} and p.state in ('waiting', 'started') and p.due_at <= clock_timestamp()
      and not exists (select from channel_posts before where before.thread_id = p.thread_id
        and before.state in ('waiting', 'started') and (before.created_at, before.id) < (p.created_at, p.id))
    order by p.created_at, p.id limit ${limit}`.execute(db)
  return rows
}

/** Notes that a post leaves, before it does. Returns false when another process does it. */
export async function claimPost(db: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`update channel_posts set state = 'started', started_at = clock_timestamp(), tries = tries + 1,
      due_at = clock_timestamp() + ${INTERRUPTED_S} * interval '1 second'
    where id = ${id} and due_at <= clock_timestamp() and state in ('waiting', 'started') returning id`.execute(
      db,
    )
  return rows.length > 0
}

type Outcome = {
  state: 'waiting' | 'started' | 'posted' | 'failed' | 'unknown'
  foreignId?: string | null
  detail?: string | null
  waits?: number
}

export async function settlePost(
  db: Db,
  id: string,
  { state, foreignId, detail = null, waits = 0 }: Outcome,
) {
  await sql`update channel_posts set state = ${state}, foreign_id = coalesce(${foreignId ?? null}, foreign_id), detail = ${detail},
    due_at = clock_timestamp() + ${waits} * interval '1 second' where id = ${id} and state = 'started'`.execute(
    db,
  )
}

/** Removes a post that has nothing to say any more, because its chat is gone. */
export async function removePost(db: Db, id: string): Promise<void> {
  await sql`delete from channel_posts where id = ${id} and state = 'started'`.execute(db)
}

/** Returns posted questions that no longer wait for an answer and still have buttons. */
export async function listToClose(db: Db, channelId: string, limit: number): Promise<Post[]> {
  const { rows } = await sql<Post>`select ${columns}
    from channel_posts p join channel_threads t on t.id = p.thread_id
      left join input_requests q on q.run_id = p.run_id and q.key = p.request_key
    where p.channel_id = ${channelId} and p.kind = 'question' and p.state = 'posted' and p.closed_at is null
      and p.due_at <= clock_timestamp() and coalesce(q.state, 'closed') <> 'waiting'
    order by p.created_at, p.id limit ${limit}`.execute(db)
  return rows
}

export async function markClosed(db: Db, id: string): Promise<void> {
  await sql`update channel_posts set closed_at = clock_timestamp() where id = ${id}`.execute(db)
}

export async function postponeClosing(db: Db, id: string, seconds: number): Promise<void> {
  await sql`update channel_posts set due_at = clock_timestamp() + ${seconds} * interval '1 second', tries = tries + 1
    where id = ${id}`.execute(db)
}

/** Returns the request of a posted question; null when the post is none. */
export async function findRequestOfPost(db: Db, id: string): Promise<{ run_id: string; key: string } | null> {
  const { rows } = await sql<{
    run_id: string
    key: string
  }>`select run_id, request_key as key from channel_posts
    where id = ${id} and kind = 'question' and run_id is not null`.execute(db)
  return rows[0] ?? null
}

/** Returns the open question that was shown last in a thread; null without one. */
export async function findOpenQuestion(
  db: Db,
  threadId: string,
): Promise<{ run_id: string; key: string } | null> {
  const { rows } = await sql<{ run_id: string; key: string }>`select p.run_id, p.request_key as key
    from channel_posts p join input_requests q on q.run_id = p.run_id and q.key = p.request_key
    where p.thread_id = ${threadId} and p.kind = 'question' and p.state = 'posted' and q.state = 'waiting'
      and not p.is_hidden
    order by p.created_at desc, p.id limit 1`.execute(db)
  return rows[0] ?? null
}

export type AnswerOfMessage = {
  /** Null when the reply is gone. */
  content: string | null
  blocks: unknown
  session_id: string
  user_id: string
  visitor_id: string | null
  run_id: string
}

/** Returns the reply to the message of an event, with the run that made it. */
export async function findAnswer(db: Db, eventId: string): Promise<AnswerOfMessage | null> {
  const { rows } = await sql<AnswerOfMessage>`
    select m.content, m.blocks, s.id as session_id, s.user_id, s.visitor_id, r.id as run_id
    from channel_events e join runs r on r.user_message_id = e.user_message_id and r.parent_run_id is null
      join sessions s on s.id = r.session_id left join messages m on m.id = r.message_id
    where e.id = ${eventId} order by r.created_at, r.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns whether a principal may read, at this moment, everything whose text entered a run, its sub-runs or the conversation before it. */
export async function mayReadSources(db: Db, principal: Principal, runId: string): Promise<boolean> {
  const readable = (thing: 'document' | 'workspace' | 'connector') =>
    sql`exists (select from ${sql.table(`${thing}s`)} t where t.id = s.source_id and ${may(principal, `read ${thing}`, 't')})`
  const { rows } = await sql`
    with recursive up as (
      select id, parent_run_id from runs where id = ${runId}
      union all select r.id, r.parent_run_id from up join runs r on r.id = up.parent_run_id)
    select from (
      select kind, source_id from sources_of_runs(array(select id from up where parent_run_id is null))
      union select kind, source_id from sources_of_run(${runId}::uuid)) s
    where not case s.kind when 'document' then ${readable('document')} when 'project' then ${readable('workspace')}
      when 'connector' then ${readable('connector')} else false end limit 1`.execute(db)
  return rows.length === 0
}

/** Notes whether a question is shown in its channel, or waits in the product only. */
export async function noteHidden(db: Db, id: string, isHidden: boolean): Promise<void> {
  await sql`update channel_posts set is_hidden = ${isHidden} where id = ${id}`.execute(db)
}

/** Returns whether a message was given as an answer before its process was killed. */
export async function isTypedAnswer(
  db: Db,
  event: { id: string; thread_id: string; body: string },
): Promise<boolean> {
  const { rows } =
    await sql`select from channel_posts p join input_requests q on q.run_id = p.run_id and q.key = p.request_key
      join channel_events e on e.id = ${event.id}
    where p.thread_id = ${event.thread_id} and p.kind = 'question' and q.state = 'answered'
      and q.answered_at >= e.received_at and q.answer ->> 'input' = ${event.body} limit 1`.execute(db)
  return rows.length > 0
}
