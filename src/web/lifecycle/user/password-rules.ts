import { PASSWORD_MIN } from '#shared/identity/accounts/accounts.ts'

export type PasswordDraft = { current: string; next: string; again: string }
type PasswordProblem = 'current_missing' | 'too_short' | 'no_match'
export type PasswordProblems = Partial<Record<keyof PasswordDraft, PasswordProblem>>

/** Checks the two rules of a new password, and that the current one is entered if there is one. */
export function checkPasswords(draft: PasswordDraft, { hasPassword = true } = {}): PasswordProblems {
  const problems: PasswordProblems = {}
  if (hasPassword && draft.current === '') problems.current = 'current_missing'
  if (draft.next.length < PASSWORD_MIN) problems.next = 'too_short'
  else if (draft.next !== draft.again) problems.again = 'no_match'
  return problems
}
