import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import {
  isAnswerable,
  saysFiltered,
  saysNoImages,
  saysNoSystem,
  saysNoTools,
  saysTooLong,
} from '../adapting/refusal-words.ts'
import { ModelError, type ModelErrorKind } from '../port.ts'
import { detailsOf, record, sentenceOf, statusIn, statusOf } from './error-words.ts'
import { readRetryDelay } from './retry-delay.ts'

/** Maximum delay before a retry, in seconds. */
const WAIT_MAX = 60
/** A call whose provider requests a longer delay, in seconds, is not retried. */
const HOPELESS = 900
/** Characters that are read of a provider's error text. */
const SAID_MAX = 2_000

/** Returns the error for an HTTP answer that is no success, with the provider's own sentence. */
export function failureOf(status: number, body: string, headers: Record<string, unknown>): ModelError {
  const sentence = readSentence(body).slice(0, SAID_MAX)
  // Codes and figures are next to the sentence: `n_ctx`, `tool_use_failed`, the text of an upstream server.
  const said = withoutLinks(`${sentence} ${detailsOf(tryJson(body))}`.trim().slice(0, SAID_MAX))
  const kind = kindOf(status, said)
  const retryAfterSeconds = readRetryDelay(headers, body)
  return new ModelError(kind, sentenceFor(kind, sentence), { status, retryAfterSeconds, said })
}

/** Returns the error for a failure that a provider reports inside a stream. */
export function failureInStream(error: unknown): ModelError {
  const said = (sentenceOf(error) ?? 'no reason given').slice(0, SAID_MAX)
  const { code, type } = record(error)
  const named = code === undefined && type === undefined ? said : `${code ?? ''} ${type ?? ''}`
  const status =
    typeof error === 'string'
      ? (statusOf(error.slice(0, SAID_MAX)) ?? 500)
      : (statusIn(error) ?? statusOf(named.slice(0, SAID_MAX)) ?? 400)
  const all = withoutLinks(`${said} ${detailsOf(error)}`.slice(0, SAID_MAX))
  const kind = kindOf(status, all)
  return new ModelError(kind, sentenceFor(kind, said), { status, said: all })
}

/** The words of a link are not about the request. */
const withoutLinks = (said: string) => said.replaceAll(/https?:\/\/[^\s"'<>)]+/g, '…')

/** Returns the error for a server that cannot be reached. */
export function unreachable(error: unknown): ModelError {
  return new ModelError('unreachable', sentenceFor('unreachable'), { cause: error })
}

/** Returns whether a retry of the same call can help. */
export function isPassing(error: ModelError): boolean {
  if (error.kind === 'rate_limited')
    return error.retryAfterSeconds === undefined
      ? !/quota|billing|credit|balance/i.test(withoutHint(error.message))
      : error.retryAfterSeconds <= HOPELESS
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
    /quota|credit balance|insufficient.(?:balance|credit|funds)/i.test(withoutHint(message))
  )
}

/** Google says this of a limit per minute: "Resource has been exhausted (e.g. check quota)." */
const withoutHint = (message: string) => message.replace('(e.g. check quota)', '')

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
  if (status === 401) return 'unauthorized'
  if (status === 403) return kindOfForbidden(said)
  if (status === 404) return 'not_found'
  if (status === 408) return 'timeout'
  if (BUSY_STATUSES.includes(status)) return 'overloaded'
  if (status === 429) return isTooLargeForLimit(said) ? 'too_long' : 'rate_limited'
  if (status === 413 || saysTooLong(said)) return 'too_long'
  // Local servers answer with 500 when a chat template refuses a message.
  if (status >= 500) return isAnswerable(said) ? 'bad_request' : 'overloaded'
  return kindOfMisnamed(said) ?? 'bad_request'
}

/** Conflict with another request, failure of the model behind Bedrock, too early, and no free capacity at Groq. */
const BUSY_STATUSES = [409, 424, 425, 498]

/** The key is at fault unless the provider names another reason. Another key does not help with a refused text. */
function kindOfForbidden(said: string): ModelErrorKind {
  if (LIMITED.test(said)) return 'rate_limited'
  const isOther = [saysFiltered, saysNoTools, saysNoImages, saysNoSystem].some((says) => says(said))
  return isOther ? 'bad_request' : 'unauthorized'
}

/** Gateways report limits and overload with the status of a bad request. */
function kindOfMisnamed(said: string): ModelErrorKind | null {
  if (LIMITED.test(said)) return 'rate_limited'
  return /\b(?:overloaded|at capacity|temporarily unavailable|server is busy)\b/i.test(said)
    ? 'overloaded'
    : null
}

const LIMITED =
  /rate.?limit.{0,20}(?:exceed|reach|hit)|(?:exceed|reach|hit).{0,20}rate.?limit|too many requests/i

/** One request exceeds the limit of a whole minute, so waiting does not help. */
const isTooLargeForLimit = (said: string) => /request too large/i.test(said) && /tokens/i.test(said)

export const sentenceFor: (kind: ModelErrorKind, said?: string) => string = sayTrouble

function readSentence(body: string): string {
  const said = tryJson(body)
  if (said !== undefined) return sentenceOf(said) ?? ''
  return /<html|<!doctype/i.test(body) ? '' : body.trim().slice(0, 200)
}
