import { type AuthProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppError } from '#shared/errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { McpAccount, McpAddress } from './address.ts'
import { bounds } from './bounds.ts'

const methods = ['GET', 'POST', 'DELETE'] as const

/** A server on the web: every request goes through the guarded way out, and every answer has a bound. */
export function reachWebServer(
  outbound: Outbound,
  { url, headers, account }: McpAddress & { kind: 'http' },
  trusted: readonly string[],
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    authProvider: createProvider(url, account),
    fetch: (address, init) => openGuarded(outbound, trusted, address, init),
    reconnectionOptions: {
      ...{ initialReconnectionDelay: 1_000, maxReconnectionDelay: 10_000 },
      ...{ reconnectionDelayGrowFactor: 2, maxRetries: 1 },
    },
  })
}

/** A server that wants to know who asks, and was not told. */
export class SignInNeeded extends AppError {}

function createProvider(url: string, account: McpAccount | null): AuthProvider {
  return {
    token: async () => account?.token(),
    onUnauthorized: async () => {
      if (!account)
        throw new SignInNeeded('not_available', `${new URL(url).host} wants to know who asks (401).`)
      await account.renew()
    },
  }
}

/** `fetch` as the SDK wants it. */
export function openGuarded(
  outbound: Outbound,
  trusted: readonly string[],
  address: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const method = methods.find((one) => one === (init.method ?? 'GET').toUpperCase())
  if (!method) throw new TypeError(`${init.method} is not a method of MCP.`)
  const { body, signal } = init
  return outbound.open(String(address), {
    ...{ method, trusted, maxBytes: bounds.streamBytes, seconds: bounds.answerMs / 1000 },
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(body === undefined || body === null ? {} : { body: String(body) }),
    ...(signal ? { signal } : {}),
  })
}
