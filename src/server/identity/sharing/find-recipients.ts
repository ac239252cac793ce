import { type Kysely, sql } from 'kysely'
import type { FoundRecipient } from '#shared/identity/sharing/sharing.ts'
import { administeredBy } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Reach } from './may-share.ts'

type Wanted = { q: string; limit: number }

/** Returns companies, groups and people within reach whose name contains the words; at most `limit` of each. */
export async function searchRecipients(
  db: Kysely<Tables>,
  user: Caller,
  { anywhere, companies }: Reach,
  { q, limit }: Wanted,
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
    order by kind, place limit 200`.execute(db)
  const items = rows
    .filter(({ place }) => place <= limit)
    .map(({ who, id, name, detail }) => ({ who, id, name, detail }))
  return { items, has_more: items.length < rows.length }
}
