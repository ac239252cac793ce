import { API_BASE } from '#shared/platform/http.ts'
import { parseUrl } from '#shared/platform/parse-url.ts'
import { ApiError, NO_CONNECTION, NO_TOKEN, readApiError } from './api/api-error.ts'
import { getToken } from './me/token.ts'

/**
 * Fetches a file whose address an answer named, with the person's token; a relative one stands on the origin of the API. Another
 * origin is never asked: it would get the token. @throws ApiError; an abort as it is
 */
export async function openAddress(address: string, signal?: AbortSignal): Promise<Response> {
  const { origin } = new URL(import.meta.env.VITE_API_BASE ?? API_BASE, location.href)
  const url = parseUrl(address, origin)
  if (url?.origin !== origin) throw new ApiError(0, 'unknown', `No address of this product: ${address}`)
  const token = getToken()
  if (!token) throw new ApiError(401, 'no_token', NO_TOKEN)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(url.href, { headers, ...(signal ? { signal } : {}) }).catch(() => {
    signal?.throwIfAborted()
    throw new ApiError(0, 'network', NO_CONNECTION)
  })
  if (!response.ok) throw await readApiError(response)
  return response
}
