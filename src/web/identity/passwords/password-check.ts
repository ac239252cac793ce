import type { PasswordRules } from '#shared/identity/accounts/password-policy.ts'
import { countKinds, lengthOf, PASSWORD_MIN } from '#shared/identity/accounts/password-strength.ts'

type Rule = 'password_too_short' | 'password_kinds_missing'
/** Problems of a new password as error codes, and of its confirmation as a key under `errors`. */
export type PasswordProblems = { password?: Rule; confirmation?: 'passwords_differ' }

/** Checks a new password by the rules that need no server, and that the confirmation matches. */
export function checkPassword(
  password: string,
  confirmation: string,
  rules: PasswordRules | null,
): PasswordProblems {
  const broken = brokenRule(password, rules)
  return {
    ...(broken && { password: broken }),
    ...(password !== confirmation && { confirmation: 'passwords_differ' as const }),
  }
}

/** Returns the first broken rule that needs no server. Until the rules are known, only the minimum length counts. */
export function brokenRule(password: string, rules: PasswordRules | null): Rule | null {
  if (lengthOf(password) < (rules?.min_length ?? PASSWORD_MIN)) return 'password_too_short'
  return rules && countKinds(password) < rules.min_kinds ? 'password_kinds_missing' : null
}
