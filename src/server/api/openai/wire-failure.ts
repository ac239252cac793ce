import { AppError, type ErrorCode, statusOf } from '#shared/platform/errors.ts'
import { type Refusal, refusalOf } from '../../models/models/adapting/refusal-class.ts'
import { ModelError } from '../../models/models/port.ts'
import { toAppError } from '../../platform/http/answer-errors.ts'
import type { CallRow } from './store.ts'

type Class = {
  status: number
  /** The code that OpenAI clients check. */
  code: string
  param?: string
  /** True when the same request would fail again or cost again: clients must not retry. */
  isFinal?: boolean
  retryAfterSeconds?: number
}

/** A failure with an HTTP status and a code of the program's wire. */
export class WireFailure extends AppError {
  readonly wire: Class
  constructor(
    wire: Class,
    detail: string,
    code: ErrorCode = wire.status < 500 ? 'malformed' : 'provider_failed',
  ) {
    super(
      code,
      detail,
      wire.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: wire.retryAfterSeconds },
    )
    this.wire = wire
  }

  override get status(): number {
    return this.wire.status
  }
}

/** A request that is refused with 400 here, before a model is asked. `param` is the field. */
export function refuse(detail: string, param: string, code = 'invalid_request_error'): WireFailure {
  return new WireFailure({ status: 400, code, param, isFinal: true }, detail)
}

/** Maps any error to the failure that a program sees. */
export function toProgramError(error: unknown): AppError {
  return error instanceof ModelError ? fromRefusal(refusalOf(error), error.message) : toAppError(error)
}

/** The failure of a run. A retry would pay again, except where the provider was only away. */
export function failureOfRun(error: CallRow['error']): AppError {
  const { code = 'provider_failed', detail = 'The call failed.', refusal } = error ?? {}
  if (refusal) return fromRefusal(refusal, detail)
  const known = code in statusOf ? (code as ErrorCode) : 'provider_failed'
  return new WireFailure({ status: statusOf[known], code: known, isFinal: true }, detail, known)
}

/** Seconds to wait when a provider limits requests and does not say for how long. */
const RETRY_AFTER_SECONDS = 5

function fromRefusal(refusal: Refusal, detail: string): AppError {
  if (refusal.kind === 'not_available') return new AppError('not_available', detail)
  const wire = classify(refusal)
  return new WireFailure(wire, detail, wire.status === 424 ? 'provider_key_refused' : undefined)
}

/**
 * A refusal keeps the provider's class. A refused key or an empty account is the installation's, not the caller's: 424,
 * because a 401 makes programs replace their own key and a 5xx makes them retry.
 */
function classify({ kind, status, retry_after_seconds, filtered, spent }: Refusal): Class {
  const isFinal = true
  if (filtered) return { status: 400, code: 'content_filter', isFinal }
  if (spent && status === 429) return { status, code: 'insufficient_quota', isFinal }
  if (spent) return { status: 424, code: 'provider_key_refused', isFinal }
  switch (kind) {
    case 'unauthorized':
      return { status: 424, code: 'provider_key_refused', isFinal }
    case 'not_found':
      return { status: 404, code: 'model_not_found', isFinal }
    case 'too_long':
      return { status: status === 413 ? 413 : 400, code: 'context_length_exceeded', isFinal }
    case 'bad_request':
      return {
        status: status === 413 || status === 422 ? status : 400,
        code: 'invalid_request_error',
        isFinal,
      }
    case 'rate_limited':
    case 'no_room':
      return {
        ...{ status: 429, code: 'rate_limit_exceeded' },
        retryAfterSeconds: retry_after_seconds ?? RETRY_AFTER_SECONDS,
      }
    case 'cut':
      return { status: 502, code: 'provider_failed', isFinal }
    default:
      return {
        status: kind === 'overloaded' && (status === 503 || status === 529) ? 503 : 502,
        code: 'provider_failed',
        ...(retry_after_seconds !== undefined && { retryAfterSeconds: retry_after_seconds }),
      }
  }
}
