import { type Kysely, sql } from 'kysely'
import type { Heir } from '#shared/chat/assistants/hand-over.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** Assistants of one owner: a single one, or all shared ones. */
type Of = { ownerId: string; assistantId?: string }
type Page = { q?: string; skip?: number; limit: number }

/** Selects who may edit these assistants through shares: members of editing companies, and administrators. */
const heirsOf = ({ ownerId, assistantId }: Of) => sql`
  select distinct a.id as assistant_id, m.user_id
  from assistants a join assistant_shares share on share.assistant_id = a.id
  join company_members m on m.company_id = share.company_id
  join users heir on heir.id = m.user_id and heir.deactivated_at is null
  where a.user_id = ${ownerId} and m.user_id <> ${ownerId} and (share.access = 'edit' or m.role <> 'member')
    and not exists (select from erasures e where e.user_id = m.user_id)
    ${assistantId ? sql`and a.id = ${assistantId}` : sql``}`

/** Returns possible heirs, those who could inherit most first. */
export async function findHeirs(db: Db, of: Of, { q = '', skip = 0, limit }: Page): Promise<Heir[]> {
  const name = sql`coalesce(nullif(trim(person.full_name), ''), person.username)`
  const { rows } = await sql<Heir>`
    select person.id, ${name} as name, count(*)::int as assistants
    from (${heirsOf(of)}) heir join users person on person.id = heir.user_id
    where strpos(lower(${name}), lower(${q})) > 0
    group by person.id order by assistants desc, name, person.id limit ${limit} offset ${skip}`.execute(db)
  return rows
}

/** Transfers the assistants that the heir may edit, and returns them. */
export async function giveTo(trx: Db, heirId: string, of: Of): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    update assistants set user_id = ${heirId}, is_by_others = true, updated_at = now()
    where id in (select assistant_id from (${heirsOf(of)}) heir where user_id = ${heirId})
    returning id, name`.execute(trx)
  return rows
}

/** Returns the number of assistants of a user that are shared with companies, which can be handed over. */
export async function countShared(db: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from assistants a
    where a.user_id = ${ownerId} and exists (select from assistant_shares s
      where s.assistant_id = a.id and s.company_id is not null)`.execute(db)
  return rows[0]?.n ?? 0
}

export async function nameOfPerson(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(full_name), ''), username) as name from users where id = ${id}`.execute(db)
  return rows[0]?.name ?? null
}
