import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { RetainedKind } from '#shared/lifecycle/retention/retention.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** Kinds that belong to users; the audit log belongs to no user. */
export type OwnedKind = Exclude<RetainedKind, 'audit'>

/** Table, owner, start time and size of each kind, without what a legal hold covers. */
const things: Record<OwnedKind, RawBuilder<unknown>> = {
  chats: sql`select id, user_id, updated_at as since, stored_bytes as bytes from sessions
    where not is_held(user_id, workspace_id)`,
  tool_runs: sql`select id, user_id, coalesce(finished_at, created_at) as since, 0 as bytes from runs
    where kind = 'tool' and parent_run_id is null and not is_held(user_id, null)`,
  files: sql`select id, user_id, created_at as since, size as bytes from media m
      where not is_held(user_id, (select s.workspace_id from runs r join sessions s on s.id = r.session_id where r.id = m.run_id))
    union all select id, user_id, created_at, size from input_files f where run_id is not null
      and not is_held(user_id, (select s.workspace_id from runs r join sessions s on s.id = r.session_id where r.id = f.run_id))`,
  documents: sql`select id, user_id, updated_at as since, size as bytes from documents
    where parent_id is null and connector_id is null and not is_document_held(id, user_id)`,
}

/**
 * Selects users with their retention rule: that of the company their usage is booked to, else that of the installation
 * (`docs/decisions/0017`).
 */
const terms = (kind: OwnedKind) => sql`(
  select u.id as user_id, u.company_id, own.company_id is not null as is_own,
    case when own.company_id is null then house.days else own.days end as days
  from (select id, first_company(id) as company_id from users) u
  left join retention_rules own on own.kind = ${kind} and own.company_id = u.company_id
  left join retention_rules house on house.kind = ${kind} and house.company_id is null)`

/** An expired thing. `since` is its start time when it was found. */
export type Due = { id: string; company_id: string | null; since: Date }

/** Returns the next expired things, oldest first, except the given ones. */
export async function nextDue(
  db: Db,
  kind: OwnedKind,
  { now, except, limit }: { now: Date; except: readonly string[]; limit: number },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select t.id, term.company_id, t.since from (${things[kind]}) t join ${terms(kind)} term using (user_id)
    where term.days is not null and t.since < ${now}::timestamptz - make_interval(days => term.days)
      and t.id <> all(${except}::uuid[])
    order by t.since, t.id limit ${limit}`.execute(db)
  return rows
}

/** Returns the retention of the audit log in days, or null for unlimited. */
export async function auditDays(db: Db): Promise<number | null> {
  const { rows } = await sql<{ days: number }>`select days from retention_rules where kind = 'audit'`.execute(
    db,
  )
  return rows[0]?.days ?? null
}

type Asked = { companyId: string | null; days: number[]; now: Date }

/** Returns how much is older than each number of days, for a company's users or those under the installation's rule. */
export async function olderThan(db: Db, kind: RetainedKind, { companyId, days, now }: Asked) {
  const whose = companyId === null ? sql`not term.is_own` : sql`term.company_id = ${companyId}`
  const from =
    kind === 'audit'
      ? sql`(select at as since, 0 as bytes from audit_entries) t`
      : sql`(${things[kind]}) t join ${terms(kind)} term on term.user_id = t.user_id and ${whose}`
  const { rows } = await sql<{ place: number; items: number; bytes: number }>`
    select width_bucket(extract(epoch from ${now}::timestamptz - t.since) / 86400, ${days}::numeric[]) as place,
      count(*)::int as items, coalesce(sum(t.bytes), 0)::float8 as bytes
    from ${from} group by 1 order by 1 limit 100`.execute(db)
  return days.map((one, at) => {
    const older = rows.filter(({ place }) => place > at)
    return {
      days: one,
      items: older.reduce((sum, { items }) => sum + items, 0),
      bytes: older.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  })
}
