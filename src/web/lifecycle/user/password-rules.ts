import type { PasswordRules } from '#shared/identity/accounts/password-policy.ts'
import { brokenRule } from '../../identity/passwords/passwords.tsx'

export type PasswordDraft = { current: string; next: string; again: string }
type PasswordProblem = 'current_missing' | 'no_match' | NonNullable<ReturnType<typeof brokenRule>>
export type PasswordProblems = Partial<Record<keyof PasswordDraft, PasswordProblem>>

type Known = { hasPassword?: boolean; rules?: PasswordRules | null }

/** Checks the rules of a new password that need no server, its confirmation, and that the current one is entered if there is one. */
export function checkPasswords(
  draft: PasswordDraft,
  { hasPassword = true, rules = null }: Known = {},
): PasswordProblems {
  const problems: PasswordProblems = {}
  if (hasPassword && draft.current === '') problems.current = 'current_missing'
  const broken = brokenRule(draft.next, rules)
  if (broken) problems.next = broken
  else if (draft.next !== draft.again) problems.again = 'no_match'
  return problems
}
