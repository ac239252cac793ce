import type { User } from '#shared/identity/accounts/accounts.ts'

/** Returns whether a person created the first account of an installation and has not finished its setup. */
export function isSetupDue({ preferences }: User): boolean {
  const kept = preferences.onboarding as { setup?: { completed?: unknown } } | null | undefined
  return kept?.setup?.completed === false
}
