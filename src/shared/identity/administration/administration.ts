import * as z from 'zod/mini'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { OutwardCalls } from '../../platform/outward.ts'
import { Id, label, queryInt, text } from '../../platform/primitives.ts'
import { RoleName } from '../accounts/accounts.ts'

/** A person as administrators see them: never what they write. */
export const ManagedUser = z.object({
  id: Id,
  username: z.string(),
  full_name: z.nullable(z.string()),
  email: z.string(),
  /** Of the companies the caller administers; super admins see all. */
  companies: z.array(z.object({ id: Id, name: z.string(), role: RoleName })),
  /** Their address is proved. */
  verified: z.boolean(),
  /** False: they are shut out until an administrator lets them in again. */
  is_active: z.boolean(),
  /** They have a code app or a passkey. */
  has_second_factor: z.boolean(),
  /** They may come in while the product is in closed beta. */
  beta_access: z.boolean(),
  /** Dollars; null while nothing is billed. */
  balance: z.nullable(z.number()),
  created_at: z.string(),
  /** The last call of any of their devices that are signed in; null without one. */
  last_used_at: z.nullable(z.string()),
})
export type ManagedUser = z.infer<typeof ManagedUser>

export const ManagedCompany = z.object({
  id: Id,
  name: z.string(),
  people: z.int(),
  /** Its people show a second proof when they sign in. */
  requires_second_factor: z.boolean(),
  /** When calls of its people's chats that leave the house need an approval. */
  outward_calls: OutwardCalls,
  outward_fixed_by: FixedBy,
})
export type ManagedCompany = z.infer<typeof ManagedCompany>

/** The part somebody has in a company; null: none. */
export const Membership = z.object({ company_id: Id, role: z.nullable(RoleName) })
export type Membership = z.infer<typeof Membership>

export const UserState = z.enum(['active', 'deactivated', 'unverified', 'beta'])
export type UserState = z.infer<typeof UserState>

export const USERS_LIMIT = 50

export const listManagedUsers = route({
  method: 'GET',
  path: '/admin/users',
  access: 'admin',
  summary: 'The people of the companies the caller administers, of all for a super admin, by name',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: USERS_LIMIT }),
    /** Words of a name, an address or a company. */
    q: z.optional(text(0, 200)),
    /** Those of one company, with a role in one, in a state. */
    company_id: z.optional(Id),
    role: z.optional(RoleName),
    state: z.optional(UserState),
  }),
  answer: z.object({
    items: z.array(ManagedUser),
    total: z.int(),
    page: z.int(),
    has_more: z.boolean(),
  }),
})

export const updateManagedUser = route({
  method: 'PATCH',
  path: '/admin/users/:userId',
  access: 'admin',
  fails: ['conflict'],
  may: 'manage user',
  summary: 'Change what a person may do; fields left out stay as they are',
  params: z.object({ userId: Id }),
  body: z.object({
    /** Their part in one company; null takes them out of it. Only super admins bring somebody in, or name super admins. */
    membership: z.optional(Membership),
    beta_access: z.optional(z.boolean()),
    /** Refused: an address is proved by its owner alone. */
    verified: z.optional(z.boolean()),
  }),
  answer: ManagedUser,
})

export const listManagedCompanies = route({
  method: 'GET',
  path: '/admin/companies',
  access: 'admin',
  summary: 'The companies the caller administers, all for a super admin, by name',
  pages: 1_000,
  answer: z.array(ManagedCompany),
})

export const createCompany = route({
  method: 'POST',
  path: '/admin/companies',
  access: 'super_admin',
  summary: 'Create a company',
  status: 201,
  body: z.object({ name: label(1, 100) }),
  answer: ManagedCompany,
})

export const updateCompany = route({
  method: 'PATCH',
  path: '/admin/companies/:companyId',
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  summary:
    'Rename a company, or decide how its people sign in and when calls that leave the house are approved; fields left out stay as they are',
  params: z.object({ companyId: Id }),
  body: z.object({
    name: z.optional(label(1, 100)),
    requires_second_factor: z.optional(z.boolean()),
    /** Of somebody in several companies the strictest counts. */
    outward_calls: z.optional(OutwardCalls),
  }),
  answer: ManagedCompany,
})
