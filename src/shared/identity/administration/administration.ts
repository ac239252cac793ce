import * as z from 'zod/mini'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { OutwardCalls } from '../../platform/outward.ts'
import { Id, label, queryInt, text } from '../../platform/primitives.ts'
import { RoleName } from '../accounts/accounts.ts'

/** A person as administrators see them, without any of their content. */
export const ManagedUser = z.object({
  id: Id,
  username: z.string(),
  full_name: z.nullable(z.string()),
  email: z.string(),
  /** Only companies that the caller administers; super admins see all. */
  companies: z.array(z.object({ id: Id, name: z.string(), role: RoleName })),
  /** True when the email address is verified. */
  verified: z.boolean(),
  /** False when an administrator deactivated the account. */
  is_active: z.boolean(),
  /** True with an authenticator app or a passkey. */
  has_second_factor: z.boolean(),
  /** True when the person has access during the closed beta. */
  beta_access: z.boolean(),
  /** Dollars; null when billing is off. */
  balance: z.nullable(z.number()),
  created_at: z.string(),
  /** Last call of any signed-in device; null without one. */
  last_used_at: z.nullable(z.string()),
})
export type ManagedUser = z.infer<typeof ManagedUser>

/** Days until sign-ins from before a company required a second step end. */
export const GRACE_DAYS = 7

export const ManagedCompany = z.object({
  id: Id,
  name: z.string(),
  people: z.int(),
  /** True when members must sign in with a second factor. */
  requires_second_factor: z.boolean(),
  /** When older sign-ins without a second step end; null when none is required. */
  second_factor_binds_at: z.nullable(z.string()),
  /** When outgoing calls in members' chats need approval. */
  outward_calls: OutwardCalls,
  outward_fixed_by: FixedBy,
  /** True when members may share assistants and tools within the company. Its administrators always may. */
  members_share: z.boolean(),
  /** Mails about notifications of its members quote questions and replies. */
  mails_show_content: z.boolean(),
})
export type ManagedCompany = z.infer<typeof ManagedCompany>

/** The role of a person in a company; null for none. */
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
    /** Words in a name, an address or a company. */
    q: z.optional(text(0, 200)),
    /** Filters by company, role and state. */
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

/** A person with the details of their page. */
export const ManagedUserDetails = z.extend(ManagedUser, {
  /** Groups of the companies that the caller administers, by name. */
  groups: z.array(z.object({ id: Id, name: z.string(), company_id: Id, from_directory: z.boolean() })),
  /** Devices and clients that are signed in. */
  sign_ins: z.int(),
})
export type ManagedUserDetails = z.infer<typeof ManagedUserDetails>

export const getManagedUser = route({
  method: 'GET',
  path: '/admin/users/:userId',
  access: 'admin',
  may: 'manage user',
  summary: 'One person with their groups and the number of their sign-ins',
  params: z.object({ userId: Id }),
  answer: ManagedUserDetails,
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
    /** New role in one company; null removes the person. Only super admins add people or appoint super admins. */
    membership: z.optional(Membership),
    beta_access: z.optional(z.boolean()),
    /** Always rejected: only the owner can verify an address. */
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
    'Rename a company, or decide how its people sign in, whether they share, and when calls that leave the house are approved; fields left out stay as they are',
  params: z.object({ companyId: Id }),
  body: z.object({
    name: z.optional(label(1, 100)),
    requires_second_factor: z.optional(z.boolean()),
    /** For a person in several companies, the strictest rule applies. */
    outward_calls: z.optional(OutwardCalls),
    members_share: z.optional(z.boolean()),
    mails_show_content: z.optional(z.boolean()),
  }),
  answer: ManagedCompany,
})
