import type * as z from 'zod/mini'
import { API_BASE, type Route, TIME_ZONE_HEADER } from '#shared/platform/http.ts'
import { takeEarly } from '../early/early.ts'
import { raiseSessionExpired } from '../me/session-expired.ts'
import { getToken } from '../me/token.ts'
import {
  ApiError,
  isApiError,
  isExpired,
  NO_CONNECTION,
  NO_TOKEN,
  NO_WORKSPACE_TOKEN,
  readApiError,
} from './api-error.ts'
import { noteReached } from './reachability.ts'

type Schema = z.core.$ZodType
type Part<Name extends string, S> = [S] extends [Schema]
  ? unknown extends z.core.input<S>
    ? { [K in Name]?: undefined }
    : object extends z.core.input<S>
      ? { [K in Name]?: z.core.input<S> }
      : { [K in Name]: z.core.input<S> }
  : { [K in Name]?: undefined }

/** Input of a route: `params`, `query` and `body` by its contract, and call options. */
export type Given<R extends Route> = Part<'params', NonNullable<R['params']>> &
  Part<'query', NonNullable<R['query']>> &
  Part<'body', NonNullable<R['body']>> &
  Manner
/** Answer of a route. */
export type Answer<R extends Route> = z.core.output<NonNullable<R['answer']>>
/** Answer of a read that found nothing. */
export type NotFound = { notFound: true }

type Manner = {
  signal?: AbortSignal
  /** Only throws for a refused token, without opening the session-expired popup. */
  quiet?: boolean
  /** Additional headers: `accept` for a stream from a route that also answers JSON, `last-event-id`. */
  headers?: Record<string, string>
  /** Files, sent as multipart form data instead of a JSON body. */
  form?: FormData
}
type Args<R extends Route> = object extends Given<R> ? [given?: Given<R>] : [given: Given<R>]
type Loose = Manner & { params?: unknown; query?: unknown; body?: unknown }

/**
 * Calls a contract route and returns its answer.
 * @throws ApiError for every failed answer and without an answer; an abort unchanged
 */
export async function call<R extends Route>(route: R, ...[given]: Args<R>): Promise<Answer<R>> {
  const response = await send(route, given ?? {})
  const text = await response.text()
  return (text ? JSON.parse(text) : null) as Answer<R>
}

/** Does the same for reads, but returns `{ notFound: true }` for a 404, with a warning in the console. */
export async function callOrNotFound<R extends Route>(
  route: R,
  ...args: Args<R>
): Promise<Answer<R> | NotFound> {
  return orNotFound(route, call(route, ...args))
}

/** Does the same for another kind of read. */
export async function orNotFound<Read>(route: Route, reading: Promise<Read>): Promise<Read | NotFound> {
  try {
    return await reading
  } catch (error) {
    if (!isApiError(error, 404)) throw error
    // biome-ignore lint/suspicious/noConsole: a read that finds nothing is worth a warning, not an error.
    console.warn(`Not found: ${route.method} ${route.path}`)
    return { notFound: true }
  }
}

/** Calls a route and returns the open response, for event streams and files. Throws as `call` does. */
export async function openRoute<R extends Route>(route: R, ...[given]: Args<R>): Promise<Response> {
  return send(route, given ?? {})
}

/** Calls a route and returns the bytes of its answer, for files and viewers. Throws as `call` does. */
export async function readBlob<R extends Route>(route: R, ...[given]: Args<R>): Promise<Blob> {
  return (await send(route, given ?? {})).blob()
}

/** Returns the address of a route, for requests by the browser itself (EventSource, links, redirects). */
export function urlOf<R extends Route>(route: R, given: Pick<Loose, 'params' | 'query'> = {}): string {
  const params = (given.params ?? {}) as Record<string, unknown>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const search = query.toString()
  return apiBase() + path + (search ? `?${search}` : '')
}

function apiBase(): string {
  return import.meta.env.VITE_API_BASE ?? API_BASE
}

const noTokenText = ({ path }: Route) => (path.includes('/workspace') ? NO_WORKSPACE_TOKEN : NO_TOKEN)

async function send(route: Route, given: Loose): Promise<Response> {
  const token = getToken()
  if (!token && route.access !== 'public') throw new ApiError(401, 'no_token', noTokenText(route))
  const url = urlOf(route, given)
  const early = route.method === 'GET' ? await takeEarly(url, token, given.headers?.range) : null
  given.signal?.throwIfAborted()
  if (early) noteReached(isFromServer(early))
  const response =
    early ??
    (await reach(url, {
      method: route.method,
      headers: { ...headersOf(route, token, given.form), ...given.headers },
      ...(given.form ? { body: given.form } : bodyOf(route, given.body)),
      ...(given.signal ? { signal: given.signal } : {}),
    }))
  if (response.ok) return response
  const error = await readApiError(response, { streaming: route.kind === 'stream' })
  const isRefused = isExpired(error.status, error.code)
  // An answer to an older token does not affect the current one.
  if (isRefused && token && token === getToken() && route.path !== '/token' && !given.quiet)
    raiseSessionExpired()
  throw error
}

/** Returns false for what the service worker answers without a connection. */
const isFromServer = (response: Response) => !response.headers.has('x-atrium-from-cache')

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init)
    noteReached(isFromServer(response))
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    noteReached(false)
    throw new ApiError(0, 'network', NO_CONNECTION)
  }
}

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

function headersOf(route: Route, token: string | null, form: FormData | undefined): Record<string, string> {
  return {
    accept: route.kind === 'stream' ? 'text/event-stream' : 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(timeZone && { [TIME_ZONE_HEADER]: timeZone }),
    // The browser sets the content type of a form with its boundary.
    ...(route.method === 'GET' || route.form || form ? {} : { 'content-type': 'application/json' }),
  }
}

function bodyOf(route: Route, body: unknown): { body?: string | URLSearchParams } {
  if (route.method === 'GET') return {}
  if (route.form) return { body: new URLSearchParams(body as Record<string, string>) }
  return { body: JSON.stringify(body ?? {}) }
}
