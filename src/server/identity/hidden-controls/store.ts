import { type Kysely, sql, type Transaction } from 'kysely'
import type { Control } from '#shared/platform/controls.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** The names of those from whom a control is hidden in a company. */
export type HiddenFrom = { everyone: boolean; groups: { id: string; name: string }[] }
type Row = HiddenFrom & { control: string; by_installation: boolean }

/**
 * Returns the controls that are hidden from a person, without those inside them. One rule is enough. Rules for everyone skip the
 * administrators of the company, and those of any company for the installation; rules for a group reach all of its members.
 */
export async function findHiddenFrom(db: Db, userId: string): Promise<Set<string>> {
  const { rows } = await sql<{ control: string }>`
    select control from hidden_controls
    where group_id in (select group_id from group_members where user_id = ${userId})
    union
    select h.control from hidden_controls h join company_members m on m.company_id = h.company_id
    where m.user_id = ${userId} and m.role = 'member'
      and not exists (select from company_members a where a.user_id = m.user_id and a.role = 'super_admin')
    union
    select control from hidden_controls where company_id is null and group_id is null
      and not exists (select from company_members a where a.user_id = ${userId} and a.role <> 'member')
    order by control limit 1000`.execute(db)
  return new Set(rows.map(({ control }) => control))
}

/** Returns what a company and the installation hide, by control; one control if it is given. */
export async function findHiddenIn(db: Db, companyId: string, control?: Control): Promise<Row[]> {
  const only = control ? sql`h.control = ${control}` : sql`true`
  const { rows } = await sql<Row>`
    select h.control, bool_or(h.company_id is not null) as everyone,
      bool_or(h.company_id is null and h.group_id is null) as by_installation,
      coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name), g.id)
        filter (where g.id is not null), '[]') as groups
    from hidden_controls h left join groups g on g.id = h.group_id
    where ${only} and (h.company_id = ${companyId} or g.company_id = ${companyId}
      or (h.company_id is null and h.group_id is null))
    group by h.control order by h.control limit 1000`.execute(db)
  return rows
}

export async function findHiddenEverywhere(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ control: string }>`
    select control from hidden_controls where company_id is null and group_id is null
    order by control limit 1000`.execute(db)
  return new Set(rows.map(({ control }) => control))
}

/** Locks a company and returns its name; undefined when it is unknown. */
export async function lockCompanyForHiding(trx: Trx, id: string): Promise<string | undefined> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst())?.name
}

/** Replaces who a control is hidden from in a company. Groups of other companies are ignored. */
export async function replaceHidden(
  trx: Trx,
  companyId: string,
  control: Control,
  { everyone, groupIds }: { everyone: boolean; groupIds: string[] },
): Promise<void> {
  await sql`delete from hidden_controls h where h.control = ${control} and (h.company_id = ${companyId}
    or h.group_id in (select id from groups where company_id = ${companyId}))`.execute(trx)
  await sql`insert into hidden_controls (control, company_id, group_id)
    select ${control}, ${companyId}::uuid, null where ${everyone}
    union all select ${control}, null, g.id from groups g
    where g.company_id = ${companyId} and g.id = any(${groupIds}::uuid[])`.execute(trx)
}

/** Hides a control everywhere, or shows it. Returns whether that changed something. */
export async function setHiddenEverywhere(trx: Trx, control: Control, everyone: boolean): Promise<boolean> {
  const change = everyone
    ? sql`insert into hidden_controls (control) values (${control}) on conflict do nothing returning id`
    : sql`delete from hidden_controls where control = ${control} and company_id is null and group_id is null returning id`
  return (await change.execute(trx)).rows.length > 0
}
