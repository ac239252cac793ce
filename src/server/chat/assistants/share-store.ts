import { type AliasedRawBuilder, type Kysely, sql } from 'kysely'
import type { Assistant, ShareAccess } from '#shared/chat/assistants/assistants.ts'
import type { AuditChange } from '#shared/identity/audit/audit.ts'
import { AppError } from '#shared/platform/errors.ts'
import { isAssistantRecipient, may, type Person, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type Share = { company_id: string; access: ShareAccess }
type Shared = Pick<Assistant, 'shared' | 'can_edit' | 'can_share' | 'shared_by'>
/** Share-related facts of an assistant for a principal. */
export type ListedFacts = Shared
export type Facts = Shared & Pick<Assistant, 'shares' | 'version' | 'can_hand_over'>
type FactColumns<T> = { [K in keyof T & string]: AliasedRawBuilder<T[K], K> }[keyof T & string][]

const nameOf = (person: string) =>
  sql`coalesce(nullif(trim(${sql.ref(`${person}.full_name`)}), ''), ${sql.ref(`${person}.username`)})`

/** Returns the fact columns for a list; `alias` is the table's alias in the query. */
export function listedFactsFor(principal: Principal, alias: string): FactColumns<ListedFacts> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return [
    may(principal, 'write assistant', alias).as('can_edit'),
    may(principal, 'manage assistant', alias).as('can_share'),
    sql<boolean>`exists (select from assistant_shares share where share.assistant_id = ${column('id')})`.as(
      'shared',
    ),
    sql<string | null>`case when ${column('user_id')} <> ${idOf(principal)} then (
      select ${nameOf('person')} from assistant_shares share
      join users person on person.id = coalesce(share.shared_by, ${column('user_id')})
      where share.assistant_id = ${column('id')} and ${isAssistantRecipient(principal, column('user_id'))}
      order by share.created_at, share.id limit 1) end`.as('shared_by'),
  ]
}

/** Returns the fact columns for a single assistant. */
export function factsFor(principal: Principal, alias: string): FactColumns<Facts> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const isShared = sql`exists (select from assistant_shares share
    where share.assistant_id = ${column('id')} and share.company_id is not null)`
  return [
    ...listedFactsFor(principal, alias),
    sql<number>`coalesce((select max(v.version) from assistant_versions v where v.assistant_id = ${column('id')}), 0)`.as(
      'version',
    ),
    sql<Assistant['shares']>`coalesce((
      select json_agg(json_build_object('company_id', company.id, 'company', company.name, 'access', share.access)
        order by company.name, company.id)
      from assistant_shares share join companies company on company.id = share.company_id
      where share.assistant_id = ${column('id')}), '[]')`.as('shares'),
    sql<boolean>`(${isShared} and (${column('user_id')} = ${idOf(principal)} or (${may(principal, 'manage assistant', alias)}
      and exists (select from users owner where owner.id = ${column('user_id')} and owner.deactivated_at is not null))))`.as(
      'can_hand_over',
    ),
  ]
}

const idOf = (principal: Principal) => ('company_affiliations' in principal ? (principal as Person).id : null)

/**
 * Replaces the companies an assistant is shared with; `none` ends every other share too. Unchanged ones keep their author. Returns the
 * changes for the audit log.
 */
export async function writeShares(
  trx: Db,
  { id, sharedBy }: { id: string; sharedBy: string },
  wanted: Share[] | 'none',
): Promise<AuditChange[]> {
  const shares = wanted === 'none' ? [] : wanted
  const before = await readShares(trx, id)
  await sql`delete from assistant_shares where assistant_id = ${id} and (${wanted === 'none'} or (company_id is not null
    and company_id <> all(${shares.map(({ company_id }) => company_id)}::uuid[])))`.execute(trx)
  for (const { company_id, access } of shares)
    await trx
      .insertInto('assistant_shares')
      .values({ assistant_id: id, company_id, access, shared_by: sharedBy })
      .onConflict((conflict) => conflict.columns(['assistant_id', 'company_id']).doUpdateSet({ access }))
      .execute()
  const after = await readShares(trx, id)
  const [was, is] = [before, after].map((all) => new Map(all.map(({ company, access }) => [company, access])))
  return [...new Set([...was!.keys(), ...is!.keys()])]
    .filter((company) => was!.get(company) !== is!.get(company))
    .map((company) => ({
      what: `shared with ${company}`,
      before: was!.get(company) ?? null,
      after: is!.get(company) ?? null,
    }))
}

/** Returns the companies an assistant is shared with. */
export async function readShares(db: Db, id: string): Promise<(Share & { company: string })[]> {
  return db
    .selectFrom('assistant_shares as share')
    .innerJoin('companies as company', 'company.id', 'share.company_id')
    .select(['share.company_id', 'share.access', 'company.name as company'])
    .where('share.assistant_id', '=', id)
    .$narrowType<{ company_id: string }>()
    .orderBy('company.name')
    .orderBy('company.id')
    .limit(1_000)
    .execute()
}

/**
 * Locks an assistant for a save and checks that the edited version is the newest.
 * @throws AppError `conflict` naming the author of a newer version
 */
export async function assertNewest(trx: Db, id: string, version: number | undefined): Promise<void> {
  await trx.selectFrom('assistants').select('id').where('id', '=', id).forUpdate().execute()
  if (version === undefined) return
  const newest = await trx
    .selectFrom('assistant_versions as v')
    .leftJoin('users as person', 'person.id', 'v.saved_by')
    .select(['v.version', sql<string | null>`${nameOf('person')}`.as('saved_by')])
    .where('v.assistant_id', '=', id)
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || newest.version === version) return
  const who = newest.saved_by ?? 'Somebody'
  throw new AppError(
    'conflict',
    `${who} saved version ${newest.version} meanwhile. Read it, and save your changes to it.`,
  )
}
