import { type Kysely, sql } from 'kysely'
import type { Group, GroupMember } from '#shared/identity/administration/groups.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Page = { skip: number; limit: number }

const columns = sql`g.id, g.name, g.from_directory, json_build_object('id', c.id, 'name', c.name) as company,
  (select count(*)::int from group_members m where m.group_id = g.id) as people`

/** Returns the groups a principal may manage, by company and name. `q` searches both. */
export async function findGroups(
  db: Db,
  principal: Principal,
  { q, skip, limit }: Page & { q: string },
): Promise<{ items: Group[]; total: number }> {
  const words = q.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const found = words.map(
    (word) => sql<boolean>`position(${word} in lower(concat_ws(' ', g.name, c.name))) > 0`,
  )
  const where = sql.join([may(principal, 'read group', 'g'), ...found], sql` and `)
  const { rows } = await sql<Group>`
    select ${columns} from groups g join companies c on c.id = g.company_id where ${where}
    order by lower(c.name), lower(g.name), g.id limit ${limit} offset ${skip}`.execute(db)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from groups g join companies c on c.id = g.company_id where ${where}`.execute(
    db,
  )
  return { items: rows, total: counted[0]?.count ?? 0 }
}

export async function findGroup(db: Db, id: string): Promise<Group | undefined> {
  const { rows } = await sql<Group>`
    select ${columns} from groups g join companies c on c.id = g.company_id where g.id = ${id}`.execute(db)
  return rows[0]
}

/** Inserts a group and returns its id; null when the company already has one with this name. */
export async function insertGroup(trx: Db, company_id: string, name: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into groups (company_id, name) values (${company_id}, ${name})
    on conflict (company_id, lower(name)) where not from_directory do nothing returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** Renames a group. Returns false when the company has another one with this name. */
export async function setGroupName(trx: Db, id: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    update groups g set name = ${name} where id = ${id} and not exists (
      select from groups o where o.company_id = g.company_id and lower(o.name) = lower(${name}) and o.id <> g.id
        and not o.from_directory)
    returning id`.execute(trx)
  return rows.length > 0
}

export async function removeGroup(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('groups').where('id', '=', id).execute()
}

export async function countGroups(trx: Db, companyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from groups where company_id = ${companyId} and not from_directory`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

export async function findMembers(
  db: Db,
  groupId: string,
  { skip, limit }: Page,
): Promise<{ items: GroupMember[]; total: number }> {
  const { rows } = await sql<GroupMember & { total: number }>`
    select u.id, u.username, u.full_name, u.email, count(*) over ()::int as total
    from group_members m join users u on u.id = m.user_id where m.group_id = ${groupId}
    order by lower(coalesce(u.full_name, u.username)), u.id limit ${limit} offset ${skip}`.execute(db)
  const items = rows.map(({ total: _, ...member }) => member)
  return { items, total: rows[0]?.total ?? 0 }
}

/** Adds a member and returns the name; null when the user is not in the company or already in the group. */
export async function insertMember(trx: Db, groupId: string, userId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    with added as (
      insert into group_members (group_id, company_id, user_id)
      select g.id, m.company_id, m.user_id from groups g
      join company_members m on m.company_id = g.company_id and m.user_id = ${userId}
      where g.id = ${groupId} on conflict do nothing returning user_id)
    select coalesce(nullif(trim(u.full_name), ''), u.username) as name from users u join added on added.user_id = u.id`.execute(
    trx,
  )
  return rows[0]?.name ?? null
}

/** Removes a member and returns the name; null when the user was not in the group. */
export async function deleteMember(trx: Db, groupId: string, userId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    with gone as (
      delete from group_members where group_id = ${groupId} and user_id = ${userId} returning user_id)
    select coalesce(nullif(trim(u.full_name), ''), u.username) as name from users u join gone on gone.user_id = u.id`.execute(
    trx,
  )
  return rows[0]?.name ?? null
}

/** Returns whether a user belongs to the group's company. */
export async function isOfCompanyOf(db: Db, groupId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from groups g join company_members m on m.company_id = g.company_id
    where g.id = ${groupId} and m.user_id = ${userId}`.execute(db)
  return rows.length > 0
}
