import type { ErrorCode } from '#shared/platform/errors.ts'

/** `network`: no answer came at all. `no_token`: the call needs a signed-in user and there is none. */
export type ApiErrorCode = ErrorCode | 'network' | 'no_token' | 'unknown'

/**
 * A call that did not succeed. `message` and `detail` are the sentence of the server (or ours when there is none);
 * `status` is the HTTP status, 0 when no answer came; `code` is what the interface translates.
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

/** Whether an error is an API error, optionally one with the given status. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  return error instanceof ApiError && (status === undefined || error.status === status)
}

/** Reads the failure out of an answer that is not OK. `streaming` only changes the sentence used without a `detail`. */
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

/** A wrong password in a form, and a service that has to be connected, are also a 401, but the session is fine. */
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
