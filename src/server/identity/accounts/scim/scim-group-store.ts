import { type Kysely, sql } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { RoleRule } from '../../../platform/config/sign-on-settings.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Wanted } from './read-filter.ts'

type Db = Kysely<Tables>
export type ScimGroupRow = {
  id: string
  display_name: string
  external_id: string | null
  created_at: Date
  updated_at: Date
  members: { value: string; display: string }[]
}

const columns: Record<string, ReturnType<typeof sql>> = {
  id: sql`g.id::text`,
  displayname: sql`lower(g.display_name)`,
  externalid: sql`lower(g.external_id)`,
}
const members = ['members', 'members.value']
export const groupAttributes = [...Object.keys(columns), ...members]

function condition({ attribute, value }: Wanted) {
  if (!members.includes(attribute)) return sql`${columns[attribute] ?? sql`null`} = ${value}`
  return sql`exists (select from scim_group_members m where m.group_id = g.id and m.user_id::text = ${value})`
}

/** Maximum group members in a response. */
const MEMBERS = 10_000
const shown = (withMembers: boolean) =>
  sql`g.id, g.display_name, g.external_id, g.created_at, g.updated_at, ${
    withMembers
      ? sql`coalesce((select jsonb_agg(jsonb_build_object('value', m.user_id, 'display', m.username)) from (
        select m.user_id, u.username from scim_group_members m join users u on u.id = m.user_id
        where m.group_id = g.id order by m.user_id limit ${MEMBERS}) m), '[]')`
      : sql`'[]'::jsonb`
  } as members`

export async function listGroups(
  db: Db,
  companyId: string,
  wanted: Wanted[],
  { skip, limit, withMembers }: { skip: number; limit: number; withMembers: boolean },
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const where = sql.join([sql`g.company_id = ${companyId}`, ...wanted.map(condition)], sql` and `)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from scim_groups g where ${where}`.execute(db)
  const { rows } = await sql<ScimGroupRow>`select ${shown(withMembers)} from scim_groups g where ${where}
    order by g.created_at, g.id limit ${limit} offset ${skip}`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findGroup(
  db: Db,
  companyId: string,
  id: string,
  withMembers: boolean,
): Promise<ScimGroupRow | null> {
  const wanted = [{ attribute: 'id', value: id.toLowerCase() }]
  const { rows } = await listGroups(db, companyId, wanted, { skip: 0, limit: 1, withMembers })
  return rows[0] ?? null
}

/** Inserts a group. Returns null when the name exists. */
export async function insertGroup(
  trx: Db,
  group: { companyId: string; displayName: string; externalId: string | null },
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into scim_groups (company_id, display_name, external_id, created_at, updated_at)
    values (${group.companyId}, ${group.displayName}, ${group.externalId}, ${now}, ${now})
    on conflict (company_id, lower(display_name)) do nothing returning id`.execute(trx)
  return rows[0]?.id ?? null
}

export async function updateGroup(
  trx: Db,
  id: string,
  { displayName, externalId }: { displayName: string; externalId: string | null },
  now: Date,
): Promise<void> {
  await sql`update scim_groups set display_name = ${displayName}, external_id = ${externalId}, updated_at = ${now}
    where id = ${id}`.execute(trx)
}

export async function deleteGroup(trx: Db, id: string): Promise<void> {
  await sql`delete from scim_groups where id = ${id}`.execute(trx)
}

/** Adds company users to a group. Returns the first unknown id, or null. */
export async function addMembers(
  trx: Db,
  companyId: string,
  groupId: string,
  ids: string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`insert into scim_group_members (group_id, user_id)
    select ${groupId}, users.id from users where users.id::text = any(${ids.map((id) => id.toLowerCase())}::text[])
      and (exists (select from scim_users s where s.user_id = users.id and s.company_id = ${companyId})
        or exists (select from company_members m where m.user_id = users.id and m.company_id = ${companyId}))
    on conflict (group_id, user_id) do update set user_id = excluded.user_id returning user_id::text as id`.execute(
    trx,
  )
  const found = new Set(rows.map(({ id }) => id))
  return ids.find((id) => !found.has(id.toLowerCase())) ?? null
}

/** Removes users from a group; all of them when no ids are given. */
export async function removeMembers(trx: Db, groupId: string, ids?: string[]): Promise<void> {
  const which =
    ids === undefined ? sql`true` : sql`user_id::text = any(${ids.map((id) => id.toLowerCase())}::text[])`
  await sql`delete from scim_group_members where group_id = ${groupId} and ${which}`.execute(trx)
}

/** Returns the usernames of a group's members by id. */
export async function readMembers(trx: Db, groupId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ user_id: string; username: string }>`
    select m.user_id, u.username from scim_group_members m join users u on u.id = m.user_id
    where m.group_id = ${groupId} order by m.user_id limit 100000`.execute(trx)
  return new Map(rows.map(({ user_id, username }) => [user_id, username]))
}

const rank = { member: 1, company_admin: 2, super_admin: 3 } satisfies Record<RoleName, number>

/** Returns the highest role granted by rules for a user's groups. */
export async function grantedRole(
  trx: Db,
  companyId: string,
  userId: string,
  rules: RoleRule[],
): Promise<RoleName | null> {
  const { rows } = await sql<{ display_name: string }>`
    select g.display_name from scim_group_members m join scim_groups g on g.id = m.group_id
    where m.user_id = ${userId} and g.company_id = ${companyId} order by g.id limit 10000`.execute(trx)
  const groups = new Set(rows.map(({ display_name }) => display_name))
  const granted = rules.filter(({ group }) => groups.has(group)).map(({ role }) => role)
  return granted.sort((one, other) => rank[other] - rank[one])[0] ?? null
}
