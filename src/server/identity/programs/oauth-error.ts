import type { FastifyInstance } from 'fastify'
import type { AppError } from '#shared/platform/errors.ts'
import { toAppError } from '../../platform/http/answer-errors.ts'

type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** An error in the format of RFC 6749 (5.2) and RFC 7591 (3.2.2). */
export class OAuthError extends Error {
  readonly code: Code

  constructor(code: Code, text: string) {
    super(text)
    this.code = code
  }
}

/** Makes every error response use that format. */
export function answerInOAuth(http: FastifyInstance): void {
  http.setErrorHandler((error, request, reply) => {
    if (error instanceof OAuthError)
      return reply.status(400).send({ error: error.code, error_description: error.message })
    const known: AppError = toAppError(error)
    if (known.status >= 500) request.log.error({ error }, known.detail)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds))
    const status = known.status === 422 ? 400 : known.status
    const code =
      status >= 500
        ? 'server_error'
        : status === 429
          ? 'temporarily_unavailable'
          : known.code === 'not_found'
            ? 'not_found'
            : 'invalid_request'
    return reply.status(status).send({ error: code, error_description: known.detail })
  })
}
