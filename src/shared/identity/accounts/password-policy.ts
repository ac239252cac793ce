import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { text } from '../../platform/primitives.ts'
import { PASSWORD_MIN, passwordFailures } from './password-strength.ts'

export const PASSWORD_MAX = 256
/** Bounds every policy keeps. */
export const Password = text(PASSWORD_MIN, PASSWORD_MAX)

export const MAX_MIN_LENGTH = 64
export const MAX_HISTORY = 24
export const MAX_AGE_DAYS = 3650

/** The rules for a new password, as forms show them. */
export const PasswordRules = z.object({
  min_length: z.int().check(z.gte(PASSWORD_MIN), z.lte(MAX_MIN_LENGTH)),
  /** Refuses common passwords and those made of the person's name, their address or the product's name. */
  refuses_common: z.boolean(),
  /** Number of kinds of characters needed: lower case, upper case, digits, others. 0 for no rule. */
  min_kinds: z.int().check(z.gte(0), z.lte(4)),
  /** Number of last passwords that are refused; 0 for no rule. */
  history: z.int().check(z.gte(0), z.lte(MAX_HISTORY)),
})
export type PasswordRules = z.infer<typeof PasswordRules>

export const PasswordPolicy = z.extend(PasswordRules, {
  /** Age at which a password must be changed; null for none. */
  max_age_days: z.nullable(z.int().check(z.gte(1), z.lte(MAX_AGE_DAYS))),
  /** When a password that breaks the rules must be changed: at the next sign-in, or not before it is changed anyway. */
  applies: z.enum(['now', 'next_change']),
})
export type PasswordPolicy = z.infer<typeof PasswordPolicy>

/** Reason for which a password must be changed before anything else. */
export const PasswordDue = z.enum([...passwordFailures, 'password_too_old'])
export type PasswordDue = z.infer<typeof PasswordDue>

export const getPasswordPolicy = route({
  method: 'GET',
  path: '/admin/password-policy',
  access: 'super_admin',
  summary: 'The rules for passwords',
  answer: PasswordPolicy,
})

export const setPasswordPolicy = route({
  method: 'PUT',
  path: '/admin/password-policy',
  access: 'super_admin',
  summary: 'Set the rules for passwords',
  body: PasswordPolicy,
  answer: PasswordPolicy,
})
