import { Agent, fetch } from 'undici'
import { AppError } from '#shared/platform/errors.ts'
import type { OutboundAnswer, OutboundRequest } from '#shared/platform/outbound.ts'
import { assertPublicHost, parseAddress } from './fetchable.ts'
import { readJson } from './foreign/foreign.ts'
import { lookupPublic } from './lookup-public.ts'
import { readAtMost } from './read-at-most.ts'

export { assertFetchable } from './assert-fetchable.ts'
export { connectGuarded, isTrustedReceiver, type Receiver } from './connect-guarded.ts'
export { PrivateHost } from './fetchable.ts'
export { readAtMost } from './read-at-most.ts'
export { resolveHost } from './resolve-host.ts'

/** Options of a fetch. */
type Terms = {
  signal?: AbortSignal
  /** Timeout in seconds for the whole fetch, including redirects; the default is 15. */
  seconds?: number
  /** Addresses configured by an administrator. Their origins may be private. */
  trusted?: readonly string[]
  /** Maximum number of redirects; the default is 5. */
  maxRedirects?: number
}

/** The only access to addresses named by users, models or pages. */
export type Outbound = {
  /**
   * Fetches a public address. Private addresses are refused after name resolution, at every redirect.
   * @throws AppError `invalid` for an address that is not allowed, `too_large`, `unavailable`; an abort unchanged
   */
  fetch: (url: string, request?: OutboundRequest & Terms) => Promise<OutboundAnswer>
  /**
   * Opens a streamed answer. It aborts beyond `maxBytes` and follows no redirect. `seconds` is the timeout for its head.
   * @throws AppError `invalid`, `unavailable`; an abort unchanged
   */
  open: (url: string, request?: OutboundRequest & Omit<Terms, 'maxRedirects'>) => Promise<Response>
  close: () => Promise<void>
}

const MAX_REDIRECTS = 5
const MAX_BYTES = 5 * 1024 * 1024
const SECONDS = 15
const redirects = new Set([301, 302, 303, 307, 308])

export function createOutbound(): Outbound {
  const timeouts = { headersTimeout: 60_000, bodyTimeout: 60_000, connect: { timeout: 10_000 } }
  // The check is part of connecting, so the checked address is the one connected to.
  const guarded = new Agent({ ...timeouts, connect: { timeout: 10_000, lookup: lookupPublic } })
  const open = new Agent(timeouts)
  // A stream may be silent for as long as a tool may take. `seconds` limits the wait for its head.
  const patient = { headersTimeout: 0, bodyTimeout: 3_700_000 }
  const guardedStreams = new Agent({ ...patient, connect: { timeout: 10_000, lookup: lookupPublic } })
  const openStreams = new Agent({ ...patient, connect: { timeout: 10_000 } })
  return {
    close: async () => {
      // Streams may never end by themselves.
      await Promise.all([guarded.close(), open.close(), guardedStreams.destroy(), openStreams.destroy()])
    },
    open: async (
      address,
      { maxBytes = MAX_BYTES, seconds = SECONDS, trusted = [], signal, ...request } = {},
    ) => {
      const url = parseAddress(address)
      const isTrusted = trusted.some((one) => new URL(one).origin === url.origin)
      if (!isTrusted) assertPublicHost(url)
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), seconds * 1000)
      try {
        const { method = 'GET', headers, body } = request
        const answer = await fetch(url, {
          ...{ method, redirect: 'manual', dispatcher: isTrusted ? openStreams : guardedStreams },
          ...{ headers: { 'user-agent': 'Atrium', ...headers }, body: body ?? null },
          signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        })
        return boundBody(answer, maxBytes)
      } catch (error) {
        throw describeFailure(error, url, { signal, limit: late.signal, seconds })
      } finally {
        clearTimeout(timer)
      }
    },
    fetch: async (address, request = {}) => {
      const {
        maxBytes = MAX_BYTES,
        seconds = SECONDS,
        trusted = [],
        signal,
        maxRedirects = MAX_REDIRECTS,
      } = request
      const origins = new Set(trusted.map((url) => new URL(url).origin))
      const limit = AbortSignal.timeout(seconds * 1000)
      const stop = signal ? AbortSignal.any([signal, limit]) : limit
      let hop: Hop = { url: parseAddress(address), request }
      try {
        for (let count = 0; count <= maxRedirects; count += 1) {
          const isTrusted = origins.has(hop.url.origin)
          if (!isTrusted) assertPublicHost(hop.url)
          const { method = 'GET', headers, body } = hop.request
          const answer = await fetch(hop.url, {
            ...{ method, redirect: 'manual', signal: stop, dispatcher: isTrusted ? open : guarded },
            ...{ headers: { 'user-agent': 'Atrium', ...headers }, body: body ?? null },
          })
          const location = redirects.has(answer.status) ? answer.headers.get('location') : null
          if (location === null) return await readAnswer(hop.url, answer, maxBytes)
          await answer.body?.cancel()
          hop = followRedirect(hop, location, answer.status)
        }
        throw new AppError('unavailable', `${hop.url.hostname} redirects too often.`)
      } catch (error) {
        throw describeFailure(error, hop.url, { signal, limit, seconds })
      }
    },
  }
}

