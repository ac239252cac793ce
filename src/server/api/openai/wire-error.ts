import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppError, ErrorCode } from '#shared/platform/errors.ts'
import { WIRE_BASE } from '#shared/platform/http.ts'
import { answeredStatus } from '../../platform/http/description/description.ts'
import { toProgramError, WireFailure } from './wire-failure.ts'

/** Error codes that OpenAI clients check; other errors use their own code. */
const wireCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  insufficient_balance: 'insufficient_quota',
  budget_used_up: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
  not_available: 'model_not_found',
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** How a wire writes an error: its HTTP status, the body, and the last events of a stream. */
export type ErrorForm = {
  status: (error: AppError) => number
  body: (error: AppError) => object
  events: (error: AppError) => string
}

export const openAiForm: ErrorForm = {
  status: (error) => wireStatus(error),
  body: (error) => toWireError(error),
  events: (error) => `data: ${JSON.stringify(toWireError(error))}\n\n`,
}

/** Converts an error to the OpenAI format. */
export function toWireError(error: AppError) {
  const status = wireStatus(error)
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  const param =
    (error instanceof WireFailure ? error.wire.param : undefined) ?? error.errors?.[0]?.path ?? null
  return { error: { message: error.detail, type, param, code: wireCode(error) } }
}

/** Returns the code of an error on the wire. */
export function wireCode(error: AppError): string {
  const code = error instanceof WireFailure ? error.wire.code : error.code
  return wireCodes[code as ErrorCode] ?? code
}

/** Returns the HTTP status; an unavailable model is 404. */
export function wireStatus(error: AppError): number {
  return error.code === 'not_available' ? answeredStatus({ base: WIRE_BASE }, error.code) : error.status
}

/** Makes every error response use the form of this wire. */
export function answerInWire(http: FastifyInstance, form = openAiForm): void {
  http.setErrorHandler((error, request, reply) => {
    const known = toProgramError(error)
    // A caller that hung up receives no answer.
    if (known.status >= 500 && !reply.raw.destroyed) request.log.error({ error }, known.detail)
    return reply.headers(retryHeaders(known)).status(form.status(known)).send(form.body(known))
  })
}

/** Accepts an API key in the header `x-api-key`, as the clients of Anthropic send it. */
export function acceptKeyHeader(http: FastifyInstance): void {
  http.addHook('onRequest', async ({ headers }) => {
    const { authorization, 'x-api-key': key } = headers
    if (authorization === undefined && typeof key === 'string') headers.authorization = `Bearer ${key}`
  })
}

/** Sends an error after its handler has ended. */
export function failLater(reply: FastifyReply, error: AppError, form = openAiForm): void {
  reply.headers(retryHeaders(error))
  sendLater(reply, form.status(error), form.body(error))
}

/** `x-should-retry` is obeyed by the clients of OpenAI and Anthropic. */
function retryHeaders(error: AppError): Record<string, string> {
  const { retryAfterSeconds: seconds } = error
  return {
    ...(seconds !== undefined && { 'retry-after': String(Math.ceil(seconds)) }),
    ...(error instanceof WireFailure && error.wire.isFinal && { 'x-should-retry': 'false' }),
  }
}

/** Sends a response after its handler has ended, so that slow work is not an active request. */
export function sendLater(reply: FastifyReply, status: number, body: unknown, type = JSON_TYPE): void {
  if (reply.raw.destroyed || reply.raw.headersSent) return
  reply.raw.writeHead(status, { ...reply.getHeaders(), 'content-type': type } as Record<string, string>)
  reply.raw.end(typeof body === 'string' ? body : JSON.stringify(body))
}
