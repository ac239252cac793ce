import * as z from 'zod'
import type { Route } from '#shared/platform/http.ts'
import { queryInt } from '#shared/platform/primitives.ts'

/** Maximum number of list items to skip. */
const MAX_SKIP = 1_000_000

/** Returns the query schema of a route: its own, or that of the requested page. */
export function queryOf({ query, pages }: Pick<Route, 'query' | 'pages'>): z.core.$ZodType | undefined {
  if (!pages) return query
  return z.object({
    skip: queryInt({ min: 0, max: MAX_SKIP, fallback: 0 }),
    limit: queryInt({ min: 1, max: pages, fallback: pages }),
  })
}

export type Part = { skip: number; limit: number }

/** Returns the requested page of an answer that is a list, or of each list in it. */
export function cutAnswer(answer: unknown, { skip, limit }: Part): unknown {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(skip, skip + limit) : value)
  if (Array.isArray(answer)) return cut(answer)
  return Object.fromEntries(Object.entries(answer as object).map(([name, value]) => [name, cut(value)]))
}
