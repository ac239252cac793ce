import type { ErrorCode } from '../../platform/errors.ts'

export const PASSWORD_MIN = 8

/** Error codes of a refused password, one for each rule. */
export const passwordFailures = [
  'password_too_short',
  'password_kinds_missing',
  'password_personal',
  'password_common',
  'password_used_before',
] as const satisfies ErrorCode[]

/** Returns how many kinds of characters a password has: lower case, upper case, digits, others. Letters without case count as others. */
export function countKinds(password: string): number {
  return [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u].filter((kind) => kind.test(password))
    .length
}

/** Returns the length in characters, as people count them. */
export const lengthOf = (password: string) => [...password.normalize('NFKC')].length
