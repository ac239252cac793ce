import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'

/** Limits of a company that super admins set; null for none. */
export const CompanyLimits = z.object({
  /** Maximum number of people. */
  max_people: z.nullable(z.int().check(z.gte(1), z.lte(1_000_000))),
  /** Storage per person in megabytes, instead of the installation's. The largest counts for a person in several companies. */
  storage_mb: z.nullable(z.int().check(z.gte(1), z.lte(100_000_000))),
})
export type CompanyLimits = z.infer<typeof CompanyLimits>

/** A company with its figures. Amounts in dollars. */
export const CompanyFigures = z.object({
  id: Id,
  name: z.string(),
  ...CompanyLimits.shape,
  people: z.int(),
  admins: z.int(),
  /** The first administrator by name; null without one. */
  admin: z.nullable(z.string()),
  /** Verified mail domains, at most three. */
  domains: z.array(z.string()),
  /** Spent this calendar month (UTC). */
  spent: z.number(),
  /** Budget of the month; null without one. */
  budget: z.nullable(z.number()),
})
export type CompanyFigures = z.infer<typeof CompanyFigures>

export const COMPANIES_LIMIT = 50

export const listCompanyFigures = route({
  method: 'GET',
  path: '/admin/companies/figures',
  access: 'admin',
  summary:
    'The companies the caller administers with people, administrators and spending, all for a super admin',
  query: z.object({
    /** Words in a name or a verified domain. */
    q: z.optional(text(0, 200)),
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: COMPANIES_LIMIT }),
  }),
  answer: z.object({ items: z.array(CompanyFigures), total: z.int(), has_more: z.boolean() }),
})

const CompanyParams = z.object({ companyId: Id })

export const setCompanyLimits = route({
  method: 'PUT',
  path: '/admin/companies/:companyId/limits',
  access: 'super_admin',
  may: 'manage company',
  summary: 'Set how many people a company may have, and how much each may store; nothing present is removed',
  params: CompanyParams,
  body: CompanyLimits,
  answer: CompanyLimits,
})

/** Numbers of the things that depend on a company. */
export const CompanyConsequences = z.object({
  people: z.int(),
  /** People who are in no other company. */
  alone: z.int(),
  admins: z.int(),
  groups: z.int(),
  /** Documents, assistants and tools shared with the company. */
  documents: z.int(),
  assistants: z.int(),
  tools: z.int(),
  webhooks: z.int(),
  /** Open invitations. */
  invitations: z.int(),
  budgets: z.int(),
  domains: z.int(),
  has_directory: z.boolean(),
})
export type CompanyConsequences = z.infer<typeof CompanyConsequences>

export const getCompanyConsequences = route({
  method: 'GET',
  path: '/admin/companies/:companyId/consequences',
  access: 'super_admin',
  may: 'manage company',
  summary: 'What depends on a company, before it is merged or deleted',
  params: CompanyParams,
  answer: CompanyConsequences,
})

/** Moves people, groups and everything shared into another company, then deletes this one. */
export const mergeCompany = route({
  method: 'POST',
  path: '/admin/companies/:companyId/merge',
  access: 'super_admin',
  may: 'manage company',
  fails: ['conflict', 'not_found'],
  summary:
    'Merge a company into another: people, groups and what is shared move, its webhooks are turned off, this company ends',
  params: CompanyParams,
  body: z.object({ into: Id }),
  status: 204,
})

/** Accounts stay. Owners keep the things they shared with the company. */
export const deleteCompany = route({
  method: 'DELETE',
  path: '/admin/companies/:companyId',
  access: 'super_admin',
  may: 'manage company',
  fails: ['conflict'],
  summary: 'Delete a company with its groups, rules and webhooks; its people keep their accounts',
  params: CompanyParams,
  /** Its current name, so that no other company is deleted by mistake. */
  body: z.object({ name: text(1, 200) }),
  status: 204,
})
