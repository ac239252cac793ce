import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { OutboundAnswer } from '#shared/platform/outbound.ts'
import { readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ItemRefused, SourceBusy, type SourceContext } from '../define-connector.ts'
import { assertAnswered } from '../source-requests.ts'

const MAX_ANSWER_BYTES = 16_000_000
/** A list has many small values: a hundred pages with all their properties, for example. */
const BOUNDS = { values: 300_000, depth: 100 }
const SECONDS = 60
/** Longest wait between two requests of one step, in seconds, and the number of waits. */
const [MAX_WAIT_SECONDS, MAX_WAITS] = [60, 20]

/** Options of a request. `query` leaves out values that are undefined. */
export type Ask = {
  query?: Record<string, string | number | undefined>
  /** Sent as JSON with POST. Some interfaces read with POST. */
  body?: unknown
  signal?: AbortSignal
  /**
   * A further request of an item or a page of a list. It waits when the source asks to: a step that began again each time would never end
   * at a source that allows fewer requests than the step has.
   */
  isFurther?: boolean
  /** Reports a refusal that an answer with the status 200 describes. */
  assertDone?: (answer: unknown, headers: Headers) => void
}

/** Requests to a source that answers with JSON. Paths are relative to its root. */
export type JsonRequests = {
  host: string
  root: URL
  /** Returns the parsed answer. @throws SignedOut, SourceBusy, ItemRefused, AppError `unavailable` */
  ask<T>(path: string, shape: z.ZodType<T>, options?: Ask): Promise<T>
  /** Returns a file, also from another host that the source redirects to, which gets no secrets. @throws as `ask`, AppError `too_large` */
  download(path: string, signal: AbortSignal): Promise<Readable>
}

/** Prepares requests with the headers of a sign-in. @throws AppError `invalid` for an address that cannot work */
export function requestsTo(
  context: SourceContext,
  address: string,
  headers: Record<string, string>,
): JsonRequests {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw new AppError('invalid', 'The address is not valid.')
  const root = new URL(url.href)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  const { outbound, config, maxBytes } = context
  const common = { seconds: SECONDS, trusted: config.ATRIUM_TOOLS_PRIVATE }
  const pause = { until: 0 }
  const ask: JsonRequests['ask'] = async (path, shape, options = {}) => {
    const signal = options.signal ?? context.signal
    for (let waits = 0; ; waits += 1) {
      await waitUntil(pause.until, signal)
      try {
        const answer = await send(path, { ...options, signal })
        const parsed = shape.safeParse(answer)
        if (parsed.success) return parsed.data
        const text = `${root.host} sent an answer that cannot be read.`
        throw new AppError('unavailable', text, { cause: parsed.error })
      } catch (error) {
        const mayWait = error instanceof SourceBusy && options.isFurther && waits < MAX_WAITS
        if (!mayWait || error.seconds > MAX_WAIT_SECONDS) throw error
        pause.until = Date.now() + error.seconds * 1000
      }
    }
  }
  const send = async (path: string, { query, body, signal, assertDone }: Ask): Promise<unknown> => {
    const answer = await outbound.fetch(urlOf(root, path, query), {
      ...{ ...common, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0, ...(signal && { signal }) },
      headers: { accept: 'application/json', ...headers, ...(body !== undefined && json) },
      ...(body !== undefined && { method: 'POST' as const, body: JSON.stringify(body) }),
    })
    assertAnswered(root.host, answer)
    const value = await jsonOf(root, answer)
    assertDone?.(value, answer.headers)
    return value
  }
  const download = async (path: string, signal: AbortSignal): Promise<Readable> => {
    const answer = await outbound.fetch(urlOf(root, path), { ...common, maxBytes, headers, signal })
    assertAnswered(root.host, answer)
    return readableOf(answer.bytes)
  }
  return { host: root.host, root, ask, download }
}

/** Waits for a time. @throws the reason of an abort */
async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  const ms = time - Date.now()
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** @throws AppError `unavailable` for an answer that is no JSON, `too_large` */
async function jsonOf({ host }: URL, { bytes }: OutboundAnswer): Promise<unknown> {
  try {
    return await readJson(bytes, BOUNDS)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError('unavailable', `${host} did not answer with JSON.`)
  }
}

const json = { 'content-type': 'application/json' }

/** Returns bytes or a text as a stream. */
export const readableOf = (content: Uint8Array | string): Readable =>
  Readable.from([Buffer.from(content as string)], { objectMode: false })

/** The source names paths of its own, which must stay below its root. */
function urlOf(root: URL, path: string, query: Ask['query'] = {}): string {
  const url = URL.parse(path.replace(/^\/+/, ''), root.href)
  if (!url || url.origin !== root.origin || !url.pathname.startsWith(root.pathname))
    throw new ItemRefused('refused', `${root.host} names an address of another server.`)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}

/** Returns a part of a path, such as the id of a page. */
export const part = (id: string): string => encodeURIComponent(id)

/** Returns the address of a path that the source names for people; nothing for one on another server. */
export function linkTo({ root }: JsonRequests, path: string | null | undefined): { url?: string } {
  const url = path ? URL.parse(path.replace(/^\/+/, ''), root.href) : null
  return url?.origin === root.origin ? { url: url.href } : {}
}

/** Reports what a source refuses as a whole as `unavailable`. */
export async function asUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ItemRefused) throw new AppError('unavailable', error.message)
    throw error
  }
}

/** Returns the header of Basic, or of Bearer without a name. */
export const signIn = (name: string | undefined, token: string | undefined): Record<string, string> => ({
  authorization: name
    ? `Basic ${Buffer.from(`${name}:${token ?? ''}`).toString('base64')}`
    : `Bearer ${token ?? ''}`,
})
