import { PASSWORD_MIN } from '#shared/identity/accounts/accounts.ts'

/** Problems of a new password and its confirmation, as keys under `errors`. */
export type PasswordProblems = { password?: 'password_too_short'; confirmation?: 'passwords_differ' }

/** Checks a new password: at least 8 characters, with a matching confirmation. */
export function checkPassword(password: string, confirmation: string): PasswordProblems {
  const problems: PasswordProblems = {}
  if (password.length < PASSWORD_MIN) problems.password = 'password_too_short'
  if (password !== confirmation) problems.confirmation = 'passwords_differ'
  return problems
}
