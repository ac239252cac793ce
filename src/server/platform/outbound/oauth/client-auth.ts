import * as z from 'zod'
import { tryJson } from '../foreign/foreign.ts'

/** Authentication methods of a client at a token endpoint (RFC 6749, 2.3.1). */
export const ClientMethod = z.enum(['client_secret_post', 'client_secret_basic', 'none'])
export type ClientMethod = z.infer<typeof ClientMethod>

/** A client, with the known methods of its service for sending secrets. */
export type AuthClient = {
  client_id: string
  client_secret: string | null
  /** As announced by the service; an empty list if it announces none. */
  methods: readonly string[]
  /** The registered method, or the one that worked before. */
  method?: ClientMethod | null | undefined
}

type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>

/**
 * `fetch` for token requests. It authenticates the client, and tries the other method once if the service does not
 * recognize the client, because many services accept only one of the methods they announce. A refused request uses up no
 * code or token.
 */
export function createTokenFetch(
  client: AuthClient,
  send: Fetch,
  onMethod: (method: ClientMethod) => void = () => undefined,
): Fetch {
  return async (address, init = {}) => {
    const [first, second] = methodsOf(client)
    const answer = await send(address, sign(init, client, first))
    const body = await answer.text()
    if (second === null || !isClientRefused(answer.status, body)) return copy(answer, body)
    const other = await send(address, sign(init, client, second))
    if (other.ok) onMethod(second)
    return other
  }
}

function methodsOf({ client_secret, methods, method }: AuthClient): [ClientMethod, ClientMethod | null] {
  if (client_secret === null) return ['none', null]
  if (method === 'none') return ['none', 'client_secret_post']
  const isBasic = method
    ? method === 'client_secret_basic'
    : methods.includes('client_secret_basic') && !methods.includes('client_secret_post')
  return isBasic
    ? ['client_secret_basic', 'client_secret_post']
    : ['client_secret_post', 'client_secret_basic']
}

function sign(
  init: RequestInit,
  { client_id, client_secret }: AuthClient,
  method: ClientMethod,
): RequestInit {
  const headers = new Headers(init.headers)
  const form = new URLSearchParams(String(init.body ?? ''))
  if (method === 'client_secret_basic') {
    const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret ?? '')}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  } else form.set('client_id', client_id)
  if (method === 'client_secret_post') form.set('client_secret', client_secret ?? '')
  headers.set('content-type', 'application/x-www-form-urlencoded')
  return { ...init, headers, body: form.toString() }
}

const REFUSED = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'])

/** Returns whether a service did not recognize the client. Some answer `invalid_request` and name what is missing, or answer 200. */
function isClientRefused(status: number, body: string): boolean {
  if (status === 401) return true
  const { error, error_description } = Object(tryJson(body)) as Record<string, unknown>
  if (REFUSED.has(String(error))) return true
  return status === 400 && error === 'invalid_request' && /client/i.test(String(error_description))
}

const copy = ({ status, statusText, headers }: Response, body: string): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, statusText, headers })
