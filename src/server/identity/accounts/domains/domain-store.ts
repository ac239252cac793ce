import { type Kysely, sql } from 'kysely'
import type { DomainProof } from '#shared/identity/accounts/domains.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Claim = { companyId: string; domain: string }
export type DomainRow = {
  domain: string
  token: string
  verified_at: Date | null
  verified_by: DomainProof | null
}

/** Maximum domains per company, claimed or verified. */
export const MAX_DOMAINS = 100
const columns = sql`domain, token, verified_at, verified_by`

/** Returns the company that verified a lower-case domain, or null. */
export async function findVerifiedCompany(db: Db, domain: string): Promise<string | null> {
  const { rows } = await sql<{ company_id: string }>`
    select company_id from company_domains where domain = ${domain} and verified_at is not null`.execute(db)
  return rows[0]?.company_id ?? null
}

export async function listDomains(db: Db, companyId: string): Promise<DomainRow[]> {
  const { rows } = await sql<DomainRow>`select ${columns} from company_domains
    where company_id = ${companyId} order by domain limit ${MAX_DOMAINS}`.execute(db)
  return rows
}

export async function countDomains(db: Db, companyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from company_domains where company_id = ${companyId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findDomain(db: Db, { companyId, domain }: Claim): Promise<DomainRow | null> {
  const { rows } = await sql<DomainRow>`select ${columns} from company_domains
    where company_id = ${companyId} and domain = ${domain}`.execute(db)
  return rows[0] ?? null
}

/** Inserts a claim. Returns false when the company already claims the domain. */
export async function insertDomain(
  trx: Db,
  { companyId, domain, token, now }: Claim & { token: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`insert into company_domains (company_id, domain, token, created_at)
    values (${companyId}, ${domain}, ${token}, ${now})
    on conflict (company_id, domain) do nothing returning domain`.execute(trx)
  return rows.length > 0
}

/** Marks a domain as verified. Returns false when another company verified it; the transaction has failed then. */
export async function setVerified(
  trx: Db,
  { companyId, domain, proof, now }: Claim & { proof: DomainProof; now: Date },
): Promise<boolean> {
  try {
    await sql`update company_domains set verified_at = ${now}, verified_by = ${proof}
      where company_id = ${companyId} and domain = ${domain}`.execute(trx)
    return true
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'company_domains_verified')
      return false
    throw error
  }
}

/** Deletes a domain. Returns the deleted row, or null. */
export async function deleteDomain(trx: Db, { companyId, domain }: Claim): Promise<DomainRow | null> {
  const { rows } = await sql<DomainRow>`delete from company_domains
    where company_id = ${companyId} and domain = ${domain} returning ${columns}`.execute(trx)
  return rows[0] ?? null
}
