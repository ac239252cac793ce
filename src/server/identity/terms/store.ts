import { type Kysely, sql, type Transaction } from 'kysely'
import type { CompanyTerms, DueTerms, TermsAcceptance } from '#shared/identity/terms/terms.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
type Page = { skip: number; limit: number }
/** Terms of one person. A person is in few companies. */
const MAX_DUE = 100

type Row = Omit<CompanyTerms, 'published_at' | 'withdrawn_at'> & {
  published_at: Date
  withdrawn_at: Date | null
}

const columns = sql`t.id, t.version, t.text_en, t.text_fr, t.published_at, t.published_by, t.withdrawn_at,
  (select count(*)::int from company_members m where m.company_id = t.company_id) as people,
  (select count(*)::int from terms_acceptances a
    join company_members m on m.user_id = a.user_id and m.company_id = t.company_id where a.terms_id = t.id) as accepted`

export async function findTerms(
  db: Db,
  companyId: string,
  { skip, limit }: Page,
): Promise<{ items: CompanyTerms[]; total: number }> {
  const { rows } = await sql<Row>`select ${columns} from company_terms t where t.company_id = ${companyId}
    order by t.version desc limit ${limit} offset ${skip}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from company_terms where company_id = ${companyId}`.execute(db)
  return { items: rows.map(show), total: counts[0]?.total ?? 0 }
}

/** Locks the company, so that versions are numbered one after another. Returns its name; undefined when it is unknown. */
export async function lockCompanyForTerms(trx: Trx, id: string): Promise<string | undefined> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst())?.name
}

export async function insertTerms(
  trx: Trx,
  companyId: string,
  { text_en, text_fr, by, now }: { text_en: string; text_fr: string; by: string; now: Date },
): Promise<CompanyTerms> {
  const { rows: made } = await sql<{ id: string }>`
    insert into company_terms (company_id, version, text_en, text_fr, published_at, published_by)
    select ${companyId}, coalesce(max(version), 0) + 1, ${text_en}, ${text_fr}, ${now}, ${by}
    from company_terms where company_id = ${companyId} returning id`.execute(trx)
  const { rows } = await sql<Row>`select ${columns} from company_terms t where t.id = ${made[0]?.id}`.execute(
    trx,
  )
  return show(rows[0]!)
}

/** Withdraws the newest version. Returns its number, or null when none is in force. */
export async function updateWithdrawn(trx: Trx, companyId: string, now: Date): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    update company_terms set withdrawn_at = ${now} where company_id = ${companyId} and withdrawn_at is null
      and version = (select max(version) from company_terms where company_id = ${companyId}) returning version`.execute(
    trx,
  )
  return rows[0]?.version ?? null
}

/** Returns a page of the company's people with the time at which each accepted a version; null for an unknown version. */
export async function findAcceptances(
  db: Db,
  companyId: string,
  version: number,
  { skip, limit }: Page,
): Promise<{ items: TermsAcceptance[]; total: number } | null> {
  const { rows: found } = await sql<{ id: string; total: number }>`
    select id, (select count(*)::int from company_members m where m.company_id = t.company_id) as total
    from company_terms t where company_id = ${companyId} and version = ${version}`.execute(db)
  const [terms] = found
  if (!terms) return null
  const { rows } = await sql<Omit<TermsAcceptance, 'accepted_at'> & { accepted_at: Date | null }>`
    select u.id as user_id, coalesce(nullif(trim(u.full_name), ''), u.username) as name, u.email, a.accepted_at
    from company_members m join users u on u.id = m.user_id
      left join terms_acceptances a on a.user_id = u.id and a.terms_id = ${terms.id}
    where m.company_id = ${companyId}
    order by a.accepted_at is not null, lower(coalesce(nullif(trim(u.full_name), ''), u.username)), u.id
    limit ${limit} offset ${skip}`.execute(db)
  const items = rows.map((row) => ({ ...row, accepted_at: row.accepted_at?.toISOString() ?? null }))
  return { items, total: terms.total }
}

export async function findDueTerms(db: Db, userId: string): Promise<DueTerms[]> {
  const { rows } = await sql<Omit<DueTerms, 'published_at'> & { published_at: Date }>`
    select t.id, c.name as company, t.version, t.text_en, t.text_fr, t.published_at
    from due_terms(${userId}) t join companies c on c.id = t.company_id
    order by c.created_at, c.id limit ${MAX_DUE}`.execute(db)
  return rows.map((row) => ({ ...row, published_at: row.published_at.toISOString() }))
}

export async function hasDueTerms(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean }>`
    select exists (select from due_terms(${userId})) as is_due`.execute(db)
  return rows[0]?.is_due ?? false
}

/** Records that a person accepted terms that are due. Returns those that were recorded now. */
export async function insertAcceptances(
  trx: Trx,
  userId: string,
  ids: string[],
  now: Date,
): Promise<{ id: string; company_id: string; version: number }[]> {
  const { rows } = await sql<{ id: string; company_id: string; version: number }>`
    with accepted as (
      insert into terms_acceptances (user_id, terms_id, accepted_at)
      select ${userId}, t.id, ${now} from due_terms(${userId}) t where t.id = any(${ids}::uuid[])
      on conflict do nothing returning terms_id)
    select t.id, t.company_id, t.version from accepted a join company_terms t on t.id = a.terms_id
    order by t.company_id limit ${MAX_DUE}`.execute(trx)
  return rows
}

function show({ published_at, withdrawn_at, ...row }: Row): CompanyTerms {
  return {
    ...row,
    published_at: published_at.toISOString(),
    withdrawn_at: withdrawn_at?.toISOString() ?? null,
  }
}
