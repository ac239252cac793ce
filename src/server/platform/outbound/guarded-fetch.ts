import { boundJson } from './foreign/bound-stream.ts'
import type { Outbound } from './outbound.ts'

const bounds = { bytes: 512 * 1024, values: 10_000, depth: 50 }
const methods = ['GET', 'HEAD', 'POST'] as const

/**
 * Returns a `fetch` for libraries that reads small JSON only. Private addresses are refused, except those with the origin of a `trusted`
 * address. It follows no redirect.
 */
export function guardedFetch(
  outbound: Pick<Outbound, 'open'>,
  trusted: readonly string[],
  seconds: number,
): (address: string | URL, init?: RequestInit) => Promise<Response> {
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const known = methods.find((one) => one === method.toUpperCase())
    if (!known) throw new TypeError(`${method} is not used here.`)
    const answer = await outbound.open(String(address), {
      ...{ method: known, trusted, seconds, maxBytes: bounds.bytes },
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal ? { signal } : {}),
    })
    if (!answer.body) return answer
    const { status, statusText } = answer
    const text = answer.body.pipeThrough(boundJson(bounds, (bytes) => bytes))
    return new Response(text as ReadableStream<Uint8Array<ArrayBuffer>>, {
      ...{ status, statusText, headers: answer.headers },
    })
  }
}
