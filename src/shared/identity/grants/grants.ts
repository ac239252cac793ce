import * as z from 'zod/mini'
import { Feature } from '../../platform/features.ts'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'
import { RoleName } from '../accounts/accounts.ts'

export const ThingKind = z.enum(['model', 'tool', 'assistant', 'feature', 'database'])
export type ThingKind = z.infer<typeof ThingKind>

/** Subject of a grant. `nobody`: the group or company was deleted, or the thing is closed to all. */
export const Who = z.discriminatedUnion('who', [
  z.object({ who: z.literal('role'), id: RoleName }),
  z.object({ who: z.literal('company'), id: Id }),
  z.object({ who: z.literal('group'), id: Id }),
  z.object({ who: z.literal('nobody'), id: z.literal('') }),
])
export type Who = z.infer<typeof Who>

const Effect = z.enum(['allow', 'refuse'])

/** One row of the grants table with the name of the company or group. Roles and `nobody` have no name. */
export const NamedGrant = z.object({
  decided_by: z.nullable(Id),
  effect: Effect,
  /** `others`: people of companies other than the caller's. */
  who: z.enum(['role', 'company', 'group', 'nobody', 'others']),
  id: z.string(),
  name: z.nullable(z.string()),
})
export type NamedGrant = z.infer<typeof NamedGrant>

/** A thing with its grants, for the deciders the caller may act for: the installation, or companies they administer. */
export const GrantedThing = z.object({
  kind: ThingKind,
  id: z.string(),
  name: z.string(),
  /** Provider of a model, owner of an assistant or tool; null for a part of the product. */
  from: z.nullable(z.string()),
  grants: z.array(NamedGrant),
})
export type GrantedThing = z.infer<typeof GrantedThing>

export const THINGS_LIMIT = 50
/** Maximum number of people, groups and companies named for one thing by one decider. */
export const MAX_NAMED = 200

const page = {
  page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 100, fallback: THINGS_LIMIT }),
}

export const listGrantedThings = route({
  method: 'GET',
  path: '/admin/grants',
  access: 'admin',
  summary:
    'Models, tools, databases, assistants or features, each with who may use it as the house and the companies of the caller decided',
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
    /** Null: for the installation. */
    decided_by: z.nullable(Id),
    /** Subjects that may use it; empty: everyone who is not refused. Both lists replace the decider's previous ones. */
    allow: z.array(Who).check(z.maxLength(MAX_NAMED)),
    refuse: z.array(Who).check(z.maxLength(MAX_NAMED)),
  }),
  answer: GrantedThing,
})

/** A decision for one person and one thing, with its reason. */
export const PersonalDecision = z.object({
  kind: ThingKind,
  id: z.string(),
  name: z.string(),
  may: z.boolean(),
  reason: z.enum(['open', 'named', 'refused', 'not_named']),
  /** Company whose decision excludes the person; null for the installation or when none excludes them. */
  decided_by: z.nullable(z.object({ id: Id, name: z.string() })),
  /** Grants that name or refuse the person. */
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
    /** The person's companies and roles, as far as the caller may see them. */
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
