import { type Kysely, sql } from 'kysely'
import type { ChatPlace, PlacedChat } from '#shared/chat/projects/projects.ts'
import { may, type Person } from '../../platform/access/access.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Before = PlacedChat & { title: string }

/** Returns the named chats that the person owns, without temporary ones, and locks them in one order. */
export async function lockChats(trx: Db, person: Person, ids: readonly string[]): Promise<Before[]> {
  const { rows } = await sql<Before>`
    select s.id as session_id, s.workspace_id, s.shared_with_project as is_shared, s.title from sessions s
    where s.id = any(${[...ids]}::uuid[]) and s.origin = 'chat' and ${may(person, 'manage session', 's')}
    order by s.id limit ${ids.length} for update`.execute(trx)
  return rows
}

/** Returns how many of these projects the person may begin chats in. */
export async function countOpen(trx: Db, person: Person, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from workspaces w
    where w.id = any(${[...ids]}::uuid[]) and not w.is_default and w.archived_at is null
      and ${may(person, 'read workspace', 'w')}`.execute(trx)
  return rows[0]?.n ?? 0
}

/** Stores new places. */
export async function writePlaces(trx: Db, places: readonly Required<ChatPlace>[]): Promise<void> {
  await sql`
    update sessions s set workspace_id = place.workspace_id, shared_with_project = place.is_shared
    from jsonb_to_recordset(${toJson(places)}::jsonb) as place (session_id uuid, workspace_id uuid, is_shared boolean)
    where s.id = place.session_id`.execute(trx)
}
