import { type ErrorCode, statusOf } from '#shared/platform/errors.ts'
import { type Route, WIRE_BASE } from '#shared/platform/http.ts'

/** Codes that every route may answer with. */
const always: ErrorCode[] = ['malformed', 'rate_limited', 'broken', 'unavailable', 'storage_full']

/** Returns every error code of a route: those of its access and input, and those it declares. */
export function failuresOf(route: Route): ErrorCode[] {
  const { method, access, params, query, pages, fails = [] } = route
  const codes = [...always, ...fails]
  if (access !== 'public') codes.push('unauthenticated', 'forbidden', 'not_granted', 'outside_networks')
  if (route.afterTerms) codes.push('terms_due')
  if (access === 'admin') codes.push('administration_closed')
  if (params) codes.push('not_found')
  if (params || query || pages || method !== 'GET') codes.push('invalid')
  if (method !== 'GET') codes.push('too_large', 'too_slow')
  return [...new Set(codes)].sort()
}

/** Groups these codes by HTTP status. */
export function failuresByStatus(route: Route): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  for (const code of failuresOf(route)) {
    const status = answeredStatus(route, code)
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return found
}

/** Returns the HTTP status of a code. The wires of programs answer 404 for a model that is not offered. */
export function answeredStatus(
  { base, errorForm }: Pick<Route, 'base' | 'errorForm'>,
  code: ErrorCode,
): number {
  const status = base === WIRE_BASE && code === 'not_available' ? 404 : statusOf[code]
  return errorForm === 'anthropic' && status === 422 ? 400 : status
}
