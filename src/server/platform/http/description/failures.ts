import { type ErrorCode, statusOf } from '#shared/platform/errors.ts'
import { type Route, WIRE_BASE } from '#shared/platform/http.ts'

/** Whatever is asked for may come too often, badly formed, or while something is not there. */
const always: ErrorCode[] = ['malformed', 'rate_limited', 'broken', 'unavailable', 'storage_full']

/** Every code a route may fail with: by how it is called, and by what it says itself. */
export function failuresOf(route: Route): ErrorCode[] {
  const { method, access, params, query, pages, fails = [] } = route
  const codes = [...always, ...fails]
  if (access !== 'public') codes.push('unauthenticated', 'forbidden', 'not_granted')
  if (params) codes.push('not_found')
  if (params || query || pages || method !== 'GET') codes.push('invalid')
  if (method !== 'GET') codes.push('too_large', 'too_slow')
  return [...new Set(codes)].sort()
}

/** Those codes by the status they are answered with. */
export function failuresByStatus(route: Route): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  for (const code of failuresOf(route)) {
    const status = answeredStatus(route, code)
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return found
}

/** On the OpenAI wire a model nobody offers is one that was not found. */
export function answeredStatus({ base }: Pick<Route, 'base'>, code: ErrorCode): number {
  return base === WIRE_BASE && code === 'not_available' ? 404 : statusOf[code]
}
