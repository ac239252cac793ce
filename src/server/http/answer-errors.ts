import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { isDiskFull, isUnreachable, isUnstorableText } from '../db/db.ts'

/** Every failure leaves as `{detail, code, errors?}`; what nobody expected is logged and says nothing of the inside. */
export function answerErrors(http: FastifyInstance): void {
  http.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    if (known.status >= 500) request.log.error({ error }, known.detail)
    return sendError(reply, known)
  })
}

/** Sends one error in the form every client knows. */
export function sendError(reply: FastifyReply, error: AppError) {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterSeconds))
  const { code, detail, errors } = error
  return reply.status(error.status).send(errors ? { detail, code, errors } : { detail, code })
}

/** What a failure of any origin means for the caller. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isUnreachable(error)) {
    return new AppError('unavailable', 'The database cannot be reached right now. Try again in a moment.', {
      retryAfterSeconds: 2,
      cause: error,
    })
  }
  if (isDiskFull(error)) {
    return new AppError('storage_full', 'The storage is full. Free some space and try again.', {
      cause: error,
    })
  }
  if (isUnstorableText(error)) {
    return new AppError('invalid', 'The text has characters that cannot be stored.', { cause: error })
  }
  return fromFastify(error) ?? new AppError('broken', 'Something went wrong on the server.', { cause: error })
}

function fromFastify(error: unknown): AppError | null {
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (statusCode === 413) return new AppError('too_large', 'The request is too large.', { cause: error })
  if (statusCode === 429) return new AppError('rate_limited', 'Too many requests. Try again in a moment.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError('malformed', 'The request body must be JSON.', { cause: error })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('malformed', 'The request is not well formed.', { cause: error })
  }
  return null
}
