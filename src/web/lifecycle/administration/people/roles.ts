import type { RoleName } from '#shared/identity/accounts/accounts.ts'

/** Returns the roles an administrator may give; the current one is always listed. */
export function rolesFor(isSuper: boolean, current?: RoleName): RoleName[] {
  const roles: RoleName[] = ['member', 'company_admin']
  return isSuper || current === 'super_admin' ? [...roles, 'super_admin'] : roles
}

/** Returns the question to ask before a change of role, or null when it needs none. */
export function questionOf(before: RoleName, next: RoleName): 'super_admin' | 'no_super_admin' | null {
  if (before === next) return null
  if (next === 'super_admin') return 'super_admin'
  return before === 'super_admin' ? 'no_super_admin' : null
}
