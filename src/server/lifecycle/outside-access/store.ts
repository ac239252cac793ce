import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type OutsideAccess, OutsideKind } from '#shared/lifecycle/outside-access/outside-access.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

const personName = sql`coalesce(nullif(trim(u.full_name), ''), u.username)`

/** Selects the outside access that a principal may end, one row each. */
function found(principal: Principal, now: Date): RawBuilder<unknown> {
  const ownCompanies = sql`coalesce((select array_agg(name order by name) from (
    select c.name from company_members m join companies c on c.id = m.company_id
    where m.user_id = u.id and ${may(principal, 'manage company', 'c')} order by c.name limit 5) named), '{}')`
  return sql`(
    select k.id, k.kind, k.name, k.user_id, ${personName} as owner, ${ownCompanies} as companies,
      coalesce((select a.name from embeds e join assistants a on a.id = e.assistant_id where e.key_id = k.id), k.hint) as detail,
      case when k.expires_at <= ${now} then 'expired' when u.deactivated_at is not null then 'off' else 'active' end as state,
      k.created_at, k.expires_at, k.last_used_at
    from access_keys k join users u on u.id = k.user_id
    where k.revoked_at is null and ${may(principal, 'manage member-key', 'k')}
    union all
    select w.id, 'webhook', w.name, w.user_id, case when w.user_id is null then null else ${personName} end,
      case when w.user_id is null then array[(select name from companies c where c.id = w.company_id)] else ${ownCompanies} end,
      coalesce(substring(w.url from '^https?://[^/?#]+'), ''), case when w.is_on then 'active' else 'off' end,
      w.created_at, null, (select max(d.created_at) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'arrived')
    from webhooks w left join users u on u.id = w.user_id
    where ${may(principal, 'manage member-webhook', 'w')}
  )`
}

type Row = Omit<OutsideAccess, 'owner' | 'created_at' | 'expires_at' | 'last_used_at'> & {
  user_id: string | null
  owner: string | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}
type Wanted = { kind: OutsideKind | undefined; q: string; skip: number; limit: number; now: Date }

/** Returns a page of outside access, the newest first, with the number of each kind. */
export async function findOutsideAccess(
  db: Db,
  principal: Principal,
  { kind, q, skip, limit, now }: Wanted,
): Promise<{ items: OutsideAccess[]; total: number; counts: Record<OutsideKind, number> }> {
  const words = q.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const matches = words.map(
    (word) => sql<boolean>`position(${word} in lower(concat_ws(' ', one.name, one.owner, one.detail,
      array_to_string(one.companies, ' ')))) > 0`,
  )
  const isMeant = sql.join([sql`true`, ...matches], sql` and `)
  const { rows: counted } = await sql<{ kind: OutsideKind; count: number }>`
    select kind, count(*)::int as count from ${found(principal, now)} one where ${isMeant} group by kind`.execute(
    db,
  )
  const counts = Object.fromEntries(
    OutsideKind.options.map((one) => [one, counted.find((row) => row.kind === one)?.count ?? 0]),
  ) as Record<OutsideKind, number>
  const { rows } = await sql<Row>`
    select * from ${found(principal, now)} one
    where ${isMeant} and (${kind ?? null}::text is null or kind = ${kind ?? null})
    order by created_at desc, id limit ${limit} offset ${skip}`.execute(db)
  const total = kind ? counts[kind] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { items: rows.map(toAccess), total, counts }
}

function toAccess({ user_id, owner, created_at, expires_at, last_used_at, ...row }: Row): OutsideAccess {
  return {
    ...row,
    owner: user_id === null ? null : { id: user_id, name: owner ?? '' },
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

/** Returns a key; undefined when it is revoked. Takes no lock: that of its account comes first. */
export function findKey(trx: Db, id: string) {
  const row = trx.selectFrom('access_keys').select(['name', 'kind', 'user_id']).where('id', '=', id)
  return row.where('revoked_at', 'is', null).executeTakeFirst()
}

/** Returns false when the key was revoked meanwhile. */
export async function revokeKey(trx: Db, id: string, now: Date): Promise<boolean> {
  const key = trx.updateTable('access_keys').set({ revoked_at: now }).where('id', '=', id)
  return (await key.where('revoked_at', 'is', null).executeTakeFirst()).numUpdatedRows > 0n
}

/** Returns a webhook. Takes no lock: that of its owner comes first. */
export function findWebhook(trx: Db, id: string) {
  const row = trx.selectFrom('webhooks').select(['name', 'user_id', 'company_id']).where('id', '=', id)
  return row.executeTakeFirst()
}

/** Returns false when the webhook was deleted meanwhile. */
export async function deleteWebhook(trx: Db, id: string): Promise<boolean> {
  return (await trx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
}
