import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ModelError, type ModelErrorKind } from '../port.ts'

/** No provider is waited for longer before it is asked again, in seconds. */
const WAIT_MAX = 60
/** Nothing a provider says is believed for longer, in seconds. */
const RETRY_AFTER_MAX = 86_400
/** As much of what a provider says is looked at, in characters. */
const SAID_MAX = 2_000

/** The error for an HTTP answer that is no success; the provider's own sentence is kept. */
export function failureOf(status: number, body: string, headers: Record<string, unknown>): ModelError {
  const said = readSentence(body).slice(0, SAID_MAX)
  const kind = kindOf(status, said)
  const retryAfterSeconds = readRetryAfter(headers) ?? readRetryDelay(body)
  return new ModelError(kind, sentenceFor(kind, said), { status, retryAfterSeconds })
}

/** The error for a failure that a provider reports inside a stream. */
export function failureInStream(error: unknown): ModelError {
  const said = (sentenceOf(error) ?? 'no reason given').slice(0, SAID_MAX)
  const { code, type } = (typeof error === 'object' && error ? error : {}) as Record<string, unknown>
  const status =
    typeof code === 'number' ? code : statusOfName(`${code ?? ''} ${type ?? ''}`.slice(0, SAID_MAX))
  const kind = kindOf(status, `${said} ${code ?? ''} ${type ?? ''}`.slice(0, SAID_MAX))
  return new ModelError(kind, sentenceFor(kind, said), { status })
}

/** The error for a server that could not be spoken to at all. */
export function unreachable(error: unknown): ModelError {
  return new ModelError('unreachable', sentenceFor('unreachable'), { cause: error })
}

/** Whether trying the same call again can help. */
export function isPassing(error: ModelError): boolean {
  if (error.kind === 'rate_limited')
    return error.retryAfterSeconds !== undefined || !/quota|billing|credit/i.test(error.message)
  return ['overloaded', 'unreachable', 'timeout', 'interrupted'].includes(error.kind)
}

/** For how long a provider wants to be left alone before the same call is made again, in milliseconds; undefined where it does not say. */
export function waitWanted({ retryAfterSeconds }: ModelError): number | undefined {
  return retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, WAIT_MAX) * 1000
}

/** Whether what was paid for at the provider is used up. */
export function isSpent({ kind, status, message }: ModelError): boolean {
  if (status === 402) return true
  return (
    ['rate_limited', 'bad_request'].includes(kind) &&
    /quota|credit balance|insufficient.(?:balance|credit|funds)/i.test(message)
  )
}

function kindOf(status: number, said: string): ModelErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'overloaded'
  return status === 413 || saysTooLong(said) ? 'too_long' : 'bad_request'
}

function saysTooLong(said: string): boolean {
  const inputAt = said.search(/input/i)
  const exceeds = inputAt >= 0 && /exceeds/i.test(said.slice(inputAt))
  return exceeds || /context.length|too long|maximum context|too many tokens/i.test(said)
}

function statusOfName(name: string): number {
  if (/overload|server_error|internal|unavailable/i.test(name)) return 503
  if (/rate.?limit|quota|resource_exhausted/i.test(name)) return 429
  if (/auth|permission/i.test(name)) return 401
  return 400
}

export const sentenceFor: (kind: ModelErrorKind, said?: string) => string = sayTrouble

function readSentence(body: string): string {
  const said = tryJson(body)
  if (said !== undefined) return sentenceOf(said) ?? ''
  return /<html|<!doctype/i.test(body) ? '' : body.trim().slice(0, 200)
}

/** `{error: {message}}`, `{message}`, `{detail}`, `[{error}]` and plain strings are all in use. */
function sentenceOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return sentenceOf(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail } = value as Record<string, unknown>
  return sentenceOf(error) ?? sentenceOf(message) ?? sentenceOf(detail)
}

function readRetryAfter(headers: Record<string, unknown>): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return Math.min(ms / 1000, RETRY_AFTER_MAX)
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX) : undefined
}

/** Google says how long to wait inside the body: `"retryDelay": "21s"`. */
function readRetryDelay(body: string): number | undefined {
  const seconds = Number(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1] ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(seconds, RETRY_AFTER_MAX) : undefined
}
