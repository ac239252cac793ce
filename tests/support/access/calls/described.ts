import type { May } from '../../../../src/shared/platform/http.ts'
import type { Things } from '../things.ts'

/** A valid call of a route, beside what its path names. */
export type Described = {
  /** What the body or the query names: who calls must be allowed to do that with it. */
  names?: May
  /** Or be a super admin, who sees all of it elsewhere too. */
  orSuperAdmin?: boolean
  /** The answer is a list: it is told who finds the owner's thing in it. */
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
