import { type Kysely, sql } from 'kysely'
import type { RunUsage } from '#shared/runs/runs/usage.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Sum = Omit<RunUsage, 'seconds'> & { worked_ms: number }

/** Returns the booked usage of a run and its sub-runs, and its active time before its last rest. */
export async function sumUsage(db: Kysely<Tables>, runId: string): Promise<Sum> {
  const { rows } = await sql<Sum>`
    select (select worked_ms from runs where id = ${runId}) as worked_ms, count(*)::int as calls,
      coalesce(sum(input_tokens), 0)::float8 as input_tokens, coalesce(sum(output_tokens), 0)::float8 as output_tokens,
      coalesce(-sum(amount), 0)::float8 as amount,
      coalesce(bool_or(unpriced), false) as unpriced, coalesce(bool_or(estimated), false) as estimated
    from ledger_entries
    where kind = 'usage' and run_id = any (array(select id from runs where id = ${runId} or parent_run_id = ${runId}))
  `.execute(db)
  if (!rows[0]) throw new Error(`The usage of run ${runId} could not be summed up.`)
  return rows[0]
}
