import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Facts = {
  connected_at: Date | null
  last_used_at: Date | null
  people: number
  groups: number
  changed_name: string | null
  changed_at: Date | null
  refused: string | null
  refused_at: Date | null
}

export async function readDirectory(db: Db, companyId: string): Promise<Facts> {
  const { rows } = await sql<Facts>`select t.created_at as connected_at, t.last_used_at,
      (select count(*)::int from scim_users u where u.company_id = c.id) as people,
      (select count(*)::int from scim_groups g where g.company_id = c.id) as groups,
      last.user_name as changed_name, last.updated_at as changed_at, t.refused, t.refused_at
    from companies c left join scim_tokens t on t.company_id = c.id
      left join lateral (select user_name, updated_at from scim_users u where u.company_id = c.id
        order by updated_at desc, user_name limit 1) last on true
    where c.id = ${companyId}`.execute(db)
  const [found] = rows
  if (!found) throw new Error(`company ${companyId} is gone`)
  return found
}

export async function putToken(trx: Db, companyId: string, hash: Buffer, now: Date): Promise<void> {
  await sql`insert into scim_tokens (company_id, token_hash, created_at) values (${companyId}, ${hash}, ${now})
    on conflict (company_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
      last_used_at = null, refused = null, refused_at = null`.execute(trx)
}

/** Stores why a directory's change was refused. */
export async function noteRefusal(db: Db, companyId: string, why: string, now: Date): Promise<void> {
  await sql`update scim_tokens set refused = ${why}, refused_at = ${now} where company_id = ${companyId}`.execute(
    db,
  )
}

/** Deletes the token. Returns whether there was one. */
export async function dropToken(trx: Db, companyId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from scim_tokens where company_id = ${companyId}`.execute(trx)
  return numAffectedRows === 1n
}

/** Resolves a SCIM token to its company; updates the last use at most once a minute. */
export async function findCompany(db: Db, hash: Buffer, now: Date): Promise<string | null> {
  const { rows } = await sql<{ company_id: string; is_stale: boolean }>`
    select company_id, coalesce(last_used_at < ${new Date(now.getTime() - 60_000)}, true) as is_stale
    from scim_tokens where token_hash = ${hash}`.execute(db)
  const [found] = rows
  if (found?.is_stale)
    await sql`update scim_tokens set last_used_at = ${now} where token_hash = ${hash}`.execute(db)
  return found?.company_id ?? null
}

export async function companyName(db: Db, id: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from companies where id = ${id}`.execute(db)
  return rows[0]?.name ?? ''
}
