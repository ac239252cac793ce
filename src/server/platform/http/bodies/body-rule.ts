import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const MULTIPART_TYPE = 'multipart/form-data'

/** The body a route reads. A route without a rule reads none. */
export type BodyRule = {
  /** Media types in lower case, without parameters. */
  types: readonly string[]
  maxBytes: number
  /** Values of a JSON text or pairs of a form; `body-bounds.ts` says how many without it. */
  maxValues?: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Null where the route reads no body. Only `addRoute` sets it. */
    body?: BodyRule | null
  }
}

type Head = Pick<FastifyRequest, 'headers'>

/** Whether the head of a request announces a body. */
export function hasBody({ headers }: Head): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}

/** Announced length of the body in bytes; infinite for a chunked one. */
export function bytesOf({ headers }: Head): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/** Media type of the body in lower case, without parameters; empty without one. */
export function typeOf({ headers }: Head): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Refuses a body of a type the route does not read, and a compressed one. Pages of other sites may post forms and plain
 * text without a preflight, so neither is ever read as JSON. @throws AppError `malformed`
 */
export function assertReadable(rule: BodyRule, request: Head): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new AppError('malformed', 'Send the request body uncompressed.')
  const isListed = rule.types.includes(typeOf(request))
  if (rule.types.includes(MULTIPART_TYPE)) {
    // The parser of Fastify looks for a boundary and breaks without one.
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
