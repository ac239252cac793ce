import { isApiError, NO_CONNECTION } from '../../platform/lib/api/api-error.ts'

/** Keys of the `login` namespace, under `errors`. */
export type LoginProblem =
  | 'beta_required'
  | 'account_deactivated'
  | 'email_not_verified'
  | 'outside_networks'
  | 'login_failed'
  | 'connection'

/** Classifies a login error. Unknown errors count as a failed login. */
export function loginProblem(error: unknown): LoginProblem {
  const message = messageOf(error)
  if (/beta/i.test(message)) return 'beta_required'
  if (isApiError(error) && (error.code === 'account_deactivated' || error.code === 'outside_networks'))
    return error.code
  if (message === 'Email not verified') return 'email_not_verified'
  if (message === NO_CONNECTION) return 'connection'
  return 'login_failed'
}

/** Classifies the `error` or `sso_error` value of a failed sign-on. */
export function signOnProblem(error: string): 'beta_required' | 'sso_failed' {
  return /beta/i.test(error) ? 'beta_required' : 'sso_failed'
}

const signOnReasons = [
  'email_not_proved',
  'sign_in_first',
  'address_taken',
  'connected_elsewhere',
  'setup_code_required',
  'not_configured',
  'cancelled',
  'expired',
  'rate_limited',
  'sign_up_refused',
  'account_deactivated',
]

/** Returns the reason of a failed sign-on as a key under `sso_reasons`, or null when it is unknown. */
export function signOnReason(error: string): string | null {
  return signOnReasons.includes(error) ? error : null
}

export type SignUpProblem =
  | 'username_taken'
  | 'email_taken'
  | 'beta_required'
  | 'setup_code'
  | 'sign_up_refused'
  | 'invitation_invalid'
  | 'connection'
  | 'registration_failed'

/** Classifies a sign-up error. */
export function signUpProblem(error: unknown): SignUpProblem {
  const message = messageOf(error)
  if (message === 'Username already registered') return 'username_taken'
  if (message === 'Email already registered') return 'email_taken'
  if (isApiError(error) && error.code === 'setup_code_required') return 'setup_code'
  if (isApiError(error) && error.code === 'sign_up_refused') return 'sign_up_refused'
  if (isApiError(error) && error.code === 'token_invalid') return 'invitation_invalid'
  if (/beta/i.test(message)) return 'beta_required'
  return message === NO_CONNECTION ? 'connection' : 'registration_failed'
}

/** Classifies a password reset error: an invalid link, or anything else. */
export function resetProblem(error: unknown): 'token_invalid' | 'reset_failed' {
  return isApiError(error) && error.code === 'token_invalid' ? 'token_invalid' : 'reset_failed'
}

/** Returns the wait in seconds after too many attempts; 0 for any other error. */
export function waitSeconds(error: unknown): number {
  return isApiError(error, 429) ? Math.max(1, error.retryAfterSeconds ?? 60) : 0
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
