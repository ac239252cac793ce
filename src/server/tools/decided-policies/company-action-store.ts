import { type Kysely, sql } from 'kysely'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Row = { tool_id: string; policy: Exclude<ToolPolicy, 'auto'> }

export async function listCompanyPolicies(db: Db, companyId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select tool_id, policy from company_tool_policies
    where company_id = ${companyId} order by tool_id limit 100`.execute(db)
  return rows
}

/** Returns the policies of all companies of a person. */
export async function listPoliciesOfCompanies(db: Db, userId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select distinct p.tool_id, p.policy from company_members m
    join company_tool_policies p on p.company_id = m.company_id
    where m.user_id = ${userId} order by 1, 2 limit 1000`.execute(db)
  return rows
}

type Wish = { companyId: string; toolId: string; policy: ToolPolicy }

export async function storeCompanyPolicy(
  trx: Db,
  { companyId, toolId, policy }: Wish,
  now: Date,
): Promise<void> {
  if (policy === 'auto') {
    await sql`delete from company_tool_policies where company_id = ${companyId} and tool_id = ${toolId}`.execute(
      trx,
    )
    return
  }
  await sql`insert into company_tool_policies (company_id, tool_id, policy, changed_at)
    values (${companyId}, ${toolId}, ${policy}, ${now})
    on conflict (company_id, tool_id) do update set policy = excluded.policy, changed_at = excluded.changed_at`.execute(
    trx,
  )
}
