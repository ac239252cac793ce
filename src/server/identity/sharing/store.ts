import { type Kysely, sql } from 'kysely'
import type { Access, Share } from '#shared/identity/sharing/sharing.ts'
import { MAX_SHARES } from '#shared/identity/sharing/sharing.ts'
import { administeredBy, companiesOf, may } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Resolved } from './may-share.ts'
import type { Reach } from './recipient-store.ts'

type Db = Kysely<Tables>
/** A thing with shares of its own. */
export type Shared = { kind: 'assistant' | 'tool-set' | 'prompt'; id: string }

const tables = {
  assistant: { things: 'assistants', shares: 'assistant_shares', thing: 'assistant_id' },
  prompt: { things: 'prompts', shares: 'prompt_shares', thing: 'prompt_id' },
  'tool-set': { things: 'own_tool_sets', shares: 'own_tool_shares', thing: 'set_id' },
} as const

const nameOf = (person: string) =>
  sql`coalesce(nullif(trim(${sql.ref(`${person}.full_name`)}), ''), ${sql.ref(`${person}.username`)})`
/** Shares of tool sets have no access column. */
const accessOf = ({ kind }: Shared) => (kind === 'tool-set' ? sql`'use'` : sql`s.access`)

/** Returns the name and the owner of a thing and locks it, so that concurrent shares are counted one after the other. */
export async function lockThing(trx: Db, { kind, id }: Shared): Promise<{ name: string; user_id: string }> {
  const { rows } = await sql<{ name: string; user_id: string }>`
    select name, user_id from ${sql.table(tables[kind].things)} where id = ${id} for update`.execute(trx)
  const [row] = rows
  if (!row) throw new Error(`${kind} ${id} is gone`)
  return row
}

type Row = Omit<Share, 'created_at'> & { created_at: Date }

/** Returns the shares of a thing: everybody first, then by kind and name. Groups and people of other companies have no name. */
export async function listShares(db: Db, user: Caller, reach: Reach, thing: Shared): Promise<Share[]> {
  const { shares, things, thing: column } = tables[thing.kind]
  const own = sql`any(${companiesOf(user)}::uuid[])`
  const administered = sql`any(${administeredBy(user)}::uuid[])`
  const project = projectOf(user, thing)
  const { rows } = await sql<Row>`
    select found.id, found.who, case when found.is_seen then found.recipient_id end as recipient_id,
      case when found.is_seen then found.name end as name, case when found.is_seen then found.company end as company,
      found.access, found.shared_by, found.created_at, found.can_remove
    from (select s.id, s.created_at, ${accessOf(thing)} as access, ${nameOf('sharer')} as shared_by,
        case when s.everybody then 'everybody' when s.company_id is not null then 'company'
          when s.group_id is not null then 'group' when s.person_id is not null then 'person' else 'project' end as who,
        coalesce(s.company_id, s.group_id, s.person_id, ${project.id}) as recipient_id,
        coalesce(c.name, g.name, ${nameOf('person')}, ${project.name}) as name, home.name as company,
        (case when ${project.id} is not null then ${project.isSeen} else ${reach.anywhere} or s.company_id is not null or s.shared_by = ${user.id} or g.company_id = ${own}
          or exists (select from company_members m where m.user_id = s.person_id and m.company_id = ${own}) end) as is_seen,
        (${reach.anywhere} or thing.user_id = ${user.id} or s.shared_by = ${user.id}
          or coalesce(s.company_id, g.company_id, s.within) = ${administered}) is true as can_remove
      from ${sql.table(shares)} s
      join ${sql.table(things)} thing on thing.id = ${sql.ref(`s.${column}`)}
      left join companies c on c.id = s.company_id left join groups g on g.id = s.group_id
      left join users person on person.id = s.person_id
      left join companies home on home.id = coalesce(g.company_id, s.within)
      ${project.join}
      left join users sharer on sharer.id = coalesce(s.shared_by, thing.user_id)
      where ${sql.ref(`s.${column}`)} = ${thing.id}) found
    order by array_position(array['everybody', 'project', 'company', 'group', 'person'], found.who), lower(found.name), found.id
    limit ${MAX_SHARES}`.execute(db)
  return rows.map(({ created_at, ...share }) => ({ ...share, created_at: created_at.toISOString() }))
}

export async function countShares(trx: Db, { kind, id }: Shared): Promise<number> {
  const { shares, thing } = tables[kind]
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(shares)} where ${sql.ref(thing)} = ${id}`.execute(trx)
  return rows[0]?.n ?? 0
}

/** The project of a share `s`. Only prompts have shares with projects. */
function projectOf(user: Caller, { kind }: Shared) {
  const none = sql`null::uuid`
  if (kind !== 'prompt') return { id: none, name: sql`null::text`, isSeen: sql`false`, join: sql`` }
  return {
    id: sql`s.workspace_id`,
    name: sql`project.name`,
    isSeen: may(user, 'read workspace', 'project'),
    join: sql`left join workspaces project on project.id = s.workspace_id`,
  }
}

/** Removes the share with a recipient. Returns its access, or null if there was none. */
export async function takeShare(trx: Db, thing: Shared, to: Resolved): Promise<Access | null> {
  const { shares, thing: column } = tables[thing.kind]
  const { rows } = await sql<{ access: Access }>`
    delete from ${sql.table(shares)} s where ${sql.ref(`s.${column}`)} = ${thing.id}
      and s.everybody = ${to.everybody} and s.company_id is not distinct from ${to.company_id}
      and s.group_id is not distinct from ${to.group_id} and s.person_id is not distinct from ${to.person_id}
      ${thing.kind === 'prompt' ? sql`and s.workspace_id is not distinct from ${to.workspace_id}` : sql``}
    returning ${accessOf(thing)} as access`.execute(trx)
  return rows[0]?.access ?? null
}

export async function insertShare(
  trx: Db,
  thing: Shared,
  { name: _, home: __, workspace_id, ...to }: Resolved,
  { access, sharedBy }: { access: Access; sharedBy: string },
): Promise<void> {
  const row = { ...to, shared_by: sharedBy }
  if (thing.kind === 'assistant')
    await trx
      .insertInto('assistant_shares')
      .values({ ...row, access, assistant_id: thing.id })
      .execute()
  else if (thing.kind === 'prompt')
    await trx
      .insertInto('prompt_shares')
      .values({ ...row, access, workspace_id, prompt_id: thing.id })
      .execute()
  else
    await trx
      .insertInto('own_tool_shares')
      .values({ ...row, set_id: thing.id })
      .execute()
}

/** Returns whether tools of a set run without asking, by a decision of its owner. */
export async function runsUnasked(trx: Db, setId: string): Promise<boolean> {
  const { rows } =
    await sql`select from own_tools where set_id = ${setId} and policy = 'auto' limit 1`.execute(trx)
  return rows.length > 0
}

export async function removeShare(trx: Db, { kind, id }: Shared, shareId: string): Promise<void> {
  const { shares, thing } = tables[kind]
  await sql`delete from ${sql.table(shares)} where id = ${shareId} and ${sql.ref(thing)} = ${id}`.execute(trx)
}
