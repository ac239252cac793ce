import type { May } from '../../../../src/shared/platform/http.ts'
import type { Things } from '../things.ts'

/** A valid call of a route, apart from its path parameters. */
export type Described = {
  /** The right the caller needs to the thing named in the body or query. */
  names?: May
  /** Super admins may call it too, since they see all of it elsewhere. */
  orSuperAdmin?: boolean
  /** For a list: the owner's thing to look for in the answer. */
  shows?: { thing: May | 'read company'; id: (things: Things) => string }
  query?: (things: Things) => Record<string, string>
  body?: (things: Things) => unknown
  form?: Record<string, string>
  upload?: boolean
}

export const nothing: Described = {}
export const body = (value: unknown): Described => ({ body: () => value })
export const lists = (
  thing: NonNullable<Described['shows']>['thing'],
  id: (things: Things) => string,
  query: Record<string, string> = {},
): Described => ({ shows: { thing, id }, query: () => query })
export const email = { email: 'nobody@example.com' }
