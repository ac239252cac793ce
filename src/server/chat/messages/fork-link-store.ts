import { type Kysely, sql } from 'kysely'
import type { ForkLink } from '#shared/chat/messages/messages.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Maximum links shown at one message. */
const MAX_LINKS = 20

/** Returns the forked chats of these messages that the reader may read: the origin first, then forks, oldest first. */
export async function listForkLinks(
  db: Kysely<Tables>,
  reader: Person,
  messageIds: string[],
): Promise<ForkLink[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<ForkLink>`
    with home as (select session_id as id from messages where id = ${messageIds[0]}),
    links as (
      select fork.fork_end as message_id, 'from' as way, s.id as session_id, s.title,
        fork.forked_message as other_message_id, s.created_at
      from sessions fork join sessions s on s.id = fork.forked_from
      where fork.id = (select id from home) and fork.fork_end = any(${messageIds}::uuid[])
        and ${may(reader, 'read session', 's')}
      union all
      select s.forked_message, 'to', s.id, s.title, s.fork_end, s.created_at
      from sessions s
      where s.forked_from = (select id from home) and s.forked_message = any(${messageIds}::uuid[])
        and ${may(reader, 'read session', 's')}
    ), placed as (
      select *, row_number() over (partition by message_id order by way, created_at, session_id) as place from links
    )
    select message_id, way, session_id, title, other_message_id from placed
    where place <= ${MAX_LINKS}
    order by array_position(${messageIds}::uuid[], message_id), place
    limit ${MAX_LINKS * messageIds.length}`.execute(db)
  return rows
}
