import * as z from 'zod/mini'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { RoleName } from './accounts.ts'

/**
 * Why the groups of people were unknown at sign-ons of the last 30 days: `too_many` for the service to send, or `not_sent` at all.
 * Their roles stayed.
 */
export const UnknownGroups = z.object({
  reason: z.enum(['too_many', 'not_sent']),
  people: z.int(),
  last_at: z.string(),
})
export type UnknownGroups = z.infer<typeof UnknownGroups>

/** A sign-on service as super admins see it: its settings and the values to enter at the service. Never a secret. */
export const SignOnWay = z.object({
  id: z.string(),
  name: z.string(),
  available: z.boolean(),
  /** Missing settings. */
  missing: z.array(z.string()),
  /** Environment variables that set it up. */
  fixed_by: FixedBy,
  /** Redirect address to register with the service; null when there is none. */
  callback: z.nullable(z.string()),
  /** Address of the SAML metadata; null for other services. */
  metadata: z.nullable(z.string()),
  unknown_groups: z.array(UnknownGroups),
})
export type SignOnWay = z.infer<typeof SignOnWay>

/** Maps a group of a service to a role in a company. `company` is null when the company was deleted. */
export const SignOnRule = z.object({
  provider: z.string(),
  group: z.string(),
  company_id: Id,
  company: z.nullable(z.string()),
  role: RoleName,
})

export const listSignOnWays = route({
  method: 'GET',
  path: '/admin/sign-on',
  access: 'super_admin',
  summary: 'The ways to sign in from outside, what each still needs, and what groups make people',
  answer: z.object({ ways: z.array(SignOnWay), rules: z.array(SignOnRule) }),
})
