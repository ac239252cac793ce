import type { Kysely, Transaction } from 'kysely'
import * as contract from '#shared/identity/accounts/domains.ts'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Actor, actorOf, changed, writeAudit } from '../../audit/audit.ts'
import { takeTurn } from '../rate-limit-store.ts'
import { newSecret } from '../tokens/access-token-store.ts'
import {
  countDomains,
  type DomainRow,
  deleteDomain,
  findDomain,
  findVerifiedCompany,
  insertDomain,
  listDomains,
  MAX_DOMAINS,
  setVerified,
} from './domain-store.ts'
import { isPublicDomain } from './public-domains.ts'
import { checkRecord, recordOf } from './read-record.ts'

type Db = Kysely<Tables>
type Claim = { companyId: string; domain: string }

/** Returns the company that verified the domain of an address, or null. Subdomains do not count. */
export async function verifiedCompanyOf(db: Db, email: string): Promise<string | null> {
  const at = email.lastIndexOf('@')
  return at < 0 ? null : findVerifiedCompany(db, email.slice(at + 1).toLowerCase())
}

/** Returns whether the company has verified the domain of an address. */
export async function isVerifiedFor(db: Db, companyId: string, email: string): Promise<boolean> {
  return (await verifiedCompanyOf(db, email)) === companyId
}

/** Serves the mail domains of companies to their administrators. */
export function serveDomains(server: Server, deps: Platform): void {
  const { db, config } = deps
  serve(server, contract.listDomains, {
    handle: async ({ params }) => ({ items: (await listDomains(db, params.companyId)).map(show) }),
  })
  serve(server, contract.addDomain, {
    handle: ({ user, request, params: { companyId }, body: { domain } }) =>
      claimDomain(deps, actorOf(user, request), { companyId, domain }),
  })
  serve(server, contract.checkDomain, {
    handle: async ({ user, request, params }) => {
      const found = await readDomain(db, params)
      if (found.verified_at) return { ...show(found), problem: null }
      await takeTurn(deps, 'domain_check', params.companyId)
      const problem = await checkRecord(config.ATRIUM_DNS_SERVERS, found)
      if (problem) return { ...show(found), problem }
      return { ...(await verify(deps, actorOf(user, request), params, 'dns')), problem }
    },
  })
  serve(server, contract.confirmDomain, {
    handle: ({ user, request, params }) => verify(deps, actorOf(user, request), params, 'super_admin'),
  })
  serve(server, contract.removeDomain, {
    handle: ({ user, request, params }) =>
      db.transaction().execute(async (trx) => {
        const removed = await deleteDomain(trx, params)
        if (!removed) return
        const changes = changed('verified_by', removed.verified_by, null)
        await record(deps, trx, actorOf(user, request), params, { did: 'domain.removed', changes })
      }),
  })
}

/** @throws AppError `invalid` for a public mail service, `conflict` for a domain the company has already and for too many */
function claimDomain(deps: Platform, actor: Actor, claim: Claim): Promise<contract.CompanyDomain> {
  if (isPublicDomain(claim.domain)) {
    const detail = 'This is a public mail service: nobody can verify it for a company.'
    throw new AppError('invalid', detail, { errors: [{ path: 'domain', message: detail }] })
  }
  return deps.db.transaction().execute(async (trx) => {
    if ((await countDomains(trx, claim.companyId)) >= MAX_DOMAINS)
      throw new AppError('conflict', `A company has at most ${MAX_DOMAINS} domains.`)
    const isNew = await insertDomain(trx, { ...claim, token: newSecret(), now: deps.clock.now() })
    if (!isNew) throw new AppError('conflict', 'This domain is in the list already.')
    await record(deps, trx, actor, claim, { did: 'domain.added', changes: [] })
    return show(await readDomain(trx, claim))
  })
}

/** @throws AppError `not_found`, `conflict` when another company has verified the domain */
function verify(
  deps: Platform,
  actor: Actor,
  claim: Claim,
  proof: contract.DomainProof,
): Promise<contract.CompanyDomain> {
  return deps.db.transaction().execute(async (trx) => {
    const before = await readDomain(trx, claim)
    if (before.verified_at) return show(before)
    if (!(await setVerified(trx, { ...claim, proof, now: deps.clock.now() })))
      throw new AppError('conflict', 'Another company has verified this domain. Ask a super admin.')
    const changes = changed('verified_by', null, proof)
    await record(deps, trx, actor, claim, { did: 'domain.verified', changes })
    return show(await readDomain(trx, claim))
  })
}

/** @throws AppError `not_found` */
async function readDomain(db: Db, claim: Claim): Promise<DomainRow> {
  const found = await findDomain(db, claim)
  if (!found) throw new AppError('not_found', 'This domain is not in the list.')
  return found
}

function record(
  { clock }: Platform,
  trx: Transaction<Tables>,
  actor: Actor,
  { companyId, domain }: Claim,
  done: { did: AuditAction; changes: AuditChange[] },
): Promise<void> {
  return writeAudit(trx, clock.now(), { ...done, actor, subject: domain, companyId })
}

function show(row: DomainRow): contract.CompanyDomain {
  const { domain, verified_at, verified_by } = row
  return { domain, record: recordOf(row), verified_at: verified_at?.toISOString() ?? null, verified_by }
}
