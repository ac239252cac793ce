import type { User } from '#shared/identity/accounts/accounts.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Access, Route, Scope } from '#shared/platform/http.ts'

/** The caller. When a kind is added, the compiler reports every decision that must handle it. */
export type Principal = Anonymous | Person | LinkHolder
export type Anonymous = { kind: 'anonymous' }
/** The holder of a valid share link. It gives access to the files of the link and to nothing else with an id. */
export type LinkHolder = { kind: 'link'; id: string }
/**
 * A user with companies and roles: signed in, represented by an API key, or paying for a visitor. With an `audience` they read only
 * what everyone in it may read too.
 */
export type Person = (SignedIn | KeyHolder | Visitor) &
  Pick<User, 'id' | 'company_affiliations'> & { outside?: Outside; audience?: readonly Principal[] }
/** The companies whose administration is closed to the caller's address (`networks.ts`). */
export type Outside = { companies: readonly string[]; address: string }
type SignedIn = { kind: 'user' }
/** An API key is limited by its scopes and by its user's rights. It never has administrator rights. */
type KeyHolder = { kind: 'key'; key: { id: string; scopes: Scope[] } }
/**
 * A person using an embedded assistant. A visitor can access their own chats and the documents the assistant answers from.
 * `id` is the user who made the token and pays; the visitor has no access to that user's other things.
 */
export type Visitor = { kind: 'visitor'; visitor: { id: string; key_id: string; assistant_id: string } }

export const anonymous: Anonymous = { kind: 'anonymous' }

/** Returns whether a route accepts this kind of caller. API keys are accepted where the route names a scope. */
export function isOpenTo(
  principal: Principal,
  { access, scope, visitors }: Pick<Route, 'access' | 'scope' | 'visitors'>,
): boolean {
  if (access === 'public') return true
  if (principal.kind === 'visitor') return visitors === true || access === 'visitor'
  if (principal.kind !== 'key') return true
  return scope !== undefined && principal.key.scopes.includes(scope)
}

/** Returns whether a caller may read data of a scope, in addition to the scope of the route. Users may read all of their own data. */
export function isFor(principal: Principal, scope: Scope): boolean {
  if (principal.kind === 'key') return principal.key.scopes.includes(scope)
  return principal.kind === 'user'
}

/** Returns the id of the API key or embed token whose budget pays, if there is one. */
export function keyOf(principal: Principal): string | undefined {
  if (principal.kind === 'visitor') return principal.visitor.key_id
  return principal.kind === 'key' ? principal.key.id : undefined
}

/** Returns the key for rate limits. A visitor has a separate share, named after the paying user. */
export function shareOf(principal: Person): string {
  return principal.kind === 'visitor' ? `${principal.id}/${principal.visitor.id}` : principal.id
}

/** Returns whether a principal has the access level a route requires. */
export function reaches(principal: Principal, level: Access): boolean {
  switch (level) {
    case 'public':
      return true
    case 'visitor':
      return principal.kind === 'visitor'
    case 'user':
      return principal.kind !== 'anonymous'
    case 'admin':
      return administeredBy(principal).length > 0
    case 'super_admin':
      return rolesOf(principal).includes('super_admin')
    default:
      return level satisfies never
  }
}

/** Returns the ids of the principal's companies. */
export function companiesOf(principal: Principal): string[] {
  return affiliationsOf(principal).map(({ company }) => company.id)
}

/** Returns the ids of the companies the principal administers from this address, oldest first. */
export function administeredBy(principal: Principal): string[] {
  if (principal.kind !== 'user') return []
  const own = affiliationsOf(principal).filter(({ role }) => role.name !== 'member')
  const closed = principal.outside?.companies ?? []
  return own.map(({ company }) => company.id).filter((id) => !closed.includes(id))
}

/**
 * Returns the company for a new share: the first one the principal administers.
 * @throws AppError `forbidden` if the principal administers none
 */
export function companyToShareWith(principal: Principal): string {
  const [company] = administeredBy(principal)
  if (company) return company
  throw new AppError('forbidden', 'Only an administrator of your company can share an assistant with it.')
}

function rolesOf(principal: Principal) {
  if (principal.kind !== 'user') return []
  return affiliationsOf(principal).map(({ role }) => role.name)
}

function affiliationsOf(principal: Principal): User['company_affiliations'] {
  switch (principal.kind) {
    case 'user':
    case 'key':
      return principal.company_affiliations
    case 'anonymous':
    case 'link':
    case 'visitor':
      return []
    default:
      return principal satisfies never
  }
}
