import { type Kysely, sql } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { ThingKind } from '#shared/identity/grants/decide.ts'
import type { NamedGrant, Who } from '#shared/identity/grants/grants.ts'
import { administeredBy, may, type Principal, reaches } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Shared = { id: string; name: string; from: string }
/** Maximum listed shared things. */
const MAX_LISTED = 10_000

/** Selects the companies of shares, directly or through a group or a person. */
const homesOf = (table: 'assistant_shares' | 'own_tool_shares') => sql`
  select distinct ${sql.ref(table === 'assistant_shares' ? 'share.assistant_id' : 'share.set_id')} as thing,
    coalesce(share.company_id, share.within, named.company_id) as company_id
  from ${sql.table(table)} share left join groups named on named.id = share.group_id`

/** Returns assistants shared in the companies a principal administers. */
export async function listSharedAssistants(db: Db, principal: Principal): Promise<Shared[]> {
  const { rows } = await sql<Shared>`
    select a.id, a.name, string_agg(c.name, ', ' order by lower(c.name)) as "from" from assistants a
    join (${homesOf('assistant_shares')}) h on h.thing = a.id join companies c on c.id = h.company_id
    where ${may(principal, 'manage company', 'c')} group by a.id order by lower(a.name), a.id limit ${MAX_LISTED}`.execute(
    db,
  )
  return rows
}

/** Returns own tools shared in the companies a principal administers. */
export async function listSharedTools(db: Db, principal: Principal): Promise<Shared[]> {
  const { rows } = await sql<Shared>`
    select t.id, v.name, s.name as "from" from own_tools t
    join own_tool_versions v on v.tool_id = t.id and v.version = t.version
    join own_tool_sets s on s.id = t.set_id
    where exists (select from (${homesOf('own_tool_shares')}) h join companies c on c.id = h.company_id
      where h.thing = t.set_id and ${may(principal, 'manage company', 'c')})
    order by lower(v.name), t.id limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** Returns the databases of the installation by name. */
export async function listGrantedDatabases(db: Db): Promise<{ id: string; name: string; from: null }[]> {
  const rows = await db
    .selectFrom('databases')
    .select(['id', 'name'])
    .orderBy('name')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()
  return rows.map((row) => ({ ...row, from: null }))
}

type Row = Omit<NamedGrant, 'who'> & { thing: string; who: NamedGrant['who'] }

/**
 * Returns the grants for things of one kind that a principal may see: those of the installation and of the companies they administer. Grants
 * for other companies are hidden.
 */
export async function findGrants(
  db: Db,
  principal: Principal,
  kind: ThingKind,
  ids: string[],
): Promise<Map<string, NamedGrant[]>> {
  const isSuper = reaches(principal, 'super_admin')
  const own = administeredBy(principal)
  const { rows } = await sql<Row>`
    select g.thing, g.decided_by, g.effect, seen.who,
      case when seen.who = 'others' then '' else coalesce(g.role, g.company_id::text, g.group_id::text, '') end as id,
      case when seen.who = 'others' then null else coalesce(c.name, p.name) end as name
    from grants g left join companies c on c.id = g.company_id left join groups p on p.id = g.group_id
    cross join lateral (select case
      when coalesce(g.role, g.company_id::text, g.group_id::text) is null then 'nobody'
      when g.role is not null or ${isSuper} or coalesce(g.company_id, p.company_id) = any(${own}::uuid[]) then g.who
      else 'others' end as who) seen
    where g.kind = ${kind} and g.thing = any(${ids}::text[])
      and (g.decided_by is null or ${isSuper} or g.decided_by = any(${own}::uuid[]))
    order by g.thing, g.decided_by nulls first, g.effect, lower(coalesce(c.name, p.name, g.role, '')), g.id
    limit 100000`.execute(db)
  const found = new Map<string, NamedGrant[]>()
  for (const { thing, ...grant } of rows) {
    const known = found.get(thing) ?? []
    const isSaid = known.some(
      (one) =>
        one.id === grant.id &&
        one.who === grant.who &&
        one.effect === grant.effect &&
        one.decided_by === grant.decided_by,
    )
    if (!isSaid) known.push(grant)
    found.set(thing, known)
  }
  return found
}

type Decider = { kind: ThingKind; thing: string; decided_by: string | null }
/** A resolved grantee. */
export type Named = Who & { effect: 'allow' | 'refuse' }

/** Replaces one decider's grants of a thing. Concurrent calls are serialised. */
export async function replaceGrants(
  trx: Db,
  { kind, thing, decided_by }: Decider,
  named: Named[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`grants:${kind}:${thing}:${decided_by ?? ''}`}, 0))`.execute(
    trx,
  )
  await sql`delete from grants where kind = ${kind} and thing = ${thing} and decided_by is not distinct from ${decided_by}`.execute(
    trx,
  )
  if (named.length === 0) return
  await trx
    .insertInto('grants')
    .values(
      named.map(({ who, id, effect }) => ({
        ...{ kind, thing, decided_by, effect, who },
        ...{ role: who === 'role' ? id : null, company_id: who === 'company' ? id : null },
        group_id: who === 'group' ? id : null,
      })),
    )
    .execute()
}

/** Returns one decider's grants of a thing for the audit log; null when there are none. */
export async function findDecided(
  trx: Db,
  { kind, thing, decided_by }: Decider,
): Promise<{ allow: string | null; refuse: string | null }> {
  const { rows } = await sql<{ allow: string | null; refuse: string | null }>`
    select string_agg(said.name, ', ' order by said.name) filter (where said.effect = 'allow') as allow,
      string_agg(said.name, ', ' order by said.name) filter (where said.effect = 'refuse') as refuse
    from (select g.effect, coalesce(g.role, c.name, p.name, 'nobody') as name
      from grants g left join companies c on c.id = g.company_id left join groups p on p.id = g.group_id
      where g.kind = ${kind} and g.thing = ${thing} and g.decided_by is not distinct from ${decided_by}
      order by g.id limit 1000) said`.execute(trx)
  return rows[0] ?? { allow: null, refuse: null }
}

/** Returns the names of companies and groups by id. For a company's decision only itself and its groups are found. */
export async function findNamed(
  db: Db,
  decidedBy: string | null,
  { companies, groups }: { companies: string[]; groups: string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from companies where id = any(${companies}::uuid[]) and (${decidedBy}::uuid is null or id = ${decidedBy}::uuid)
    union all
    select id, name from groups where id = any(${groups}::uuid[]) and (${decidedBy}::uuid is null or company_id = ${decidedBy}::uuid)
    order by id limit 1000`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type Stand = { company_id: string; company: string; role: RoleName; groups: string[] }

/** Returns a user's roles and groups in the companies a principal administers. */
export async function findStanding(db: Db, principal: Principal, userId: string): Promise<Stand[]> {
  const { rows } = await sql<Stand>`
    select c.id as company_id, c.name as company, m.role, coalesce((select array_agg(g.name order by lower(g.name)) from group_members n
      join groups g on g.id = n.group_id where n.user_id = m.user_id and n.company_id = c.id), '{}') as groups
    from company_members m join companies c on c.id = m.company_id
    where m.user_id = ${userId} and ${may(principal, 'manage company', 'c')} order by lower(c.name), c.id limit 1000`.execute(
    db,
  )
  return rows
}
