import type * as z from 'zod/mini'

/** Who may call a route at all. Ownership of what it touches is checked by the route's guard. */
export type Access = 'public' | 'user' | 'admin' | 'super_admin'

type Schema = z.core.$ZodType

/**
 * One HTTP route as data: the server serves it, the client calls it, OpenAPI describes it.
 * `path` is relative to the API base and written with `:params`. `kind: 'stream'` answers
 * `text/event-stream`; `form: true` reads `application/x-www-form-urlencoded`, `upload: true` files as
 * `multipart/form-data`, all others JSON.
 */
export type Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  access: Access
  summary: string
  /** Further verbs the server accepts for the same route. */
  alsoMethods?: ('PUT' | 'PATCH')[]
  kind?: 'json' | 'stream'
  form?: boolean
  upload?: boolean
  /** The most bytes of a body; without it 64 kB on public routes, 1 MB on others. */
  bodyLimit?: number
  status?: 200 | 201 | 202 | 204 | 302
  /** Also by processes that only execute runs and jobs, which serve no other route. */
  byWorkers?: boolean
  params?: Params
  query?: Query
  body?: Body
  answer?: Answer
}

export const API_BASE = '/api/v1'

/** Declares a route; exists so that the four schemas are inferred. */
export function route<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Answer extends Schema,
>(definition: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  return definition
}
