import type { Route } from '#shared/platform/http.ts'
import { ApiError, NO_CONNECTION, NO_TOKEN, readApiError } from '../../platform/lib/api/api-error.ts'
import { type Answer, urlOf } from '../../platform/lib/api/call.ts'
import { noteReached } from '../../platform/lib/api/reachability.ts'
import { raiseSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { getToken } from '../../platform/lib/me/token.ts'

type Sending = {
  params?: Record<string, string>
  form: FormData
  signal: AbortSignal
  /** Called with the bytes of the body sent so far. */
  onSent: (bytes: number) => void
}

/**
 * Sends files with progress, which `fetch` lacks. Throws like `call`: an ApiError, and the reason of an abort unchanged.
 */
export function uploadForm<R extends Route>(
  route: R,
  { params, form, signal, onSent }: Sending,
): Promise<Answer<R>> {
  const token = getToken()
  return new Promise((resolve, reject) => {
    if (!token) return reject(new ApiError(401, 'no_token', NO_TOKEN))
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open(route.method, urlOf(route, { params }))
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => {
      noteReached(true)
      if (request.status >= 200 && request.status < 300) return resolve(JSON.parse(request.responseText))
      readApiError(answerOf(request)).then((error) => {
        if (error.status === 401 && token === getToken()) raiseSessionExpired()
        reject(error)
      }, reject)
    }
    request.onerror = () => {
      noteReached(false)
      reject(new ApiError(0, 'network', NO_CONNECTION))
    }
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after')
  return new Response(request.responseText, {
    status: request.status,
    ...(retryAfter === null ? {} : { headers: { 'retry-after': retryAfter } }),
  })
}
