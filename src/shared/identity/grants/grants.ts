import * as z from 'zod/mini'
import { Feature } from '../../platform/features.ts'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'
import { RoleName } from '../accounts/accounts.ts'

export const ThingKind = z.enum(['model', 'tool', 'assistant', 'feature'])
export type ThingKind = z.infer<typeof ThingKind>

/** Whom a grant names. `nobody`: a group or company that is gone, or a thing that is closed to all. */
export const Who = z.discriminatedUnion('who', [
  z.object({ who: z.literal('role'), id: RoleName }),
  z.object({ who: z.literal('company'), id: Id }),
  z.object({ who: z.literal('group'), id: Id }),
  z.object({ who: z.literal('nobody'), id: z.literal('') }),
])
export type Who = z.infer<typeof Who>

const Effect = z.enum(['allow', 'refuse'])

/** One line of the table of grants, with the name of the company or group; of a role and of nobody none. */
export const NamedGrant = z.object({
  decided_by: z.nullable(Id),
  effect: Effect,
  /** `others`: people of companies that are not the caller's. */
  who: z.enum(['role', 'company', 'group', 'nobody', 'others']),
  id: z.string(),
  name: z.nullable(z.string()),
})
export type NamedGrant = z.infer<typeof NamedGrant>

/** A thing with what is decided about it, as far as the caller decides: for the house, or for the companies they administer. */
export const GrantedThing = z.object({
  kind: ThingKind,
  id: z.string(),
  name: z.string(),
  /** Where it comes from: the provider of a model, whose an assistant or a tool is; null for a part of the product. */
  from: z.nullable(z.string()),
  grants: z.array(NamedGrant),
})
export type GrantedThing = z.infer<typeof GrantedThing>

export const THINGS_LIMIT = 50
/** The most people, groups and companies that are named for one thing by one decider. */
export const NAMED_MOST = 200

const page = {
  page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 100, fallback: THINGS_LIMIT }),
}

export const listGrantedThings = route({
  method: 'GET',
  path: '/admin/grants',
  access: 'admin',
  summary:
    'Models, tools, assistants or features, each with who may use it as the house and the companies of the caller decided',
  query: z.object({ ...page, kind: ThingKind, q: z.optional(text(0, 200)) }),
  answer: z.object({ items: z.array(GrantedThing), total: z.int(), has_more: z.boolean() }),
})

export const setGrants = route({
  method: 'PUT',
  path: '/admin/grants',
  access: 'admin',
  summary:
    'Decide who may use a thing: for the house as a super admin, for a company as one who administers it',
  fails: ['not_found'],
  body: z.object({
    kind: ThingKind,
    id: text(1, 300),
    /** Null: for the house. */
    decided_by: z.nullable(Id),
    /** Who may use it; none: everybody who is not refused. Both lists take the place of what this decider said before. */
    allow: z.array(Who).check(z.maxLength(NAMED_MOST)),
    refuse: z.array(Who).check(z.maxLength(NAMED_MOST)),
  }),
  answer: GrantedThing,
})

/** What one person may do with a thing, and what decides it. */
export const PersonalDecision = z.object({
  kind: ThingKind,
  id: z.string(),
  name: z.string(),
  may: z.boolean(),
  reason: z.enum(['open', 'named', 'refused', 'not_named']),
  /** The company whose decision leaves them out; null: the house's, or nobody's. */
  decided_by: z.nullable(z.object({ id: Id, name: z.string() })),
  /** The grants that name or refuse them. */
  grants: z.array(NamedGrant),
})
export type PersonalDecision = z.infer<typeof PersonalDecision>

export const explainGrants = route({
  method: 'GET',
  path: '/admin/users/:userId/grants',
  access: 'admin',
  may: 'manage user',
  summary: 'What a person may use of one kind, and which grants decide it',
  params: z.object({ userId: Id }),
  query: z.object({ ...page, kind: ThingKind, q: z.optional(text(0, 200)) }),
  answer: z.object({
    items: z.array(PersonalDecision),
    total: z.int(),
    has_more: z.boolean(),
    /** Where they stand, as far as the caller sees it. */
    standing: z.array(z.object({ company: z.string(), role: RoleName, groups: z.array(z.string()) })),
  }),
})

export const readClosedFeatures = route({
  method: 'GET',
  path: '/users/me/closed-features',
  access: 'user',
  summary: 'The features of the product that are not open to the caller',
  answer: z.array(Feature),
})
