import type { ErrorCode } from '#shared/platform/errors.ts'

/** `network`: there was no answer. `no_token`: the call needs a signed-in user and there is none. */
export type ApiErrorCode = ErrorCode | 'network' | 'no_token' | 'unknown'

/**
 * A failed call. `message` and `detail` are the server's sentence (or ours if there is none); `status` is the HTTP status,
 * 0 without an answer; `code` is translated by the interface.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ApiErrorCode
  readonly detail: string
  readonly fields: { path: string; message: string }[]
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    code: ApiErrorCode,
    detail: string,
    more: { fields?: { path: string; message: string }[]; retryAfterSeconds?: number | null } = {},
  ) {
    super(detail)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.detail = detail
    this.fields = more.fields ?? []
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export const EXPIRED = 'Authentication error: Token may have expired'
export const NO_TOKEN = 'No authentication token available'
export const NO_WORKSPACE_TOKEN = 'Authentication token not found.'
export const NO_CONNECTION = 'Failed to fetch'

/** Returns whether an error is an API error, optionally with the given status. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  return error instanceof ApiError && (status === undefined || error.status === status)
}

/** Parses the failure of an answer. `streaming` only changes the sentence used without a `detail`. */
export async function readApiError(
  response: Response,
  { streaming = false }: { streaming?: boolean } = {},
): Promise<ApiError> {
  const body = await readBody(response)
  const retryAfter = Number(response.headers.get('retry-after'))
  const code = (typeof body.code === 'string' ? body.code : 'unknown') as ApiErrorCode
  const more = {
    fields: Array.isArray(body.errors) ? (body.errors as { path: string; message: string }[]) : [],
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
  }
  const fallback = `${streaming ? 'Streaming ' : ''}API Error ${response.status}`
  const detail = typeof body.detail === 'string' && body.detail ? body.detail : fallback
  return new ApiError(response.status, code, isExpired(response.status, code) ? EXPIRED : detail, more)
}

/** A wrong password in a form, and a service that must be connected, also answer 401 while the session is valid. */
export function isExpired(status: number, code: ApiErrorCode): boolean {
  return status === 401 && code !== 'wrong_credentials' && code !== 'not_connected'
}

async function readBody(response: Response): Promise<{ detail?: unknown; code?: unknown; errors?: unknown }> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
