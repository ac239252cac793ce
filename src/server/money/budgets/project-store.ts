import { type Kysely, sql } from 'kysely'
import type { ProjectSpending } from '#shared/money/budgets/project-spending.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns what a project has spent in this month of UTC, and its budgets: that of a day, then that of a month. */
export async function findProjectBudgets(db: Db, projectId: string): Promise<ProjectSpending> {
  const { rows: sums } = await sql<{ spent: number }>`
    select coalesce(-sum(amount), 0)::float8 as spent from ledger_entries
    where kind = 'usage' and workspace_id = ${projectId}
      and created_at >= period_start('month', clock_timestamp())::timestamp at time zone 'UTC'`.execute(db)
  const { rows: budgets } = await sql<ProjectSpending['budgets'][number]>`
    select b.period, b.amount::float8 as amount,
      case when b.since = period_start(b.period, clock_timestamp()) then b.spent::float8 else 0 end as spent,
      to_char(period_start(b.period, clock_timestamp())
        + case b.period when 'day' then interval '1 day' else interval '1 month' end, 'YYYY-MM-DD"T00:00:00.000Z"') as until
    from budgets b where b.workspace_id = ${projectId} order by b.period limit 2`.execute(db)
  return { spent_this_month: sums[0]?.spent ?? 0, budgets }
}

/** Removes a budget of a project. Returns its amount, or null when there was none. */
export async function removeProjectBudget(
  trx: Db,
  projectId: string,
  period: 'day' | 'month',
): Promise<string | null> {
  const { rows } = await sql<{ amount: string }>`
    delete from budgets where workspace_id = ${projectId} and period = ${period}
    returning trim_scale(amount)::text as amount`.execute(trx)
  return rows[0]?.amount ?? null
}
