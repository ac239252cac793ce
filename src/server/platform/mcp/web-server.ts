import { type AuthProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppError } from '#shared/platform/errors.ts'
import { boundEvents, boundJson } from '../outbound/foreign/bound-stream.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { McpAccount, McpAddress } from './address.ts'
import type { AnswerWatch, Asked } from './answer-watch.ts'
import { bounds } from './bounds.ts'
import { secretsIn } from './hide-secrets.ts'
import { messageBounds, readMessages } from './messages/read-messages.ts'

const methods = ['GET', 'POST', 'DELETE'] as const

type Reach = {
  outbound: Outbound
  trusted: readonly string[]
  onRefused: (why: AppError) => void
  watch: AnswerWatch
}

/** Connects to a remote server. Every request passes the outbound guard, and every answer is limited. */
export function reachWebServer(
  server: McpAddress & { kind: 'http' },
  { outbound, trusted, onRefused, watch }: Reach,
): StreamableHTTPClientTransport {
  const { url, headers, account } = server
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    authProvider: createProvider(url, account),
    fetch: async (address, init) => {
      const isResuming = new Headers(init?.headers).has('last-event-id')
      const asked = readAsked(init?.body)
      const answer = await openGuarded(outbound, trusted, address, init).catch((error) => {
        if (isResuming) watch.giveUp()
        throw error
      })
      if (isResuming && !answer.ok) watch.giveUp()
      return boundAnswer(answer, secretsIn(server, tokenIn(init)), {
        onRefused,
        onEnd: (canResume) => asked && answer.ok && watch.end(asked, canResume),
      })
    },
    reconnectionOptions: {
      ...{ initialReconnectionDelay: 1_000, maxReconnectionDelay: 10_000 },
      ...{ reconnectionDelayGrowFactor: 2, maxRetries: 1 },
    },
  })
}

/** A server requires a sign-in and received no token. */
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

/** Returns an answer whose messages are counted and masked before the SDK reads them. */
function boundAnswer(
  answer: Response,
  secrets: readonly string[],
  { onRefused, onEnd }: { onRefused: (why: AppError) => void; onEnd: (canResume: boolean) => void },
): Response {
  if (!answer.body) {
    onEnd(false)
    return answer
  }
  let canResume = false
  const form = /^\s*text\/event-stream/i.test(answer.headers.get('content-type') ?? '') ? 'events' : 'json'
  const bound = form === 'events' ? boundEvents : boundJson
  const bounded = answer.body.pipeThrough(
    bound(messageBounds, (bytes) => {
      canResume ||= form === 'events' && /^id:/m.test(Buffer.from(bytes).toString())
      return readMessages({ bytes, form, secrets })
    }),
  )
  const { status, statusText, headers } = answer
  const body = watchBody(bounded, onRefused, () => onEnd(canResume))
  return new Response(body, { status, statusText, headers })
}

/** The SDK does not report why a stream ended. */
function watchBody(
  body: ReadableStream<Uint8Array>,
  onRefused: (why: AppError) => void,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
        if (done) onEnd()
      } catch (error) {
        if (error instanceof AppError) onRefused(error)
        controller.error(error)
        onEnd()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Returns the token of a request. */
function tokenIn(init?: RequestInit): string | null {
  const authorization = new Headers(init?.headers).get('authorization')
  return authorization === null ? null : authorization.replace(/^\S+\s+/, '')
}

/** Returns the SDK's request in a body; null for a notification, an answer or no body. */
function readAsked(body: RequestInit['body']): Asked | null {
  if (typeof body !== 'string') return null
  const { id, method } = JSON.parse(body)
  return id === undefined || typeof method !== 'string' ? null : { id, method }
}

/** Timeout for the head of an answer. A call answered in JSON has its head when the tool is done. */
const headMs = (body: RequestInit['body']): number =>
  readAsked(body)?.method === 'tools/call' ? bounds.callMs : bounds.answerMs

/** Returns a `fetch` with the signature the SDK expects. */
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
    ...{ method, trusted, maxBytes: bounds.streamBytes, seconds: headMs(body) / 1000 },
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(body === undefined || body === null ? {} : { body: String(body) }),
    ...(signal ? { signal } : {}),
  })
}
