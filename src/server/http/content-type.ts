import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Route } from '#shared/http.ts'

/**
 * Refuses a body of another type than the route reads. A page elsewhere may post forms and plain text
 * without asking, so neither is ever taken for JSON. @throws AppError `malformed`
 */
export function assertContentType(route: Route, request: FastifyRequest): void {
  if (!hasBody(request)) return
  const given = request.headers['content-type'] ?? ''
  const type = given.split(';', 1)[0]?.trim().toLowerCase()
  if (route.upload) {
    // The parser of Fastify knows a boundary only by looking for it, and breaks without one.
    const hasBoundary = /;\s*boundary=("[^"]+"|[^\s";]+)/i.test(given)
    if (type === 'multipart/form-data' && hasBoundary) return
    throw new AppError('malformed', 'Send one file as multipart form data, with a boundary.')
  }
  if (route.form) {
    if (type === 'application/x-www-form-urlencoded') return
    throw new AppError('malformed', 'The request body must be a form (application/x-www-form-urlencoded).')
  }
  if (type !== 'application/json') throw new AppError('malformed', 'The request body must be JSON.')
}

function hasBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}
