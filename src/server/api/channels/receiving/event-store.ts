import { type Kysely, sql } from 'kysely'
import { CHANNEL_EVENT_DAYS } from '#shared/api/channels/channels.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Place } from '../wire.ts'

type Db = Kysely<Tables>

export type ThreadPlace = Place & { place: string; isDirect: boolean }

/**
 * Returns whether a message that does not name the bot is for it: its thread is a chat, or is about to become one, and an assistant answers
 * in the channel. People who talk on after a refusal are not answered again.
 */
export async function isContinued(
  db: Db,
  channelId: string,
  { conversation, root, place }: Pick<ThreadPlace, 'conversation' | 'root' | 'place'>,
): Promise<boolean> {
  const { rows } = await sql`select from channel_threads t
    where t.channel_id = ${channelId} and t.conversation = ${conversation} and t.root = ${root}
      and exists (select from channel_places p where p.channel_id = t.channel_id and p.foreign_id = ${place})
      and (t.session_id is not null or exists (select from channel_events e
        where e.thread_id = t.id and e.kind = 'message' and e.state in ('waiting', 'answering')))`.execute(db)
  return rows.length > 0
}

/** Returns the thread, which it begins if need be. */
export async function openThread(trx: Db, channelId: string, of: ThreadPlace): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into channel_threads as t (channel_id, place_id, conversation, root, service, team, directory_id, is_direct)
    values (${channelId}, (select id from channel_places where channel_id = ${channelId} and foreign_id = ${of.place}),
      ${of.conversation}, ${of.root}, ${of.service}, ${of.team}, ${of.directory_id}, ${of.isDirect})
    on conflict (channel_id, conversation, root) do update set place_id = coalesce(excluded.place_id, t.place_id),
      service = excluded.service
    returning id`.execute(trx)
  return rows[0]!.id
}

export type NewEvent = {
  channel_id: string
  thread_id: string
  kind: 'message' | 'press'
  foreign_id: string
  sender: string
  body?: string
  post_id?: string
  choice?: number
}

/** Stores an event. One that is known is counted and changes nothing else. */
export async function insertEvent(trx: Db, event: NewEvent): Promise<void> {
  await sql`insert into channel_events as e (channel_id, thread_id, kind, foreign_id, sender, body, post_id, choice)
    values (${event.channel_id}, ${event.thread_id}, ${event.kind}, ${event.foreign_id}, ${event.sender}, ${event.body ?? ''},
      ${event.post_id ?? null}, ${event.choice ?? null})
    on conflict (channel_id, foreign_id) do update set times = e.times + 1`.execute(trx)
}

/** Returns the thread of a post of a connection; null for an unknown post. */
export async function findThreadOfPost(db: Db, channelId: string, postId: string): Promise<string | null> {
  const { rows } = await sql<{ thread_id: string }>`select thread_id from channel_posts
    where id = ${postId} and channel_id = ${channelId}`.execute(db)
  return rows[0]?.thread_id ?? null
}

/** Deletes a batch of old events with their posts, of people not seen since, and of threads whose chats are gone. Chats stay. */
export async function removeOldEvents(db: Db): Promise<void> {
  await sql`delete from channel_events where id in (
    select id from channel_events where received_at < clock_timestamp() - ${CHANNEL_EVENT_DAYS} * interval '1 day'
      and state in ('done', 'failed') order by received_at, id limit 10000)`.execute(db)
  await sql`delete from channel_people where (channel_id, foreign_id) in (
    select channel_id, foreign_id from channel_people where read_at < clock_timestamp() - ${CHANNEL_EVENT_DAYS} * interval '1 day'
    order by read_at, channel_id, foreign_id limit 10000)`.execute(db)
  await sql`delete from channel_threads where id in (
    select t.id from channel_threads t where t.session_id is null
      and not exists (select from channel_events e where e.thread_id = t.id)
    order by t.created_at, t.id limit 10000)`.execute(db)
}
