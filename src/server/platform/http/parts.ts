import * as z from 'zod'
import type { Route } from '#shared/platform/http.ts'
import { queryInt } from '#shared/platform/primitives.ts'

/** How far a list is passed over at most. */
const SKIP_MOST = 1_000_000

/** What a route reads of its query: what it says itself, or which part of its list is wanted. */
export function queryOf({ query, pages }: Pick<Route, 'query' | 'pages'>): z.core.$ZodType | undefined {
  if (!pages) return query
  return z.object({
    skip: queryInt({ min: 0, max: SKIP_MOST, fallback: 0 }),
    limit: queryInt({ min: 1, max: pages, fallback: pages }),
  })
}

export type Part = { skip: number; limit: number }

/** The wanted part of an answer that is a list, or of each list in it. */
export function cutAnswer(answer: unknown, { skip, limit }: Part): unknown {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(skip, skip + limit) : value)
  if (Array.isArray(answer)) return cut(answer)
  return Object.fromEntries(Object.entries(answer as object).map(([name, value]) => [name, cut(value)]))
}
