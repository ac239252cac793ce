import * as z from 'zod/mini'
import type { ErrorCode } from '../../platform/errors.ts'
import { route } from '../../platform/http.ts'
import { text } from '../../platform/primitives.ts'

export const PASSWORD_MIN = 8
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

/** Error codes of a refused password, one for each rule. */
export const passwordFailures = [
  'password_too_short',
  'password_kinds_missing',
  'password_personal',
  'password_common',
  'password_used_before',
] as const satisfies ErrorCode[]

/** Reason for which a password must be changed before anything else. */
export const PasswordDue = z.enum([...passwordFailures, 'password_too_old'])
export type PasswordDue = z.infer<typeof PasswordDue>

/** Returns how many kinds of characters a password has: lower case, upper case, digits, others. Letters without case count as others. */
export function countKinds(password: string): number {
  return [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u].filter((kind) => kind.test(password))
    .length
}

/** Returns the length in characters, as people count them. */
export const lengthOf = (password: string) => [...password.normalize('NFKC')].length

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
