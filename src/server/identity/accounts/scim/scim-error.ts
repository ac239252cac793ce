import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { toAppError } from '../../../platform/http/answer-errors.ts'

/** Error types of RFC 7644 (3.12). */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'uniqueness'
  | 'mutability'

/** An error in SCIM format. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

const taken = ['username_taken', 'email_taken']

/** Makes every error response use the format of RFC 7644. */
export function answerInScim(http: FastifyInstance): void {
  http.setErrorHandler((error, request, reply) => {
    const known = scimErrorOf(error)
    if (known.status >= 500) request.log.error({ error }, known.message)
    const wait = error instanceof AppError ? error.retryAfterSeconds : undefined
    if (wait !== undefined) reply.header('retry-after', Math.ceil(wait))
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
    const type = known.scimType === undefined ? {} : { scimType: known.scimType }
    return reply
      .status(known.status)
      .send(JSON.stringify({ schemas, status: String(known.status), detail: known.message, ...type }))
  })
}

/** Converts an error to its SCIM format. */
export function scimErrorOf(error: unknown): ScimError {
  return error instanceof ScimError ? error : toScim(toAppError(error))
}

function toScim({ status, code, detail }: AppError): ScimError {
  if (taken.includes(code)) return new ScimError(409, detail, 'uniqueness')
  if (status === 422) return new ScimError(400, detail, 'invalidValue')
  return new ScimError(status, detail)
}
