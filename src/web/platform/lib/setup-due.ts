import type { User } from '#shared/identity/accounts/accounts.ts'

/** Whether a person made the first account of an installation and has its first steps ahead of them: nobody else ever has. */
export function isSetupDue({ preferences }: User): boolean {
  const kept = preferences.onboarding as { setup?: { completed?: unknown } } | null | undefined
  return kept?.setup?.completed === false
}
