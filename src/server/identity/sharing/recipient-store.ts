import { type Kysely, sql } from 'kysely'
import type { FoundRecipient } from '#shared/identity/sharing/sharing.ts'
import { administeredBy, companiesOf, may } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'

type Db = Kysely<Tables>
/** The reach of a person who shares: anywhere, or these companies. */
export type Reach = { anywhere: boolean; companies: string[] }
type Wanted = { q: string; limit: number; withProjects: boolean }

/** Returns companies, groups and people within reach, and projects, whose name contains the words; at most `limit` of each. */
export async function searchRecipients(
  db: Db,
  user: Caller,
  { anywhere, companies }: Reach,
  { q, limit, withProjects }: Wanted,
): Promise<{ items: FoundRecipient[]; has_more: boolean }> {
  const words = q.trim().toLowerCase()
  const has = (text: ReturnType<typeof sql>) => sql`strpos(lower(${text}), ${words}) > 0`
  const name = sql`coalesce(nullif(trim(u.full_name), ''), u.username)`
  const within = (company: ReturnType<typeof sql>) =>
    sql`(${anywhere} or ${company} = any(${companies}::uuid[]))`
  const isManaged = sql`(${anywhere} or exists (select from company_members m where m.user_id = u.id
    and m.company_id = any(${administeredBy(user)}::uuid[])))`
  const { rows } = await sql<FoundRecipient & { place: number }>`
    (select 'company' as who, 1 as kind, c.id, c.name, null as detail, row_number() over (order by lower(c.name), c.id)::int as place
      from companies c where ${within(sql`c.id`)} and ${has(sql`c.name`)} order by place limit ${limit + 1})
    union all (select 'group', 2, g.id, g.name, c.name, row_number() over (order by lower(g.name), g.id)::int as place
      from groups g join companies c on c.id = g.company_id
      where ${within(sql`g.company_id`)} and ${has(sql`g.name || ' ' || c.name`)} order by place limit ${limit + 1})
    union all (select 'person', 3, u.id, ${name}, case when ${isManaged} then u.email else u.username end,
        row_number() over (order by lower(${name}), u.id)::int as place
      from users u where u.id <> ${user.id} and u.deactivated_at is null
        and (${anywhere} or exists (select from company_members m where m.user_id = u.id
          and m.company_id = any(${companies}::uuid[])))
        and ${has(sql`${name} || ' ' || u.username || case when ${isManaged} then ' ' || u.email else '' end`)}
      order by place limit ${limit + 1})
    ${withProjects ? sql`union all (${projects(user, has(sql`w.name`), limit + 1)})` : sql``}
    order by kind, place limit 200`.execute(db)
  const items = rows
    .filter(({ place }) => place <= limit)
    .map(({ who, id, name, detail }) => ({ who, id, name, detail }))
  return { items, has_more: items.length < rows.length }
}

/** Selects projects to which a person may add documents. */
function projects(user: Caller, has: ReturnType<typeof sql>, limit: number) {
  return sql`select 'project', 0, w.id, w.name,
      case when w.user_id <> ${user.id} then coalesce(nullif(trim(owner.full_name), ''), owner.username) end,
      row_number() over (order by lower(w.name), w.id)::int as place
    from workspaces w join users owner on owner.id = w.user_id
    where not w.is_default and ${may(user, 'write workspace', 'w')} and ${has} order by place limit ${limit}`
}

/** Returns the name of a project to which a person may add documents, and locks it until the transaction ends; otherwise null. */
export async function findProject(trx: Db, user: Caller, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from workspaces w where id = ${id} and not is_default and ${may(user, 'write workspace', 'w')}
    for key share`.execute(trx)
  return rows[0]?.name ?? null
}

/** Returns the companies in which a person may share: those they administer, and those that let members share. */
export async function listSharingCompanies(db: Db, user: Caller): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = any(${companiesOf(user)}::uuid[])
      and (members_share or id = any(${administeredBy(user)}::uuid[]))
    order by id limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}

type Found = { name: string; companies: string[] }

/** Returns a company, group or active person with its companies, and locks it until the transaction ends. */
export async function findRecipient(
  trx: Db,
  who: 'company' | 'group' | 'person',
  id: string,
): Promise<Found | undefined> {
  const queries = {
    company: sql<Found>`select name, array[id] as companies from companies where id = ${id} for key share`,
    group: sql<Found>`select name, array[company_id] as companies from groups where id = ${id} for key share`,
    person: sql<Found>`select coalesce(nullif(trim(full_name), ''), username) as name,
        array(select m.company_id from company_members m where m.user_id = users.id order by m.company_id) as companies
      from users where id = ${id} and deactivated_at is null
        and not exists (select from erasures e where e.user_id = users.id) for key share of users`,
  }
  return (await queries[who].execute(trx)).rows[0]
}
