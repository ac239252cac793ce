import * as z from 'zod/mini'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt, text } from '../../platform/primitives.ts'
import { RoleName } from './accounts.ts'
import { Domain } from './domains.ts'
import { Email } from './email.ts'

/** Policy for new accounts: anybody, invited people, people with an address of certain domains, or no one. */
export const SignUpPolicy = z.enum(['open', 'invitation', 'domain', 'closed'])
export type SignUpPolicy = z.infer<typeof SignUpPolicy>

/** Company of somebody who signs up without an invitation: the first one of the installation, or a new one of their own. */
export const SignUpCompany = z.enum(['first', 'own'])
export type SignUpCompany = z.infer<typeof SignUpCompany>

export const SignUpRules = z.object({
  policy: SignUpPolicy,
  /** Domains of the policy `domain`; stored while another policy is active. */
  domains: z.array(z.string()),
  /** True when an environment variable sets the policy. */
  is_fixed: z.boolean(),
  fixed_by: FixedBy,
  company: SignUpCompany,
  company_fixed_by: FixedBy,
})
export type SignUpRules = z.infer<typeof SignUpRules>

export const getSignUpRules = route({
  method: 'GET',
  path: '/admin/sign-up',
  access: 'super_admin',
  summary: 'Who may make an account',
  answer: SignUpRules,
})

export const setSignUpRules = route({
  method: 'PUT',
  path: '/admin/sign-up',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Decide who may make an account',
  body: z.object({
    policy: SignUpPolicy,
    domains: z.array(Domain).check(z.maxLength(100)),
    /** Omit to keep the current choice. */
    company: z.optional(SignUpCompany),
  }),
  answer: SignUpRules,
})

/** An invitation by an administrator. `ended`: it expired, or its author lost the right to give it. */
export const Invitation = z.object({
  id: Id,
  company: z.object({ id: Id, name: z.string() }),
  role: RoleName,
  /** Null for a link that anybody can use. */
  email: z.nullable(z.string()),
  invited_by: z.nullable(z.string()),
  state: z.enum(['open', 'accepted', 'ended']),
  created_at: z.string(),
  sent_at: z.nullable(z.string()),
  expires_at: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

export const INVITATIONS_LIMIT = 50
export const INVITATION_DAYS = 7

export const listInvitations = route({
  method: 'GET',
  path: '/admin/invitations',
  access: 'admin',
  summary: 'The invitations into companies the caller administers, the newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: INVITATIONS_LIMIT }),
  }),
  answer: z.object({
    items: z.array(Invitation),
    total: z.int(),
    open: z.int(),
    page: z.int(),
    has_more: z.boolean(),
  }),
})

export const invite = route({
  method: 'POST',
  path: '/admin/invitations',
  access: 'admin',
  fails: ['not_found'],
  summary: 'Invite people by mail, or, without addresses, make one link',
  status: 201,
  body: z.object({
    company_id: Id,
    role: RoleName,
    emails: z.array(Email).check(z.maxLength(50)),
    days: z._default(z.int().check(z.gte(1), z.lte(30)), INVITATION_DAYS),
  }),
  /** Only this response contains `link`. */
  answer: z.object({ items: z.array(Invitation), link: z.nullable(z.string()) }),
})

export const sendInvitation = route({
  method: 'POST',
  path: '/admin/invitations/:invitationId/send',
  access: 'admin',
  fails: ['conflict'],
  may: 'manage invitation',
  summary: 'Mail an invitation again, with another link that works as long as a new one',
  params: z.object({ invitationId: Id }),
  answer: Notice,
})

export const withdrawInvitation = route({
  method: 'DELETE',
  path: '/admin/invitations/:invitationId',
  access: 'admin',
  fails: ['conflict'],
  may: 'manage invitation',
  summary: 'Withdraw an invitation; its link opens nothing from now on',
  params: z.object({ invitationId: Id }),
  answer: Notice,
})

const Token = z.object({ token: text(1, 200) })

/** Returns the details of an invitation. Uses POST, so that the token appears in no address and no log. */
export const readInvitation = route({
  method: 'POST',
  path: '/invitations/read',
  access: 'public',
  fails: ['token_invalid'],
  summary: 'What an invitation is for',
  body: Token,
  answer: z.object({
    company: z.string(),
    role: RoleName,
    email: z.nullable(z.string()),
    invited_by: z.nullable(z.string()),
    expires_at: z.string(),
  }),
})

export const acceptInvitation = route({
  method: 'POST',
  path: '/invitations/accept',
  access: 'user',
  fails: ['token_invalid', 'forbidden'],
  summary: 'Join a company one is invited to, with the account one has',
  body: Token,
  answer: Notice,
})
