import type { User } from '#shared/accounts/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Access } from '#shared/http.ts'

/**
 * Who asks. A share link, an embed token or an API key is one more case here; the compiler then names every place
 * that decides.
 */
export type Principal = Anonymous | Person
export type Anonymous = { kind: 'anonymous' }
/** Somebody who is signed in, with their companies and roles. */
export type Person = { kind: 'user' } & Pick<User, 'id' | 'company_affiliations'>

export const anonymous: Anonymous = { kind: 'anonymous' }

/** Whether a principal reaches the access level of a route. */
export function reaches(principal: Principal, level: Access): boolean {
  switch (level) {
    case 'public':
      return true
    case 'user':
      return principal.kind === 'user'
    case 'admin':
      return administeredBy(principal).length > 0
    case 'super_admin':
      return rolesOf(principal).includes('super_admin')
    default:
      return level satisfies never
  }
}

/** The companies a principal belongs to, by id. */
export function companiesOf(principal: Principal): string[] {
  return affiliationsOf(principal).map(({ company }) => company.id)
}

/** Those of them it administers, the oldest first. */
export function administeredBy(principal: Principal): string[] {
  const own = affiliationsOf(principal).filter(({ role }) => role.name !== 'member')
  return own.map(({ company }) => company.id)
}

/**
 * The company a principal shares with anew: the first it administers.
 * @throws AppError `forbidden` for who administers none
 */
export function companyToShareWith(principal: Principal): string {
  const [company] = administeredBy(principal)
  if (company) return company
  throw new AppError('forbidden', 'Only an administrator of your company can share an assistant with it.')
}

function rolesOf(principal: Principal) {
  return affiliationsOf(principal).map(({ role }) => role.name)
}

function affiliationsOf(principal: Principal): User['company_affiliations'] {
  switch (principal.kind) {
    case 'user':
      return principal.company_affiliations
    case 'anonymous':
      return []
    default:
      return principal satisfies never
  }
}
