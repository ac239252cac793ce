import { type RawBuilder, sql } from 'kysely'
import {
  type Attention,
  AttentionKind,
  DOCUMENT_DAYS,
  KEY_ENDS_DAYS,
  NAMES_SHOWN,
} from '#shared/lifecycle/overview/overview.ts'
import { WARNS_AT } from '#shared/money/budgets/budgets.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

/** Companies whose conditions are looked for; null for the whole installation. */
export type Companies = string[] | null

/** Returns the conditions that need an administrator, most urgent first. */
export async function findAttention(db: Database, companies: Companies, now: Date): Promise<Attention[]> {
  const found = await Promise.all(
    AttentionKind.options.map(async (kind) => {
      const query = conditions[kind](companies, now)
      if (query === null) return { kind, count: 0, names: [] }
      const { rows } = await sql<{ name: string | null; count: number }>`
        select name, count(*) over ()::int as count from (${query}) needing
        order by lower(name), name limit ${NAMES_SHOWN}`.execute(db)
      return {
        kind,
        count: rows[0]?.count ?? 0,
        names: rows.flatMap(({ name }) => (name === null ? [] : [name])),
      }
    }),
  )
  return found.filter(({ count }) => count > 0)
}

/** Selects the `name` of everything that meets a condition; null when the caller cannot act on it. */
type Condition = (companies: Companies, now: Date) => RawBuilder<unknown> | null

const budgetsAt = (companies: Companies, least: number, below: number) => sql`
  select coalesce((select c.name from companies c where c.id = b.company_id),
    (select g.name from groups g where g.id = b.group_id),
    (select coalesce(nullif(trim(u.full_name), ''), u.username) from users u where u.id = b.user_id),
    (select a.name from assistants a where a.id::text = b.assistant_id),
    (select k.name from access_keys k where k.id = b.key_id)) as name
  from budgets b
  where b.period <> 'reply' and b.kind <> 'project' and b.amount > 0 and b.since = period_start(b.period, clock_timestamp())
    and b.spent >= b.amount * ${least}::numeric and b.spent < b.amount * ${below}::numeric
    and (${companies === null} or b.company_id = any(${companies ?? []}::uuid[])
      or b.group_id in (select id from groups where company_id = any(${companies ?? []}::uuid[])))`

const webhooks = (companies: Companies, state: RawBuilder<unknown>) => sql`
  select w.name from webhooks w where ${state}
    and (${companies === null} or w.company_id = any(${companies ?? []}::uuid[]))`

/** SQL condition: the person belongs to one of the companies. */
const isMember = (companies: Companies, userId: RawBuilder<unknown>) => sql`(${companies === null}
  or exists (select from company_members m where m.user_id = ${userId} and m.company_id = any(${companies ?? []}::uuid[])))`

const daysFrom = (now: Date, days: number) => new Date(now.getTime() + days * 86_400_000)

const conditions: Record<AttentionKind, Condition> = {
  budgets_spent: (companies) => budgetsAt(companies, 1, 1e9),
  budgets_near: (companies) => budgetsAt(companies, WARNS_AT, 1),
  webhooks_off: (companies) => webhooks(companies, sql`w.gave_up_at is not null and not w.is_on`),
  webhooks_failing: (companies) => webhooks(companies, sql`w.failing_since is not null and w.is_on`),
  directories_refused: (companies) => sql`
    select c.name from scim_tokens s join companies c on c.id = s.company_id
    where s.refused_at is not null and (${companies === null} or c.id = any(${companies ?? []}::uuid[]))`,
  retention_failed: (companies) =>
    companies === null
      ? sql`select null::text as name from retention_runs where finished_at is null and failed_at is not null`
      : null,
  mcp_failing: (companies) => sql`
    select s.name from mcp_health h join own_tool_sets s on s.id = h.set_id
    where h.answering_since is null and h.failed_at is not null and (${companies === null} or exists (
      select from own_tool_shares share left join groups named on named.id = share.group_id where share.set_id = s.id
        and coalesce(share.company_id, share.within, named.company_id) = any(${companies ?? []}::uuid[])))`,
  documents_failed: (companies, now) => sql`
    select null::text as name from documents d
    where d.status = 'failed' and ${isPresent('document', 'd')} and d.updated_at > ${daysFrom(now, -DOCUMENT_DAYS)}
      and ${isMember(companies, sql`d.user_id`)}`,
  companies_without_admin: (companies) =>
    companies === null
      ? sql`select c.name from companies c
          where exists (select from company_members m where m.company_id = c.id)
            and not exists (select from company_members m where m.company_id = c.id and m.role <> 'member')`
      : null,
  mail_untested: (companies) =>
    companies === null
      ? sql`select null::text as name where not exists (
          select from setup_steps where step = 'mail' and outcome = 'done')`
      : null,
  admins_without_second_step: (companies) => sql`
    select coalesce(nullif(trim(u.full_name), ''), u.username) as name from users u
    where u.deactivated_at is null and exists (select from company_members m
        where m.user_id = u.id and m.role <> 'member'
          and (${companies === null} or m.company_id = any(${companies ?? []}::uuid[])))
      and not exists (select from code_apps a where a.user_id = u.id and a.confirmed_at is not null)
      and not exists (select from passkeys p where p.user_id = u.id)`,
  keys_ending: (companies, now) => sql`
    select k.name || ' · ' || coalesce(nullif(trim(u.full_name), ''), u.username) as name
    from access_keys k join users u on u.id = k.user_id
    where k.kind in ('key', 'embed') and k.revoked_at is null
      and k.expires_at between ${now} and ${daysFrom(now, KEY_ENDS_DAYS)}
      and ${isMember(companies, sql`k.user_id`)}`,
}
