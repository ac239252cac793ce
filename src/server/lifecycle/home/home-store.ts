import { sql } from 'kysely'
import {
  type DueToday,
  MAX_COUNTED,
  MAX_HOME_ITEMS,
  MAX_HOME_PROJECTS,
  type PinnedProject,
  type UnreadChat,
} from '#shared/lifecycle/home/home.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

type Found<Item> = { items: Item[]; total: number }
type Counted<Item, Time extends keyof Item> = Omit<Item, Time> & Record<Time, Date> & { total: number }

/** Returns whether a person has a chat with a message. */
export async function hasWritten(db: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions
    where user_id = ${userId} and origin = 'chat' and active_leaf is not null and deleted_at is null
    order by updated_at desc, id limit 1`.execute(db)
  return rows.length > 0
}

/** Returns what the person's schedules do today in a time zone: first what is not over, then what is, both by time. */
export async function findToday(db: Database, person: Person, timeZone: string): Promise<Found<DueToday>> {
  const today = sql`date_trunc('day', schedule_now() at time zone ${timeZone})`
  const { rows } = await sql<Counted<DueToday, 'due_at'>>`
    select slot.id, c.id as schedule_id, c.name, c.kind, slot.due_at, slot.state,
      (select s.id from sessions s where s.id = slot.session_id and ${may(person, 'read session', 's')}) as session_id,
      count(*) over ()::int as total
    from schedules c join slots slot on slot.schedule_id = c.id
    where ${may(person, 'read schedule', 'c')}
      and slot.due_at >= ${today} at time zone ${timeZone}
      and slot.due_at < (${today} + interval '1 day') at time zone ${timeZone}
    order by slot.ended_at is not null, slot.due_at, slot.id limit ${MAX_HOME_ITEMS}`.execute(db)
  return {
    items: rows.map(({ total: _, due_at, ...item }) => ({ ...item, due_at: due_at.toISOString() })),
    total: rows[0]?.total ?? 0,
  }
}

/** Returns the person's chats with news they have not opened, newest first, without the named ones. */
export async function findUnread(
  db: Database,
  person: Person,
  except: readonly string[],
): Promise<Found<UnreadChat>> {
  const { rows } = await sql<Counted<UnreadChat, 'updated_at'>>`
    select id, title, preview, updated_at, count(*) over ()::int as total from (
      select s.id, s.title, s.preview, s.updated_at from sessions s
        left join session_marks mark on mark.session_id = s.id and mark.user_id = ${person.id}
      where s.user_id = ${person.id} and s.origin = 'chat' and ${may(person, 'read session', 's')}
        and mark.archived_at is null and s.activity > coalesce(mark.seen, 0) and s.id <> all(${[...except]}::uuid[])
      order by s.updated_at desc, s.id limit ${MAX_COUNTED}) unread
    order by updated_at desc, id limit ${MAX_HOME_ITEMS}`.execute(db)
  return {
    items: rows.map(({ total: _, updated_at, ...chat }) => ({
      ...chat,
      updated_at: updated_at.toISOString(),
    })),
    total: rows[0]?.total ?? 0,
  }
}

/** Returns the projects that the person pinned, in the order of the sidebar. */
export async function findPinnedProjects(db: Database, person: Person): Promise<PinnedProject[]> {
  const { rows } = await sql<PinnedProject>`
    select w.id, w.name, w.colour, w.icon, (
      select count(*)::int from sessions s
        left join session_marks seen on seen.session_id = s.id and seen.user_id = ${person.id}
      where s.workspace_id = w.id and s.origin = 'chat' and ${may(person, 'read session', 's')}
        and seen.archived_at is null and s.activity > coalesce(seen.seen, 0)) as unread_count
    from project_marks mark join workspaces w on w.id = mark.workspace_id
    where mark.user_id = ${person.id} and mark.is_pinned and ${may(person, 'read workspace', 'w')} and not w.is_default
    order by mark.position nulls last, lower(w.name), w.id limit ${MAX_HOME_PROJECTS}`.execute(db)
  return rows
}
