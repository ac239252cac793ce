/** All error codes with their HTTP statuses. The list is closed. */
export const statusOf = {
  malformed: 400,
  token_invalid: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  not_connected: 401,
  insufficient_balance: 402,
  budget_used_up: 402,
  forbidden: 403,
  not_granted: 403,
  email_not_verified: 403,
  beta_required: 403,
  account_deactivated: 403,
  setup_code_required: 403,
  sign_up_refused: 403,
  password_change_required: 403,
  outside_networks: 403,
  administration_closed: 403,
  terms_due: 403,
  class_refused: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  held: 409,
  username_taken: 409,
  email_taken: 409,
  session_busy: 409,
  chat_begun: 409,
  already_answered: 409,
  deadline_passed: 409,
  no_answer: 409,
  too_large: 413,
  quota_exceeded: 413,
  invalid: 422,
  not_available: 422,
  password_too_short: 422,
  password_kinds_missing: 422,
  password_personal: 422,
  password_common: 422,
  password_used_before: 422,
  provider_key_refused: 424,
  rate_limited: 429,
  broken: 500,
  provider_failed: 502,
  unavailable: 503,
  directory_unavailable: 503,
  search_too_long: 503,
  storage_full: 507,
} as const

export type ErrorCode = keyof typeof statusOf

/** An invalid field of a request: its path and the problem. */
export type FieldError = { path: string; message: string }

/**
 * An expected failure. `code` determines the HTTP status and the translated text;
 * `detail` is shown when there is no translation.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = detail
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return statusOf[this.code]
  }
}

/** A feature's error that maps to an AppError for callers and to one word for metrics. */
export abstract class TranslatableError extends Error {
  abstract readonly kind: string
  abstract toAppError(): AppError
}
