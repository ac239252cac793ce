import { sql } from 'kysely'
import type { ActivityDay } from '#shared/lifecycle/overview/overview.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Companies } from './attention-store.ts'

/** Returns the activity of each UTC day of a period, both ends included. */
export async function readDays(
  db: Database,
  companies: Companies,
  { from, to }: { from: string; to: string },
): Promise<ActivityDay[]> {
  const { rows } = await sql<ActivityDay>`
    select to_char(days.day, 'YYYY-MM-DD') as day, count(distinct used.user_id)::int as people,
      coalesce(sum(used.calls), 0)::int as calls, coalesce(sum(used.amount), 0)::float8 as amount
    from generate_series(${from}::date, ${to}::date, interval '1 day') as days (day)
    left join usage_days used on used.day = days.day::date
      and (${companies === null} or used.company_id = any(${companies ?? []}::uuid[]))
    group by days.day order by days.day limit 366`.execute(db)
  return rows
}

type Figures = { people: number; waiting: number; month: number; budget: number | null }

/** Returns the number of active accounts and of waiting chats, and the month's spending with its budget in dollars. */
export async function readFigures(db: Database, companies: Companies, today: string): Promise<Figures> {
  const isOf = (column: string) =>
    sql`(${companies === null} or ${sql.ref(column)} in (
      select m.user_id from company_members m where m.company_id = any(${companies ?? []}::uuid[])))`
  const budget =
    companies === null
      ? sql`kind = 'house'`
      : sql`kind = 'company' and ${companies.length === 1} and company_id = any(${companies}::uuid[])`
  const { rows } = await sql<Figures>`select
    (select count(*)::int from users where deactivated_at is null and ${isOf('users.id')}) as people,
    (select count(distinct r.session_id)::int from input_requests r
      where r.state = 'waiting' and ${isOf('r.user_id')}) as waiting,
    (select coalesce(sum(amount), 0)::float8 from usage_days
      where day >= date_trunc('month', ${today}::date)::date and day <= ${today}::date
        and (${companies === null} or company_id = any(${companies ?? []}::uuid[]))) as month,
    (select amount::float8 from budgets where period = 'month' and ${budget}) as budget`.execute(db)
  return rows[0] ?? { people: 0, waiting: 0, month: 0, budget: null }
}
