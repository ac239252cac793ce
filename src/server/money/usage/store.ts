import { type RawBuilder, sql } from 'kysely'
import type { UsageBy, UsageShare } from '#shared/money/usage/usage.ts'
import type { Database } from '../../platform/db/db.ts'

/** UTC days (both inclusive), companies and a person; null for all. */
export type UsageScope = { from: string; to: string; companies: string[] | null; userId: string | null }

type Sums = { amount: number; tokens: number; calls: number }

const sums = sql`coalesce(sum(used.amount), 0)::float8 as amount,
  coalesce(sum(used.input_tokens + used.output_tokens), 0)::float8 as tokens, coalesce(sum(used.calls), 0)::int as calls`

function isMeant({ from, to, companies, userId }: UsageScope): RawBuilder<boolean> {
  return sql`used.day between ${from}::date and ${to}::date
    and (${companies === null} or used.company_id = any(${companies ?? []}::uuid[]))
    and (${userId}::uuid is null or used.user_id = ${userId}::uuid)`
}

/** Returns the number of users with any usage. */
export async function countPeople(db: Database, scope: UsageScope): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(*)::int as people from (select distinct user_id from usage_days used where ${isMeant(scope)}) used`.execute(
    db,
  )
  return rows[0]?.people ?? 0
}

/** Returns the total cost in dollars. */
export async function sumCost(db: Database, scope: UsageScope): Promise<number> {
  const { rows } = await sql<Pick<Sums, 'amount'>>`
    select coalesce(sum(amount), 0)::float8 as amount from usage_days used where ${isMeant(scope)}`.execute(
    db,
  )
  return rows[0]?.amount ?? 0
}

export type ModelDay = Sums & { day: string; model_name: string | null }

/** Returns the usage per model and day in order, with a single scan. */
export async function sumModelDays(db: Database, scope: UsageScope): Promise<ModelDay[]> {
  const { rows } = await sql<ModelDay>`
    select to_char(day, 'YYYY-MM-DD') as day, model_name, amount, tokens, calls from (
      select day, model_name, ${sums} from usage_days used where ${isMeant(scope)} group by day, model_name) summed
    order by day, amount desc, model_name limit 50000`.execute(db)
  return rows
}

/** The grouping column and its current name, by dimension. */
const shares: Record<UsageBy, { id: RawBuilder<unknown>; name: RawBuilder<unknown>; company?: true }> = {
  user: { id: sql`used.user_id::text`, name: personName(sql`share.id::uuid`), company: true },
  company: { id: sql`used.company_id::text`, name: companyName(sql`share.id::uuid`) },
  group: {
    id: sql`of_group::text`,
    name: sql`(select name from groups g where g.id = share.id::uuid)`,
    company: true,
  },
  model: { id: sql`used.model_name`, name: sql`share.id` },
  tool: { id: sql`used.tool_id`, name: sql`null::text` },
  assistant: {
    id: sql`used.assistant_id`,
    name: sql`(select name from assistants a where a.id::text = share.id)`,
  },
}

function personName(id: RawBuilder<unknown>) {
  return sql`(select coalesce(nullif(trim(full_name), ''), username) from users where users.id = ${id})`
}

/** Returns the name of a person, with the username that tells people of the same name apart. */
function distinctName(id: RawBuilder<unknown>) {
  return sql`(select coalesce(nullif(trim(full_name), '') || ' (' || username || ')', username) from users where users.id = ${id})`
}

function companyName(id: RawBuilder<unknown>) {
  return sql`(select name from companies where companies.id = ${id})`
}

/** Adds a row for each group the user was in, or one for none. */
const inGroups = sql`cross join unnest(case when used.group_ids = '{}' then array[null::uuid] else used.group_ids end) of_group`

/** Returns the usage per item, most expensive first. A user who changed companies has a line for each. */
export async function sumShares(
  db: Database,
  scope: UsageScope,
  by: UsageBy,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: UsageShare[]; total: number }> {
  const { id, name, company } = shares[by]
  const companyId = company ? sql`used.company_id` : sql`null::uuid`
  const { rows } = await sql<UsageShare & { total: number }>`
    select share.id, ${name} as name, ${companyName(sql`share.company_id`)} as company, amount, tokens, calls, total from (
      select ${id} as id, ${companyId} as company_id, ${sums}, count(*) over ()::int as total
      from usage_days used ${by === 'group' ? inGroups : sql``} where ${isMeant(scope)}
      group by 1, 2 order by sum(used.amount) desc, sum(used.calls) desc, 1, 2 limit ${limit} offset ${skip}) share
    order by amount desc, calls desc, share.id, share.company_id`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

export type UsageLine = {
  day: string
  person: string
  company: string | null
  groups: string | null
  model_name: string | null
  assistant: string | null
  tool: string | null
  amount: number
  input_tokens: number
  output_tokens: number
  calls: number
}

const pageSize = 1000

/** Yields all sums of a scope with one page in memory; names are looked up per page. */
export async function* readLines(
  db: Database,
  { from, to, ...who }: UsageScope,
): AsyncGenerator<UsageLine[]> {
  for (let day = from; day <= to; day = dayAfter(day))
    for (let skip = 0; ; skip += pageSize) {
      const rows = await findLines(db, { from: day, to: day, ...who }, skip)
      if (rows.length > 0) yield rows
      if (rows.length < pageSize) break
    }
}

async function findLines(db: Database, scope: UsageScope, skip: number): Promise<UsageLine[]> {
  const { rows } = await sql<UsageLine>`
    select to_char(day, 'YYYY-MM-DD') as day, ${distinctName(sql`used.user_id`)} as person,
      ${companyName(sql`used.company_id`)} as company,
      (select string_agg(name, ', ' order by name) from groups g where g.id = any (used.group_ids)) as groups, model_name,
      coalesce((select name from assistants a where a.id::text = assistant_id), assistant_id) as assistant,
      tool_id as tool, amount, input_tokens, output_tokens, calls
    from (select * from usage_days used where ${isMeant(scope)}
      order by day, user_id, company_id, group_ids, model_name, assistant_id, tool_id limit ${pageSize} offset ${skip}) used
    order by day, used.user_id, used.company_id, used.group_ids, model_name, assistant_id, tool_id`.execute(
    db,
  )
  return rows
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** Returns how many replies had a stated price, and for how many it held, in some UTC days; null for all companies. */
export async function countStated(
  db: Database,
  { from, to, companies, userId }: UsageScope,
): Promise<{ stated: number; inside: number }> {
  const { rows } = await sql<{ stated: number; inside: number }>`
    select count(*)::int as stated, (count(*) filter (where paid between low and high))::int as inside
    from run_prices where low is not null
      and finished_at >= ${from}::timestamp at time zone 'UTC'
      and finished_at < (${to}::date + 1)::timestamp at time zone 'UTC'
      and (${companies === null} or company_id = any(${companies ?? []}::uuid[]))
      and (${userId}::uuid is null or exists (
        select from runs r where r.id = run_prices.run_id and r.user_id = ${userId}::uuid))`.execute(db)
  return rows[0] ?? { stated: 0, inside: 0 }
}
