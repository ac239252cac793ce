import { type Kysely, sql } from 'kysely'
import {
  MAX_LISTED_TAGS,
  MAX_PINS,
  type MarkChange,
  type MarkedSession,
  type UsedTag,
} from '#shared/chat/session-marks/session-marks.ts'
import { may, type Person } from '../../platform/access/access.ts'
import { type Database, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Lets one call at a time change the marks of a person, so that pins are counted correctly. */
export async function lockMarks(trx: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(31, hashtext(${userId}))`.execute(trx)
}

/**
 * Changes the marks of the chats that the person may read, and returns them in the order of the changes. A new pin comes
 * last; an archived chat is not pinned.
 */
export async function changeMarks(
  trx: Db,
  person: Person,
  changes: readonly MarkChange[],
  now: Date,
): Promise<MarkedSession[]> {
  const asked = sql`(
    select change.*, s.activity
    from rows from (jsonb_to_recordset(${toJson(changes)}::jsonb)
      as (session_id uuid, is_pinned boolean, is_archived boolean, is_unread boolean, add_tags text[], remove_tags text[]))
      with ordinality as change (session_id, is_pinned, is_archived, is_unread, add_tags, remove_tags, place)
    join sessions s on s.id = change.session_id
    where ${may(person, 'read session', 's')} and s.origin = 'chat')`
  await sql`
    insert into session_marks (user_id, session_id) select ${person.id}::uuid, session_id from ${asked} asked
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<MarkedSession>`
    update session_marks mark set
      position = case
        when coalesce(asked.is_archived, mark.archived_at is not null) or asked.is_pinned is false then null
        when asked.is_pinned then coalesce(mark.position, last.position + asked.place::int)
        else mark.position end,
      archived_at = case when asked.is_archived then coalesce(mark.archived_at, ${now}) when asked.is_archived is null then mark.archived_at end,
      tags = array(
        select tag from unnest(mark.tags || asked.add_tags) with ordinality as listed (tag, place)
        where tag <> all(asked.remove_tags) group by tag order by min(listed.place)),
      seen = case when asked.is_unread then asked.activity - 1 when asked.is_unread is null then mark.seen else asked.activity end
    from ${asked} asked, (
      select coalesce(max(position), 0)::int as position from session_marks where user_id = ${person.id}) last
    where mark.user_id = ${person.id} and mark.session_id = asked.session_id
    returning mark.session_id, mark.position as pin_position, mark.archived_at is not null as is_archived,
      asked.activity > mark.seen as is_unread, mark.tags`.execute(trx)
  const places = new Map(changes.map(({ session_id }, place) => [session_id, place]))
  return rows.sort((a, b) => (places.get(a.session_id) ?? 0) - (places.get(b.session_id) ?? 0))
}

/** Returns the ids of a person's pinned chats in their order, one more than allowed at most. */
export async function listPins(db: Db, person: Person): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select mark.session_id from session_marks mark join sessions s on s.id = mark.session_id
    where mark.user_id = ${person.id} and mark.position is not null and ${may(person, 'read session', 's')}
    order by mark.position, mark.session_id limit ${MAX_PINS + 1}`.execute(db)
  return rows.map(({ session_id }) => session_id)
}

/** Numbers the pins of a person in this order. */
export async function numberPins(trx: Db, userId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update session_marks mark set position = ordered.place
    from unnest(${[...ids]}::uuid[]) with ordinality as ordered (session_id, place)
    where mark.user_id = ${userId} and mark.session_id = ordered.session_id and mark.position <> ordered.place`.execute(
    trx,
  )
}

/** Returns the tags of a person's listed chats, the most used first. */
export async function listUsedTags(db: Database, person: Person): Promise<UsedTag[]> {
  const { rows } = await sql<UsedTag>`
    select tag, count(*)::int as count
    from session_marks mark join sessions s on s.id = mark.session_id, unnest(mark.tags) as tag
    where mark.user_id = ${person.id} and mark.archived_at is null and ${may(person, 'read session', 's')}
    group by tag order by count desc, tag limit ${MAX_LISTED_TAGS}`.execute(db)
  return rows
}
