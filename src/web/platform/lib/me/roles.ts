import type { RoleName, User } from '#shared/identity/accounts/accounts.ts'

/** Returns whether any of the person's companies gives them super-admin rights. */
export function isSuperAdmin(user: User | null): boolean {
  return hasRole(user, ['super_admin'])
}

/** Returns whether the person may see the admin area: super admins and company admins. */
export function isAdmin(user: User | null): boolean {
  return hasRole(user, ['super_admin', 'company_admin'])
}

function hasRole(user: User | null, roles: RoleName[]): boolean {
  return user?.company_affiliations.some((affiliation) => roles.includes(affiliation.role.name)) ?? false
}
