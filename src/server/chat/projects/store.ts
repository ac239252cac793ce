import { type Kysely, type RawBuilder, sql } from 'kysely'
import { MAX_PROJECTS, type Project } from '#shared/chat/projects/projects.ts'
import { ProjectRole } from '#shared/chat/projects/roles.ts'
import { isMember, may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** The roles a person has in a project `w`, by their own membership and those of their groups. */
const rolesOf = (person: Person): RawBuilder<string[]> => sql`array(
  select member.role from workspace_members member where member.workspace_id = w.id and ${isMember(person)})`

/** Chats of a project `w` that a person may read. */
const chatsOf = (person: Person): RawBuilder<unknown> => sql`
  from sessions s left join session_marks seen on seen.session_id = s.id and seen.user_id = ${person.id}
  where s.workspace_id = w.id and s.origin = 'chat' and (s.user_id = ${person.id} or s.shared_with_project)
    and s.deleted_at is null and seen.archived_at is null`

const columns = (person: Person) => sql`
  w.id, w.name, w.description, w.colour, w.icon, ${rolesOf(person)} as roles, w.user_id is not distinct from ${person.id}::uuid as is_owner,
  w.archived_at is not null as is_archived,
  exists (select from workspace_members m where m.workspace_id = w.id) as is_shared,
  (select count(*)::int from workspace_documents d where d.workspace_id = w.id) as document_count,
  chats.chat_count, chats.unread_count, chats.private_chat_count,
  coalesce(mark.is_pinned, false) as is_pinned, coalesce(mark.is_collapsed, true) as is_collapsed`

const joins = (person: Person) => sql`
  left join project_marks mark on mark.workspace_id = w.id and mark.user_id = ${person.id}
  cross join lateral (select count(*)::int as chat_count,
    (count(*) filter (where s.activity > coalesce(seen.seen, 0)))::int as unread_count,
    (count(*) filter (where not s.shared_with_project))::int as private_chat_count ${chatsOf(person)}) chats`

type Row = Omit<Project, 'role'> & { roles: string[]; private_chat_count: number }
export type DetailRow = Row & {
  instructions: string
  instructions_version: number
  assistant_id: string | null
  model_name: string | null
  member_count: number
}

/** Pinned projects first, then those the person moved, then by name. */
const inOrder = sql`coalesce(mark.is_pinned, false) desc, mark.position nulls last, lower(w.name), w.id`

/** Returns a person's projects in the order of their sidebar: those in use, or the archived ones. */
export async function listProjects(db: Db, person: Person, isArchived: boolean): Promise<Project[]> {
  const { rows } = await sql<Row>`
    select ${columns(person)} from workspaces w ${joins(person)}
    where ${may(person, 'read workspace', 'w')} and not w.is_default and (w.archived_at is not null) = ${isArchived}
    order by ${inOrder} limit ${MAX_PROJECTS}`.execute(db)
  return rows.map(({ private_chat_count: _, ...row }) => withRole(row))
}

/** Returns a project with its settings, or null for a default workspace. */
export async function findProject(db: Db, person: Person, id: string): Promise<DetailRow | null> {
  const { rows } = await sql<DetailRow>`
    select ${columns(person)}, w.instructions, w.instructions_version, w.assistant_id, w.model_name,
      (w.user_id is not null)::int + (select count(*)::int from workspace_members m where m.workspace_id = w.id) as member_count
    from workspaces w ${joins(person)} where w.id = ${id} and not w.is_default`.execute(db)
  return rows[0] ?? null
}

/** Replaces the roles of a row by the highest one. The owner manages the project. */
export function withRole<R extends { roles: string[]; is_owner: boolean }>({ roles, ...row }: R) {
  const highest = ProjectRole.options.findLast((role) => roles.includes(role)) ?? 'reader'
  return { ...row, role: row.is_owner ? ('manager' as const) : highest }
}

/** Returns the ids of a person's projects in the order of the sidebar. */
export async function listOrder(db: Db, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id from workspaces w
      left join project_marks mark on mark.workspace_id = w.id and mark.user_id = ${person.id}
    where ${may(person, 'read workspace', 'w')} and not w.is_default and w.archived_at is null
    order by ${inOrder} limit ${MAX_PROJECTS}`.execute(db)
  return rows.map(({ id }) => id)
}
