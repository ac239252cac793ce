import { sql } from 'kysely'
import type { AllDeps } from '../../src/server/feature.ts'

type App = { deps: Pick<AllDeps, 'db'> }

/** Stores a withdrawn first version of a company's terms, which no one has to accept, and returns its number. */
export async function withdrawnTerms({ deps }: App, companyId: string): Promise<string> {
  await sql`insert into company_terms (company_id, version, text_en, text_fr, published_at, published_by, withdrawn_at)
    values (${companyId}, 1, 'Be kind.', 'Soyez aimables.', now(), 'ada', now())
    on conflict (company_id, version) do nothing`.execute(deps.db)
  return '1'
}

/** Publishes terms of a company that its people have to accept. Returns their id. */
export async function someTerms({ deps }: App, companyId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into company_terms (company_id, version, text_en, text_fr, published_at, published_by)
    select ${companyId}, coalesce(max(version), 0) + 1, 'Be kind.', 'Soyez aimables.', now(), 'ada'
    from company_terms where company_id = ${companyId} returning id`.execute(deps.db)
  return rows[0]!.id
}

export async function acceptTerms({ deps }: App, userId: string, termsId: string): Promise<void> {
  await sql`insert into terms_acceptances (user_id, terms_id, accepted_at)
    values (${userId}, ${termsId}, now())`.execute(deps.db)
}
