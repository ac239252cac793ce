import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MCP_PATH } from '#shared/identity/programs/addresses.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findTokenHolder, RESOURCE_METADATA } from '../../identity/programs/programs.ts'
import { shareOf } from '../../platform/access/access.ts'
import { addRoute } from '../../platform/http/add-route.ts'
import { toAppError } from '../../platform/http/answer-errors.ts'
import { JSON_TYPE } from '../../platform/http/bodies/body-rule.ts'
import { bodyBytes, parseBody } from '../../platform/http/bodies/request-body.ts'
import type { Caller, Server } from '../../platform/http/serve.ts'
import { takeSeat } from '../../platform/http/streaming/open-streams.ts'
import type { Deps } from '../../tools/deps.ts'
import { cancelAsk } from './ask-assistant.ts'
import { buildServer } from './build-server.ts'

/** Maximum message size: a question with earlier turns. */
const MESSAGE_BYTES = 1_000_000
const SESSION = 'mcp-session-id'

/**
 * Serves MCP over streamable HTTP. Every request is independent and can reach any process. Programs of older protocol versions get a
 * session id, which names their requests and holds no state.
 */
export function serveMcp(server: Server, deps: Deps): void {
  const { http, rates, permit } = server
  refuseAsMcp(http, deps)
  const callers = new WeakMap<FastifyRequest, Caller>()
  const handler = createMcpHandler(
    ({ era, authInfo }) => buildServer(deps, { ...(authInfo?.extra as Asking), era }),
    { maxRequestBodySize: MESSAGE_BYTES, onerror: (error) => deps.log.debug({ error }, 'MCP') },
  )
  addRoute(server, {
    ...{ method: ['GET', 'POST', 'DELETE'], url: MCP_PATH },
    body: { types: [JSON_TYPE], maxBytes: MESSAGE_BYTES },
    enter: async (request) => {
      const caller = await findCaller(deps, request)
      await permit(caller, undefined)
      rates.count(caller)
      callers.set(request, caller)
      return shareOf(caller)
    },
    enterAgain: async (request) => {
      const caller = await findCaller(deps, request)
      await permit(caller, undefined)
      callers.set(request, caller)
    },
    handle: async (request, reply, turn) => {
      const caller = callers.get(request)!
      const body = await parseBody(request)
      if (Array.isArray(body)) throw new AppError('malformed', 'Send one message at a time.')
      takeSeat(request, reply)
      const session = readSession(request)
      await cancelAsk(deps, { caller, session }, body)
      // A response may take as long as a run; other requests of the user must not wait for it.
      turn.end()
      await answer(handler, { request, reply }, { asking: { caller, session }, body })
      return undefined
    },
  })
}

/** The caller, and the session that names their requests. */
type Asking = { caller: Caller; session: string | null }
type Handler = ReturnType<typeof createMcpHandler>

async function answer(
  handler: Handler,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { asking, body }: { asking: Asking; body: unknown },
): Promise<void> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value)
  const { method } = request
  const asked = new Request(`http://localhost${MCP_PATH}`, {
    ...{ method, headers, signal: gone.signal },
    ...(method === 'POST' && { body: new Uint8Array(bodyBytes(request)) }),
  })
  const { caller } = asking
  const authInfo = { token: '', clientId: caller.id, scopes: scopesOf(caller), extra: asking }
  const answered = await handler.fetch(asked, { authInfo, ...(body !== undefined && { parsedBody: body }) })
  reply.hijack()
  const own = isInitialize(body) && answered.ok ? { [SESSION]: randomUUID() } : {}
  reply.raw.writeHead(answered.status, {
    ...(reply.getHeaders() as Record<string, string>),
    ...Object.fromEntries(answered.headers),
    ...{ ...own, 'cache-control': 'no-store' },
  })
  reply.raw.flushHeaders()
  if (!answered.body) return void reply.raw.end()
  // A disconnect ends the response; the tool that started a run stops it.
  await pipeline(Readable.fromWeb(answered.body as never), reply.raw).catch(() => undefined)
}

/** Returns the caller: an API key or a connected program. @throws AppError `unauthenticated`, `forbidden` */
async function findCaller(deps: Deps, request: FastifyRequest): Promise<Caller> {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const caller = (await findTokenHolder(deps, bearer, request)) ?? (await deps.authenticate(request, 'json'))
  if (!caller) throw new AppError('unauthenticated', 'Connect with an API key, or sign in by OAuth.')
  if (caller.kind === 'key') return caller
  throw new AppError('forbidden', 'Programs connect with an API key, or sign in by OAuth.')
}

const scopesOf = (caller: Caller) => (caller.kind === 'key' ? caller.key.scopes : [])

/** Returns the session id if this server issued it, else null. */
function readSession({ headers }: FastifyRequest): string | null {
  const given = headers[SESSION]
  return typeof given === 'string' && /^[0-9a-f-]{36}$/.test(given) ? given : null
}

const isInitialize = (body: unknown) => (body as { method?: unknown } | undefined)?.method === 'initialize'

/** Adds the address of the authorization server to 401 responses (RFC 9728, 5.1). */
function refuseAsMcp(http: FastifyInstance, { publicUrl }: Deps): void {
  http.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    if (known.status >= 500) request.log.error({ error }, known.detail)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds))
    if (known.status === 401) {
      const wrong = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
      const url = publicUrl() + RESOURCE_METADATA
      reply.header('www-authenticate', `Bearer resource_metadata="${url}"${wrong}`)
    }
    const failure = { code: -32_000, message: known.detail, data: { code: known.code } }
    return reply.status(known.status).send({ jsonrpc: '2.0', id: null, error: failure })
  })
}
