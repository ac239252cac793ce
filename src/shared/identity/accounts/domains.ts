import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id } from '../../platform/primitives.ts'

/** The part of an address after the @, in lower case and ASCII. */
export const Domain = z
  .string()
  .check(z.trim(), z.toLowerCase(), atMost(253), z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/))

/** Proof of a domain: a DNS record, or confirmation by a super admin. */
export const DomainProof = z.enum(['dns', 'super_admin'])
export type DomainProof = z.infer<typeof DomainProof>

/** A mail domain that a company claims. It has no effect until it is verified. */
export const CompanyDomain = z.object({
  domain: z.string(),
  /** TXT record that proves the domain. */
  record: z.object({ name: z.string(), value: z.string() }),
  /** Null until the domain is verified. */
  verified_at: z.nullable(z.string()),
  verified_by: z.nullable(DomainProof),
})
export type CompanyDomain = z.infer<typeof CompanyDomain>

/** Reason for a failed verification: no TXT record, a different value, or no answer from the DNS. */
export const DnsProblem = z.enum(['missing', 'different', 'unreachable'])
export type DnsProblem = z.infer<typeof DnsProblem>

const params = z.object({ companyId: Id })
const domainParams = z.object({ companyId: Id, domain: Domain })
const path = '/admin/companies/:companyId/domains'

export const listDomains = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The mail domains a company claims, by name, with the DNS record that proves each',
  params,
  answer: z.object({ items: z.array(CompanyDomain) }),
})

export const addDomain = route({
  method: 'POST',
  path,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  status: 201,
  summary: 'Claim a mail domain for a company; domains of public mail services are refused',
  params,
  body: z.object({ domain: Domain }),
  answer: CompanyDomain,
})

export const checkDomain = route({
  method: 'POST',
  path: `${path}/:domain/check`,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  summary: 'Look the DNS record of a domain up, and verify the domain when it is there',
  params: domainParams,
  answer: z.extend(CompanyDomain, {
    /** Null when the domain is verified. */
    problem: z.nullable(DnsProblem),
  }),
})

export const confirmDomain = route({
  method: 'POST',
  path: `${path}/:domain/confirm`,
  access: 'super_admin',
  may: 'manage company',
  fails: ['conflict'],
  summary: 'Verify a domain without DNS, by the word of a super admin',
  params: domainParams,
  answer: CompanyDomain,
})

export const removeDomain = route({
  method: 'DELETE',
  path: `${path}/:domain`,
  access: 'admin',
  may: 'manage company',
  summary: 'Give a domain up; addresses that were proved by it stay proved',
  status: 204,
  params: domainParams,
})