/** Returns an answer whose body aborts beyond this many bytes. */
function boundBody(answer: Answer, maxBytes: number): Response {
  const { status, statusText, body } = answer
  let left = maxBytes
  const counted = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        left -= chunk.byteLength
        if (left < 0) controller.error(new AppError('too_large', 'The answer is too large.'))
        else controller.enqueue(chunk)
      },
    }),
  )
  const hasBody = counted !== undefined && ![204, 205, 304].includes(status)
  return new Response(hasBody ? counted : null, {
    ...{ status, statusText },
    headers: [...answer.headers],
  })
}

type Hop = { url: URL; request: OutboundRequest }
type Answer = Awaited<ReturnType<typeof fetch>>

async function readAnswer(url: URL, answer: Answer, maxBytes: number): Promise<OutboundAnswer> {
  const bytes = await readAtMost(answer, maxBytes)
  const text = () => new TextDecoder().decode(bytes)
  return {
    ...{ ok: answer.ok, status: answer.status, url: url.href, bytes, text },
    headers: new Headers([...answer.headers]),
    json: () =>
      readJson(bytes).catch((error) => {
        if (!(error instanceof SyntaxError)) throw error
        throw new AppError('unavailable', `${url.hostname} did not answer with JSON.`)
      }),
  }
}

/** Headers that do not identify the caller. Only these are sent to another origin. */
const PLAIN = new Set(['accept', 'accept-language', 'content-language', 'content-type', 'user-agent'])

/** Builds the request after a redirect. Possible secrets stay with their origin, and a form is not sent twice. */
function followRedirect({ url, request }: Hop, location: string, status: number): Hop {
  const next = parseAddress(URL.canParse(location, url.href) ? new URL(location, url).href : location)
  const { body, headers = {}, method = 'GET', ...rest } = request
  const isKept = status === 307 || status === 308 || method === 'GET' || method === 'HEAD'
  const kept = Object.entries(headers).filter(([name]) => {
    if (next.origin !== url.origin && !PLAIN.has(name.toLowerCase())) return false
    return isKept || !/^content-/i.test(name)
  })
  const plain = { ...rest, headers: Object.fromEntries(kept), method: isKept ? method : ('GET' as const) }
  return { url: next, request: isKept && body !== undefined ? { ...plain, body } : plain }
}

type Limits = { signal: AbortSignal | undefined; limit: AbortSignal; seconds: number }

function describeFailure(error: unknown, url: URL, { signal, limit, seconds }: Limits): unknown {
  if (signal?.aborted) return signal.reason
  if (limit.aborted)
    return new AppError('unavailable', `${url.hostname} did not answer within ${seconds} seconds.`)
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause
  return new AppError('unavailable', `${url.hostname} could not be reached.`, { cause: error })
}
