/** Pages of the admin area by group, in the order of the navigation. */
export const pageGroups = {
  first: ['overview'],
  people: ['users', 'companies', 'groups', 'projects', 'grants', 'hidden_controls', 'sign_up', 'sign_on'],
  work: ['connections', 'databases', 'channels', 'schedules', 'queue'],
  money: ['usage', 'budgets'],
  house: ['announcements', 'brand', 'terms', 'classes', 'masking', 'retention', 'accesses', 'audit'],
} as const
const pages = Object.values(pageGroups).flat()
export type AdminPage = (typeof pages)[number]

/** Pages for super admins only. */
const apart: readonly AdminPage[] = ['sign_up', 'databases', 'channels', 'budgets', 'queue', 'accesses']

/** Returns the pages that an administrator may open. */
export function adminPages(isSuper: boolean): AdminPage[] {
  return pages.filter((page) => isSuper || !apart.includes(page))
}
