import { type Kysely, sql } from 'kysely'
import type { OwnBudget } from '#shared/money/budgets/budgets.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { budgetColumns } from './store.ts'

/** Returns a page of a user's own limits: their budgets, and those of their assistants and API keys. */
export async function findOwnBudgets(
  db: Kysely<Tables>,
  userId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: OwnBudget[]; total: number }> {
  const { rows } = await sql<OwnBudget & { total: number }>`
    select own.*, count(*) over ()::int as total,
      case when period = 'reply' then null else to_char(period_start(period, clock_timestamp())
        + case period when 'day' then interval '1 day' else interval '1 month' end, 'YYYY-MM-DD"T00:00:00.000Z"') end as until
    from (
      select ${budgetColumns}, false as is_own from budgets b
      where b.user_id = ${userId} or b.key_id in (select id from access_keys where user_id = ${userId} and revoked_at is null)
        or b.assistant_id in (select id::text from assistants where user_id = ${userId})
      union all
      select id, 'key', 'month', id::text, name, monthly_budget::float8, (monthly_budget - left_of_key(id))::float8, true
      from access_keys where user_id = ${userId} and kind = 'key' and revoked_at is null and monthly_budget is not null
    ) own
    order by array_position(array['user', 'assistant', 'key'], kind), name, period, is_own, id
    limit ${limit} offset ${skip}`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}
