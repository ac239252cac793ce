import { type Kysely, sql } from 'kysely'
import type {
  CompanyConsequences,
  CompanyFigures,
  CompanyLimits,
} from '#shared/lifecycle/companies/companies.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Wanted = { q: string; skip: number; limit: number; today: string }

/** Returns a page of the companies a principal administers, by name. */
export async function findFigures(
  db: Db,
  principal: Principal,
  { q, skip, limit, today }: Wanted,
): Promise<{ items: CompanyFigures[]; total: number }> {
  const words = q.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const domains = sql`(select string_agg(d.domain, ' ') from company_domains d
    where d.company_id = c.id and d.verified_at is not null)`
  const matches = words.map(
    (word) => sql<boolean>`position(${word} in lower(concat_ws(' ', c.name, ${domains}))) > 0`,
  )
  const found = sql.join([may(principal, 'manage company', 'c'), ...matches], sql` and `)
  const { rows } = await sql<CompanyFigures & { total: number }>`
    with page as (select c.id, c.name, c.max_people, c.storage_mb, count(*) over ()::int as total
      from companies c where ${found} order by lower(c.name), c.id limit ${limit} offset ${skip})
    select page.*,
      (select count(*)::int from company_members m where m.company_id = page.id) as people,
      (select count(*)::int from company_members m where m.company_id = page.id and m.role <> 'member') as admins,
      (select coalesce(nullif(trim(u.full_name), ''), u.username) as name from company_members m
        join users u on u.id = m.user_id where m.company_id = page.id and m.role <> 'member'
        order by lower(coalesce(nullif(trim(u.full_name), ''), u.username)), u.id limit 1) as admin,
      coalesce((select json_agg(domain order by domain) from (select d.domain from company_domains d
        where d.company_id = page.id and d.verified_at is not null order by d.domain limit 3) named), '[]') as domains,
      (select coalesce(sum(amount), 0)::float8 from usage_days used where used.company_id = page.id
        and used.day between date_trunc('month', ${today}::date)::date and ${today}::date) as spent,
      (select amount::float8 from budgets b where b.kind = 'company' and b.company_id = page.id
        and b.period = 'month') as budget
    from page order by lower(page.name), page.id`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

/** Locks a company and returns its name and limits; undefined when it was deleted. */
export async function lockCompany(
  trx: Db,
  id: string,
): Promise<({ name: string } & CompanyLimits) | undefined> {
  const row = trx.selectFrom('companies').select(['name', 'max_people', 'storage_mb']).where('id', '=', id)
  return row.forUpdate().executeTakeFirst()
}

export async function updateLimits(trx: Db, id: string, limits: CompanyLimits): Promise<void> {
  await trx.updateTable('companies').set(limits).where('id', '=', id).execute()
}

/** Returns the number of things that depend on a company. */
export async function countConsequences(db: Db, id: string, now: Date): Promise<CompanyConsequences> {
  const count = (from: ReturnType<typeof sql>) => sql`(select count(*)::int from ${from})`
  const { rows } = await sql<CompanyConsequences>`select
    ${count(sql`company_members where company_id = ${id}`)} as people,
    ${count(sql`company_members m where company_id = ${id} and not exists (
      select from company_members o where o.user_id = m.user_id and o.company_id <> m.company_id)`)} as alone,
    ${count(sql`company_members where company_id = ${id} and role = 'company_admin'`)} as admins,
    ${count(sql`groups where company_id = ${id}`)} as groups,
    ${count(sql`documents where company_id = ${id}`)} as documents,
    ${count(sql`assistant_shares where company_id = ${id}`)} as assistants,
    ${count(sql`own_tools t join own_tool_shares s on s.set_id = t.set_id where s.company_id = ${id}`)} as tools,
    ${count(sql`webhooks where company_id = ${id}`)} as webhooks,
    ${count(sql`invitations where company_id = ${id} and used_at is null and expires_at > ${now}`)} as invitations,
    ${count(sql`budgets where company_id = ${id} or group_id in (select g.id from groups g where g.company_id = ${id})`)} as budgets,
    ${count(sql`company_domains where company_id = ${id}`)} as domains,
    exists (select from scim_tokens where company_id = ${id}) as has_directory`.execute(db)
  if (!rows[0]) throw new Error('a count returned nothing')
  return rows[0]
}
