import { type Kysely, sql } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { Grant, Standing, ThingKind } from '#shared/identity/grants/decide.ts'
import type { Tables } from '../db/tables.ts'

type Db = Kysely<Tables>
/** A grant with the kind and id of its thing. */
export type StoredGrant = Grant & { kind: ThingKind; thing: string }

/** Columns of a grant. A grant whose group or company was deleted applies to no one. */
export const grantColumns = sql`g.kind, g.thing, g.decided_by, g.effect,
  case when coalesce(g.role, g.company_id::text, g.group_id::text) is null then 'nobody' else g.who end as who,
  coalesce(g.role, g.company_id::text, g.group_id::text, '') as id`

/** Reads all grants. Each process caches them and reads them again after a change. */
export async function readGrants(db: Db): Promise<StoredGrant[]> {
  const { rows } = await sql<StoredGrant>`
    select ${grantColumns} from grants g order by g.created_at, g.id limit 1000000`.execute(db)
  return rows
}

export async function readStanding(db: Db, userId: string): Promise<Standing> {
  const { rows } = await sql<{ id: string; role: RoleName; groups: string[] }>`
    select m.company_id as id, m.role, coalesce((select array_agg(g.group_id order by g.group_id) from group_members g
      where g.user_id = m.user_id and g.company_id = m.company_id), '{}')::text[] as groups
    from company_members m where m.user_id = ${userId} order by m.company_id limit 10000`.execute(db)
  return {
    companies: rows.map(({ id, role }) => ({ id, role })),
    groups: rows.flatMap(({ groups }) => groups),
  }
}
