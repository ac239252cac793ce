import { type Kysely, sql } from 'kysely'
import { MAX_MEMBERS, type ProjectMember } from '#shared/chat/projects/project-members.ts'
import type { ProjectRole } from '#shared/chat/projects/roles.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

const nameOf = (person: string) =>
  sql`coalesce(nullif(trim(${sql.ref(`${person}.full_name`)}), ''), ${sql.ref(`${person}.username`)})`

/** Returns the owner of a project, then its members by kind and name. */
export async function listMembers(db: Db, person: Person, workspaceId: string): Promise<ProjectMember[]> {
  const { rows } = await sql<ProjectMember>`
    select found.id, found.who, found.recipient_id, found.name, found.detail, found.role,
      found.recipient_id = ${person.id} as is_me, found.people
    from (
      select 0 as kind, null::uuid as id, 'person' as who, u.id as recipient_id, ${nameOf('u')} as name,
        u.username as detail, 'manager' as role, null::int as people
      from workspaces w join users u on u.id = w.user_id where w.id = ${workspaceId}
      union all select 1, m.id, 'group', g.id, g.name, c.name, m.role,
        (select count(*)::int from group_members joined where joined.group_id = g.id)
      from workspace_members m join groups g on g.id = m.group_id join companies c on c.id = g.company_id
      where m.workspace_id = ${workspaceId}
      union all select 2, m.id, 'person', u.id, ${nameOf('u')}, u.username, m.role, null
      from workspace_members m join users u on u.id = m.person_id where m.workspace_id = ${workspaceId}) found
    order by found.kind, lower(found.name), found.recipient_id limit ${MAX_MEMBERS + 1}`.execute(db)
  return rows
}

type Named = { group_id: string | null; person_id: string | null }

/** Returns the role of a person or group in a project, or null. */
export async function findRole(trx: Db, workspaceId: string, named: Named): Promise<ProjectRole | null> {
  const { rows } = await sql<{ role: ProjectRole }>`
    select role from workspace_members where workspace_id = ${workspaceId}
      and group_id is not distinct from ${named.group_id}::uuid
      and person_id is not distinct from ${named.person_id}::uuid`.execute(trx)
  return rows[0]?.role ?? null
}

export async function countMembers(trx: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from workspace_members where workspace_id = ${workspaceId}`.execute(trx)
  return rows[0]?.n ?? 0
}

type NewMember = Named & { within: string | null; role: ProjectRole; addedBy: string }

/** Adds a member, or changes the role of one. */
export async function putMember(trx: Db, workspaceId: string, member: NewMember): Promise<void> {
  const { group_id, person_id, within, role, addedBy } = member
  const already = (await findRole(trx, workspaceId, member)) !== null
  if (!already) {
    await trx
      .insertInto('workspace_members')
      .values({ workspace_id: workspaceId, group_id, person_id, within, role, added_by: addedBy })
      .execute()
    return
  }
  await sql`
    update workspace_members set role = ${role}, within = ${within}::uuid where workspace_id = ${workspaceId}
      and group_id is not distinct from ${group_id}::uuid
      and person_id is not distinct from ${person_id}::uuid`.execute(trx)
}

/** Changes a role. Returns the previous one with the member's name, or null for an unknown member. */
export async function setRole(trx: Db, workspaceId: string, memberId: string, role: ProjectRole) {
  const found = await nameMember(trx, workspaceId, memberId)
  if (found) await trx.updateTable('workspace_members').set({ role }).where('id', '=', memberId).execute()
  return found
}

/** Removes a member. Returns its role and name, or null for an unknown one. */
export async function deleteMember(trx: Db, workspaceId: string, memberId: string) {
  const found = await nameMember(trx, workspaceId, memberId)
  if (found) await trx.deleteFrom('workspace_members').where('id', '=', memberId).execute()
  return found
}

async function nameMember(trx: Db, workspaceId: string, memberId: string) {
  const { rows } = await sql<{ role: ProjectRole; name: string }>`
    select m.role, coalesce(g.name, ${nameOf('u')}) as name from workspace_members m
      left join groups g on g.id = m.group_id left join users u on u.id = m.person_id
    where m.id = ${memberId} and m.workspace_id = ${workspaceId} for update of m`.execute(trx)
  return rows[0] ?? null
}

/** Returns the id of a person's own membership, or null. */
export async function findMembership(db: Db, { id }: Person, workspaceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('workspace_members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', id)
    .executeTakeFirst()
  return row?.id ?? null
}
