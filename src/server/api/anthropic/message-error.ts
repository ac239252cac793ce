import type { AppError } from '#shared/platform/errors.ts'
import { type ErrorForm, toWireError, wireStatus } from '../openai/openai.ts'

const types: Record<number, string> = {
  ...{ 401: 'authentication_error', 402: 'billing_error', 403: 'permission_error' },
  ...{ 404: 'not_found_error', 413: 'request_too_large', 429: 'rate_limit_error', 503: 'overloaded_error' },
}

/** Anthropic answers every invalid request with 400. */
function statusOf(error: AppError): number {
  const status = wireStatus(error)
  return status === 422 ? 400 : status
}

/** `code` and `param` are our own, for programs that tell apart errors of one type. */
function write(error: AppError) {
  const status = statusOf(error)
  const { code, param } = toWireError(error).error
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message: error.detail, code, param } }
}

/** The errors of Anthropic's wire. */
export const anthropicForm: ErrorForm = {
  status: statusOf,
  body: write,
  events: (error) => `event: error\ndata: ${JSON.stringify(write(error))}\n\n`,
}
