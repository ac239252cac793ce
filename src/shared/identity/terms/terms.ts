import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, queryInt, text } from '../../platform/primitives.ts'

export const MAX_TERMS_CHARACTERS = 50_000
export const TERMS_LIMIT = 50

const texts = { text_en: text(1, MAX_TERMS_CHARACTERS), text_fr: text(1, MAX_TERMS_CHARACTERS) }

/** A version of a company's terms. The newest version counts, unless it is withdrawn. */
export const CompanyTerms = z.object({
  id: Id,
  version: z.int(),
  text_en: z.string(),
  text_fr: z.string(),
  published_at: z.string(),
  /** Name of the administrator at that time. */
  published_by: z.string(),
  withdrawn_at: z.nullable(z.string()),
  /** Numbers of people: those of the company who accepted this version, and all of the company. */
  accepted: z.int(),
  people: z.int(),
})
export type CompanyTerms = z.infer<typeof CompanyTerms>

const path = '/admin/companies/:companyId/terms'
const params = z.object({ companyId: Id })
const page = {
  page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 100, fallback: TERMS_LIMIT }),
}

export const listTerms = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The versions of the terms of a company, newest first',
  params,
  query: z.object(page),
  answer: z.object({ items: z.array(CompanyTerms), total: z.int(), has_more: z.boolean() }),
})

export const publishTerms = route({
  method: 'POST',
  path,
  access: 'admin',
  may: 'manage company',
  status: 201,
  summary:
    'Publish a new version of the terms, which everyone of the company accepts before their next message',
  params,
  body: z.object(texts),
  answer: CompanyTerms,
})

export const withdrawTerms = route({
  method: 'DELETE',
  path,
  access: 'admin',
  may: 'manage company',
  status: 204,
  summary: 'Withdraw the terms in force; acceptances stay recorded',
  params,
})

/** A person of the company; `accepted_at` is null until they accept. */
export const TermsAcceptance = z.object({
  user_id: Id,
  name: z.string(),
  email: z.string(),
  accepted_at: z.nullable(z.string()),
})
export type TermsAcceptance = z.infer<typeof TermsAcceptance>

export const listAcceptances = route({
  method: 'GET',
  path: `${path}/:version/acceptances`,
  access: 'admin',
  may: 'manage company',
  summary:
    'Who accepted a version of the terms and when: people who have not accepted it first, then by name',
  params: z.object({ companyId: Id, version: z.string().check(atMost(9), z.regex(/^[1-9]\d*$/)) }),
  query: z.object(page),
  answer: z.object({ items: z.array(TermsAcceptance), total: z.int(), has_more: z.boolean() }),
})

/** Terms that the caller accepts before their next message. */
export const DueTerms = z.object({
  id: Id,
  company: z.string(),
  version: z.int(),
  text_en: z.string(),
  text_fr: z.string(),
  published_at: z.string(),
})
export type DueTerms = z.infer<typeof DueTerms>

export const listDueTerms = route({
  method: 'GET',
  path: '/users/me/terms',
  access: 'user',
  summary: 'The terms of the caller’s companies that they have not accepted',
  answer: z.object({ items: z.array(DueTerms) }),
})

export const acceptTerms = route({
  method: 'POST',
  path: '/users/me/terms',
  access: 'user',
  fails: ['conflict'],
  status: 204,
  summary: 'Accept terms that were shown; refused if a newer version was published meanwhile',
  body: z.object({ terms_ids: z.array(Id).check(z.minLength(1), z.maxLength(100)) }),
})
