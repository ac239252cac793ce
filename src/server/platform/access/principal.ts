import type { User } from '#shared/identity/accounts/accounts.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Access, Route, Scope } from '#shared/platform/http.ts'

/** Who asks. Another kind is one more case here; the compiler then names every place that decides. */
export type Principal = Anonymous | Person | LinkHolder
export type Anonymous = { kind: 'anonymous' }
/** Whoever has a link that still holds: they see the files it shows, and nothing else that has an id. */
export type LinkHolder = { kind: 'link'; id: string }
/** Somebody with their companies and roles: signed in, a program that calls in their name, or a visitor they pay for. */
export type Person = (SignedIn | KeyHolder | Visitor) & Pick<User, 'id' | 'company_affiliations'>
type SignedIn = { kind: 'user' }
/** A program does what its key is for, never more than its person may, and administers nothing. */
type KeyHolder = { kind: 'key'; key: { id: string; scopes: Scope[] } }
/**
 * Whoever has an embedded assistant open. They have their own chats with it and what it answers from; `id` is who made the
 * token and pays for it, of whose things nothing else is theirs.
 */
export type Visitor = { kind: 'visitor'; visitor: { id: string; key_id: string; assistant_id: string } }

export const anonymous: Anonymous = { kind: 'anonymous' }

/** Whether a route is meant for a kind of caller at all: programs come in where it names what their key must be for. */
export function isOpenTo(
  principal: Principal,
  { access, scope, visitors }: Pick<Route, 'access' | 'scope' | 'visitors'>,
): boolean {
  if (access === 'public') return true
  if (principal.kind === 'visitor') return visitors === true || access === 'visitor'
  if (principal.kind !== 'key') return true
  return scope !== undefined && principal.key.scopes.includes(scope)
}

/** Whether a caller may read what a scope is about, beside what their route is for. A person may read all of their own. */
export function isFor(principal: Principal, scope: Scope): boolean {
  if (principal.kind === 'key') return principal.key.scopes.includes(scope)
  return principal.kind === 'user'
}

/** The API key or embed token somebody calls with, whose budget pays for it. */
export function keyOf(principal: Principal): string | undefined {
  if (principal.kind === 'visitor') return principal.visitor.key_id
  return principal.kind === 'key' ? principal.key.id : undefined
}

/** Whose share of the server a principal uses: a visitor has one beside that of who pays for them, and named after it. */
export function shareOf(principal: Person): string {
  return principal.kind === 'visitor' ? `${principal.id}/${principal.visitor.id}` : principal.id
}

/** Whether a principal reaches the access level of a route. */
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

/** The companies a principal belongs to, by id. */
export function companiesOf(principal: Principal): string[] {
  return affiliationsOf(principal).map(({ company }) => company.id)
}

/** Those of them it administers, the oldest first. */
export function administeredBy(principal: Principal): string[] {
  if (principal.kind !== 'user') return []
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
