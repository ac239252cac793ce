import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const MULTIPART_TYPE = 'multipart/form-data'

/** Rule for the body of a route. A route without one reads no body. */
export type BodyRule = {
  /** Lower-case media types without parameters. */
  types: readonly string[]
  maxBytes: number
  /** Maximum values of a JSON text or pairs of a form. The default is in `body-bounds.ts`. */
  maxValues?: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Null if the route reads no body. Only `addRoute` sets it. */
    body?: BodyRule | null
  }
}

type Head = Pick<FastifyRequest, 'headers'>

/** Returns whether the head announces a body. */
export function hasBody({ headers }: Head): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}

/** Returns the announced body length in bytes; infinity for a chunked body. */
export function bytesOf({ headers }: Head): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/** Returns the lower-case media type without parameters; an empty text if there is none. */
export function typeOf({ headers }: Head): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Refuses a compressed body, and one of a type the route does not read. Other sites may post forms and plain text without a
 * preflight, so neither is parsed as JSON. @throws AppError `malformed`
 */
export function assertReadable(rule: BodyRule, request: Head): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new AppError('malformed', 'Send the request body uncompressed.')
  const isListed = rule.types.includes(typeOf(request))
  if (isListed && typeOf(request) === FORM_TYPE) return
  if (rule.types.includes(MULTIPART_TYPE)) {
    // Fastify's parser fails without a boundary.
    const hasBoundary = /;\s*boundary=("[^"]+"|[^\s";]+)/i.test(request.headers['content-type'] ?? '')
    if (isListed && hasBoundary) return
    throw new AppError('malformed', 'Send one file as multipart form data, with a boundary.')
  }
  if (isListed) return
  throw new AppError(
    'malformed',
    rule.types[0] === FORM_TYPE
      ? 'The request body must be a form (application/x-www-form-urlencoded).'
      : 'The request body must be JSON.',
  )
}
