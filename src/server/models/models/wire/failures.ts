import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { isAnswerable, saysTooLong } from '../adapting/refusal-words.ts'
import { ModelError, type ModelErrorKind } from '../port.ts'

/** Maximum delay before a retry, in seconds. */
const WAIT_MAX = 60
/** Maximum delay that is accepted from a provider, in seconds. */
const RETRY_AFTER_MAX = 86_400
/** Characters that are read of a provider's error text. */
const SAID_MAX = 2_000

/** Returns the error for an HTTP answer that is no success, with the provider's own sentence. */
export function failureOf(status: number, body: string, headers: Record<string, unknown>): ModelError {
  const sentence = readSentence(body).slice(0, SAID_MAX)
  // Codes and figures are next to the sentence: `n_ctx`, `tool_use_failed`, the text of an upstream server.
  const said = `${sentence} ${detailsOf(tryJson(body))}`.trim().slice(0, SAID_MAX)
  const kind = kindOf(status, said)
  const retryAfterSeconds = readRetryAfter(headers) ?? readRetryDelay(body)
  return new ModelError(kind, sentenceFor(kind, sentence), { status, retryAfterSeconds, said })
}

/** Returns the error for a failure that a provider reports inside a stream. */
export function failureInStream(error: unknown): ModelError {
  const said = (sentenceOf(error) ?? 'no reason given').slice(0, SAID_MAX)
  const { code, type } = (typeof error === 'object' && error ? error : {}) as Record<string, unknown>
  const status =
    typeof code === 'number'
      ? code
      : typeof error === 'string'
        ? 500
        : statusOfName(`${code ?? ''} ${type ?? ''}`.slice(0, SAID_MAX))
  const all = `${said} ${detailsOf(error)}`.slice(0, SAID_MAX)
  const kind = kindOf(status, all)
  return new ModelError(kind, sentenceFor(kind, said), { status, said: all })
}

/** Returns the error for a server that cannot be reached. */
export function unreachable(error: unknown): ModelError {
  return new ModelError('unreachable', sentenceFor('unreachable'), { cause: error })
}

/** Returns whether a retry of the same call can help. */
export function isPassing(error: ModelError): boolean {
  if (error.kind === 'rate_limited')
    return error.retryAfterSeconds !== undefined || !/quota|billing|credit/i.test(error.message)
  return ['overloaded', 'unreachable', 'timeout', 'interrupted'].includes(error.kind)
}

/** Returns whether a server refuses because it is still loading its model, as llama.cpp does. */
export function isLoading({ status, said }: ModelError): boolean {
  return status === 503 && /\bloading (?:the )?model\b|\bmodel is (?:still |currently )?loading\b/i.test(said)
}

/** Returns the delay that a provider requests before a retry, in milliseconds; undefined when it names none. */
export function waitWanted({ retryAfterSeconds }: ModelError): number | undefined {
  return retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds, WAIT_MAX) * 1000
}

/** Returns whether the credit at the provider is used up. */
export function isSpent({ kind, status, message }: ModelError): boolean {
  if (status === 402) return true
  return (
    ['rate_limited', 'bad_request'].includes(kind) &&
    /quota|credit balance|insufficient.(?:balance|credit|funds)/i.test(message)
  )
}

/** Messages of web servers and frameworks for an unknown path, as opposed to an unknown model. */
const NO_ADDRESS =
  /^\W{0,4}(?:404\W{0,4})?(?:page |resource |the requested resource was |the requested url was )?not found|cannot (?:get|post)|no (?:such )?route|route .{0,80}not found|path .{0,80}not found|invalid url|unexpected endpoint|method not allowed|not implemented|unknown (?:url|path|endpoint|request url)|no handler|unrecognized request url/i

/** Returns whether a refusal concerns the address rather than the model. */
export function isNoServer({ status, said }: ModelError): boolean {
  if (status === undefined) return false
  if (status === 405 || status === 501 || (status >= 300 && status < 400)) return true
  return (
    status === 404 && (said.trim() === '' || NO_ADDRESS.test(said)) && !/\bmodel\b|deployment/i.test(said)
  )
}

/** Returns the error for an address at which no model server answers. */
export function noServerAt(base_url: string, cause: ModelError): ModelError {
  const { status, said } = cause
  return new ModelError('wrong_address', sentenceFor('wrong_address', base_url), { status, said, cause })
}

function kindOf(status: number, said: string): ModelErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 408) return 'timeout'
  // Bedrock: the model behind the service failed.
  if (status === 424) return 'overloaded'
  if (status === 429) return isTooLargeForLimit(said) ? 'too_long' : 'rate_limited'
  if (status === 413 || saysTooLong(said)) return 'too_long'
  // Local servers answer with 500 when a chat template refuses a message.
  return status >= 500 && !isAnswerable(said) ? 'overloaded' : 'bad_request'
}

/** One request exceeds the limit of a whole minute, so waiting does not help. */
const isTooLargeForLimit = (said: string) => /request too large/i.test(said) && /tokens/i.test(said)

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

const DETAILS = ['code', 'type', 'status', 'n_ctx', 'n_prompt_tokens', 'failed_generation', 'param']

/** Returns the code, the figures and the text of an upstream server next to the sentence. */
function detailsOf(value: unknown): string {
  const { error, metadata, ...own } = record(Array.isArray(value) ? value[0] : value)
  const inner = typeof error === 'object' && error ? detailsOf(error) : ''
  const { raw } = record(metadata)
  const told = DETAILS.flatMap((name) => (own[name] == null ? [] : [`${name} ${String(own[name])}`]))
  return [...told, ...(typeof raw === 'string' ? [raw] : []), inner].join(' ').trim()
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function readRetryAfter(headers: Record<string, unknown>): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return Math.min(ms / 1000, RETRY_AFTER_MAX)
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX) : undefined
}

/** Google names the delay in the body: `"retryDelay": "21s"`. */
function readRetryDelay(body: string): number | undefined {
  const seconds = Number(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1] ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(seconds, RETRY_AFTER_MAX) : undefined
}
