import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { RoleName } from './accounts.ts'

/** A way to sign in from outside, as super admins see it: what it needs and what its service has to know. Never a secret. */
export const SignOnWay = z.object({
  id: z.string(),
  name: z.string(),
  available: z.boolean(),
  /** The settings that are still needed. */
  missing: z.array(z.string()),
  /** The address to register with the service; null where there is none. */
  callback: z.nullable(z.string()),
  /** Where an identity provider reads about this product; null for all but SAML. */
  metadata: z.nullable(z.string()),
})
export type SignOnWay = z.infer<typeof SignOnWay>

/** What a group of a service makes people. `company` is null where the company is gone. */
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
