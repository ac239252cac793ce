import { sql } from 'kysely'
import type { AllDeps } from '../../src/server/feature.ts'

/** Stores a withdrawn first version of a company's terms, which no one has to accept, and returns its number. */
export async function withdrawnTerms(
  { deps }: { deps: Pick<AllDeps, 'db'> },
  companyId: string,
): Promise<string> {
  await sql`insert into company_terms (company_id, version, text_en, text_fr, published_at, published_by, withdrawn_at)
    values (${companyId}, 1, 'Be kind.', 'Soyez aimables.', now(), 'ada', now())
    on conflict (company_id, version) do nothing`.execute(deps.db)
  return '1'
}
