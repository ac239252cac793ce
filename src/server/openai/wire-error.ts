import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, type ErrorCode, statusOf } from '#shared/errors.ts'
import { toAppError } from '../http/answer-errors.ts'

/** Codes clients of the OpenAI wire look at; the others are said by their own names. */
const wireCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  insufficient_balance: 'insufficient_quota',
  budget_used_up: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
  not_available: 'model_not_found',
}

/** A failure as the OpenAI wire says it. */
export function toWireError({ code, detail, errors, status }: AppError) {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return { error: { message: detail, type, param: errors?.[0]?.path ?? null, code: wireCodes[code] ?? code } }
}

/** The status of that answer: a model nobody offers is one that was not found. */
export const wireStatus = ({ code, status }: AppError) => (code === 'not_available' ? 404 : status)

/** What a run ended with, as an error; its code is one of ours or unknown. */
export function failureOf(code: string | null | undefined, detail: string): AppError {
  return new AppError(code && code in statusOf ? (code as ErrorCode) : 'provider_failed', detail)
}

/** Every failure of the wire leaves in its own form. */
export function answerInWire(http: FastifyInstance): void {
  http.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    if (known.status >= 500) request.log.error({ error }, known.detail)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds))
    return reply.status(wireStatus(known)).send(toWireError(known))
  })
}

/** Answers after its handler is over: what takes long is no work under way. */
export function sendLater(reply: FastifyReply, status: number, body: unknown): void {
  if (reply.raw.destroyed || reply.raw.headersSent) return
  const headers = { ...reply.getHeaders(), 'content-type': 'application/json; charset=utf-8' }
  reply.raw.writeHead(status, headers as Record<string, string>)
  reply.raw.end(JSON.stringify(body))
}
