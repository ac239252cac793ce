import { randomUUID } from 'node:crypto'
import { insertDomain, setVerified } from '../../src/server/identity/accounts/domains/domain-store.ts'
import type { TestApp } from './app.ts'

/** Creates a mail domain claimed by a company. */
export async function aDomain(
  { deps: { db } }: TestApp,
  companyId: string,
  domain = `${randomUUID()}.test`,
): Promise<string> {
  await insertDomain(db, { companyId, domain, token: 'token', now: new Date() })
  return domain
}

/** Creates a mail domain verified by a company. */
export async function aVerifiedDomain(app: TestApp, companyId: string, domain?: string): Promise<string> {
  const claimed = await aDomain(app, companyId, domain)
  await setVerified(app.deps.db, { companyId, domain: claimed, proof: 'dns', now: new Date() })
  return claimed
}
