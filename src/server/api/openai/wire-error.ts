import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, type ErrorCode, statusOf } from '#shared/platform/errors.ts'
import { WIRE_BASE } from '#shared/platform/http.ts'
import { toAppError } from '../../platform/http/answer-errors.ts'
import { answeredStatus } from '../../platform/http/description/description.ts'

/** Error codes that OpenAI clients check; other errors use their own code. */
const wireCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  insufficient_balance: 'insufficient_quota',
  budget_used_up: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
  not_available: 'model_not_found',
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Converts an error to the OpenAI format. */
export function toWireError({ code, detail, errors, status }: AppError) {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return { error: { message: detail, type, param: errors?.[0]?.path ?? null, code: wireCodes[code] ?? code } }
}

/** Returns the HTTP status; an unavailable model is 404. */
export const wireStatus = ({ code }: AppError) => answeredStatus({ base: WIRE_BASE }, code)

/** Returns the error of a failed run; an unknown code becomes a generic one. */
export function failureOf(code: string | null | undefined, detail: string): AppError {
  return new AppError(code && code in statusOf ? (code as ErrorCode) : 'provider_failed', detail)
}

/** Makes every error response use the OpenAI format. */
export function answerInWire(http: FastifyInstance): void {
  http.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    if (known.status >= 500) request.log.error({ error }, known.detail)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds))
    return reply.status(wireStatus(known)).send(toWireError(known))
  })
}

/** Sends a response after its handler has ended, so that slow work is not an active request. */
export function sendLater(reply: FastifyReply, status: number, body: unknown, type = JSON_TYPE): void {
  if (reply.raw.destroyed || reply.raw.headersSent) return
  reply.raw.writeHead(status, { ...reply.getHeaders(), 'content-type': type } as Record<string, string>)
  reply.raw.end(typeof body === 'string' ? body : JSON.stringify(body))
}
