import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Trx = Kysely<Tables>
type Merge = { from: string; into: string }

/** Moves the people of a company. Its company admins become members; a super admin stays one. */
export async function movePeople(trx: Trx, { from, into }: Merge): Promise<void> {
  await sql`insert into company_members as m (company_id, user_id, role)
    select ${into}, user_id, case when role = 'super_admin' then role else 'member' end
    from company_members where company_id = ${from}
    on conflict (company_id, user_id) do update set role = excluded.role
    where excluded.role = 'super_admin'`.execute(trx)
}

/** Moves groups with their members. A name that the other company has gets the company's name added. */
export async function moveGroups(trx: Trx, { from, into }: Merge, name: string): Promise<void> {
  await sql`update groups g set company_id = ${into}, from_directory = false,
      name = case when taken.is_taken then left(g.name || ' · ' || ${name}, 96)
        || case when taken.place > 1 then ' ' || taken.place else '' end else g.name end
    from (select s.id, row_number() over same as place,
        row_number() over same > 1 or exists (
          select from groups t where t.company_id = ${into} and lower(t.name) = lower(s.name)) as is_taken
      from groups s where s.company_id = ${from} window same as (partition by lower(s.name) order by s.created_at, s.id)) taken
    where g.id = taken.id`.execute(trx)
}

/** Moves shared documents, assistants, tools and prompts. The share for editing replaces the one for use. */
export async function moveShares(trx: Trx, { from, into }: Merge): Promise<void> {
  await sql`update documents set company_id = ${into} where company_id = ${from}`.execute(trx)
  await sql`insert into assistant_shares as s (assistant_id, company_id, access, shared_by, created_at)
    select assistant_id, ${into}, access, shared_by, created_at from assistant_shares where company_id = ${from}
    on conflict (assistant_id, company_id) do update set access = 'edit' where excluded.access = 'edit'`.execute(
    trx,
  )
  await sql`insert into own_tool_shares (set_id, company_id, shared_by, created_at)
    select set_id, ${into}, shared_by, created_at from own_tool_shares where company_id = ${from} on conflict do nothing`.execute(
    trx,
  )
  await sql`insert into prompt_shares as s (prompt_id, company_id, access, shared_by, created_at)
    select prompt_id, ${into}, access, shared_by, created_at from prompt_shares where company_id = ${from}
    on conflict (prompt_id, company_id) do update set access = 'edit' where excluded.access = 'edit'`.execute(
    trx,
  )
  await sql`update connectors set company_id = ${into} where company_id = ${from}`.execute(trx)
  await sql`insert into connector_shares (connector_id, company_id)
    select connector_id, ${into} from connector_shares where company_id = ${from} on conflict do nothing`.execute(
    trx,
  )
  await sql`update connector_shares set within = ${into} where within = ${from}`.execute(trx)
  await sql`update prompt_shares set within = ${into} where within = ${from}`.execute(trx)
  await sql`update assistant_shares set within = ${into} where within = ${from}`.execute(trx)
  await sql`update own_tool_shares set within = ${into} where within = ${from}`.execute(trx)
}

/**
 * Moves webhooks, invitations, mail domains, announcements and the grants that name the company. Nothing of it reaches into the other
 * company by itself: webhooks are off until one of its administrators turns them on, and invitations make members.
 */
export async function moveRules(trx: Trx, { from, into }: Merge): Promise<void> {
  await sql`update webhooks set company_id = ${into}, is_on = false where company_id = ${from}`.execute(trx)
  await sql`update invitations set company_id = ${into},
    role = case when role = 'super_admin' then role else 'member' end where company_id = ${from}`.execute(trx)
  await sql`update company_domains d set company_id = ${into} where company_id = ${from} and not exists (
    select from company_domains o where o.company_id = ${into} and o.domain = d.domain)`.execute(trx)
  await sql`update announcements set company_ids = array(
      select distinct case when id = ${from} then ${into}::uuid else id end from unnest(company_ids) id)
    where ${from}::uuid = any (company_ids)`.execute(trx)
  await sql`update grants g set company_id = ${into} where company_id = ${from} and not exists (
    select from grants o where o.company_id = ${into} and o.kind = g.kind and o.thing = g.thing
      and o.decided_by is not distinct from g.decided_by)`.execute(trx)
  await sql`delete from grants where company_id = ${from}`.execute(trx)
}

/** Moves the recorded usage, and adds what was spent in this period to the budgets of the other company. */
export async function moveUsage(trx: Trx, { from, into }: Merge): Promise<void> {
  await sql`update budgets b set spent = b.spent + coalesce((
      select sum(used.amount) from usage_days used where used.company_id = ${from} and used.day >= b.since), 0)
    where b.company_id = ${into} and b.kind = 'company' and b.period <> 'reply'
      and b.since = period_start(b.period, clock_timestamp())`.execute(trx)
  await sql`update ledger_entries set company_id = ${into} where company_id = ${from}`.execute(trx)
  await sql`update run_prices set company_id = ${into} where company_id = ${from}`.execute(trx)
}

/**
 * Deletes a company. Its rows follow by their foreign keys; an announcement to it alone reaches no one. Rules for groups of sign-on
 * providers go too: in another company they would take roles from its people.
 */
export async function removeCompany(trx: Trx, id: string): Promise<void> {
  await sql`update sign_on_providers set revision = gen_random_uuid(), rules = (
      select coalesce(jsonb_agg(rule), '[]') from jsonb_array_elements(rules) rule where rule ->> 'company_id' <> ${id})
    where rules @> jsonb_build_array(jsonb_build_object('company_id', ${id}::text))`.execute(trx)
  await trx.deleteFrom('companies').where('id', '=', id).execute()
}

/** Returns whether a super admin remains without a company. Locks all super admins. */
export async function hasSuperAdminElsewhere(trx: Trx, companyId: string): Promise<boolean> {
  const { rows } = await sql<{ company_id: string }>`
    select company_id from company_members where role = 'super_admin' order by user_id, company_id for update`.execute(
    trx,
  )
  return rows.some(({ company_id }) => company_id !== companyId)
}
