import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { findVerifiedCompany } from './domain-store.ts'

type Db = Kysely<Tables>

/** The id of the company that has verified the domain of an address, null when none has. Subdomains do not count. */
export async function verifiedCompanyOf(db: Db, email: string): Promise<string | null> {
  const at = email.lastIndexOf('@')
  return at < 0 ? null : findVerifiedCompany(db, email.slice(at + 1).toLowerCase())
}

/** Whether the company has verified the domain of an address. */
export async function isVerifiedFor(db: Db, companyId: string, email: string): Promise<boolean> {
  return (await verifiedCompanyOf(db, email)) === companyId
}
