import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { User } from '#shared/accounts/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Route, Scope } from '#shared/http.ts'
import {
  type Admit,
  anonymous,
  assertDecided,
  isOpenTo,
  type Permit,
  type Person,
  type Principal,
  reaches,
  shareOf,
} from '../access/access.ts'
import { bodyLimitOf, LARGE_BYTES } from './body-bounds.ts'
import { assertContentType } from './content-type.ts'
import { takeSeat } from './open-streams.ts'
import { JsonBody } from './parsers.ts'
import { cutAnswer, type Part, queryOf } from './parts.ts'
import { describeIssues } from './plain-issues.ts'
import type { Rates, Turns } from './turns/turns.ts'

/** The caller of a request: who is signed in, a program in their name, or a visitor they pay for. */
export type Caller = User & Person & { tokenHash: Buffer; verified: boolean }

/** Finds the caller of a request, or null. Streams may also be authenticated by cookie or query. */
export type Authenticate = (request: FastifyRequest, kind: 'json' | 'stream') => Promise<Caller | null>

type Infer<S, Missing> = [S] extends [z.core.$ZodType] ? z.core.output<S> : Missing
type Answered<S> = [S] extends [z.core.$ZodType] ? z.core.input<S> : undefined

export type Call<R extends Route> = {
  params: Infer<NonNullable<R['params']>, Record<string, never>>
  query: Infer<NonNullable<R['query']>, Record<string, never>>
  body: Infer<NonNullable<R['body']>, undefined>
  /** The caller; on a public route only present when a valid token came along. */
  user: R['access'] extends 'public' ? Caller | null : Caller
  /** Who asks, signed in or not. */
  principal: Principal
  request: FastifyRequest
  reply: FastifyReply
}

type Handlers<R extends Route> = {
  /** Checks that what the path names exists, where that is no row; runs before body and query are looked at. */
  find?: (call: Pick<Call<R>, 'params' | 'principal' | 'request'>) => Promise<void> | void
  handle: (call: Call<R>) => Promise<Answered<NonNullable<R['answer']>>>
}

/** What `serve` needs from the application: where routes go, who calls, what they may and when, and the list OpenAPI is made from. */
export type Server = {
  http: FastifyInstance
  authenticate: Authenticate
  admit: Admit
  permit: Permit
  turns: Turns
  rates: Rates
  routes: Route[]
  /** False where only runs and jobs are executed: most routes are left out. */
  servesWeb: boolean
}

/**
 * Serves one contract route: who calls, may they, is the request well formed, then the handler.
 * A stream route's handler writes to `reply` itself (see `openEventStream`).
 */
export function serve<R extends Route>(server: Server, route: R, handlers: Handlers<R>): void {
  assertDecided(route)
  if (!server.servesWeb && !route.byWorkers) return
  server.routes.push(route)
  const knownOf = new WeakMap<FastifyRequest, Call<R>>()
  server.http.route({
    method: [route.method, ...(route.alsoMethods ?? [])],
    url: route.path,
    bodyLimit: bodyLimitOf(route),
    // Before a byte of the body is read: who may not call is not listened to.
    onRequest: async (request, reply) => {
      const user = await server.authenticate(request, route.kind ?? 'json')
      const principal = user ?? anonymous
      assertReaches(principal, route)
      request.countedAs = user ? shareOf(user) : request.ip
      server.rates.count(principal)
      const params = parsePart(route.params, request.params, 'path')
      await server.permit(principal, route.uses)
      if (route.may) await server.admit(principal, route.may, params)
      const known = { params, user, principal, request } as Call<R>
      await handlers.find?.(known)
      assertContentType(route, request)
      knownOf.set(request, known)
      await admitBody(server, request, reply)
    },
    handler: async (request, reply) => {
      // A body that comes slowly keeps nobody waiting.
      const turn = await server.turns.take(request.countedAs, reply)
      try {
        const known = knownOf.get(request)!
        const query = parsePart(queryOf(route), request.query, 'query')
        const body = parsePart(route.body, await readBody(request), 'body')
        if (wantsStream(route, request)) takeSeat(request, reply)
        if (isLarge(request)) await nextTurn()
        const whole: unknown = await handlers.handle({ ...known, query, body, reply } as Call<R>)
        const answer = route.pages ? cutAnswer(whole, query as Part) : whole
        // What came at length is often answered at length: others come in between.
        if (isLarge(request)) await nextTurn()
        // An open stream is not work under way.
        if (route.kind === 'stream' || reply.sent) turn.end(route.method === 'GET' ? OPENING_MS : undefined)
        else reply.status(route.status ?? 200).send(answer ?? null)
        return reply
      } finally {
        turn.worked()
      }
    },
  })
}

/** What opening a stream counts at most; what is sent at once is counted besides (`streams/streams.ts`). */
const OPENING_MS = 2
/** What a body costs that is refused before it is read: its connection, and what of it had come. */
const REFUSED_MS = 20

/** Lets a large body in, or one of unknown length. Files are read by their route. */
async function admitBody({ turns }: Server, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { headers, countedAs, routeOptions } = request
  if (!isLarge(request) || headers['content-type']?.startsWith('multipart/')) return
  await turns.admit(countedAs, reply)
  const bytes = bytesOf(request)
  if (Number.isFinite(bytes) && bytes > (routeOptions.bodyLimit ?? 0)) turns.charge(countedAs, REFUSED_MS)
}

const isLarge = (request: FastifyRequest) => bytesOf(request) > LARGE_BYTES

/** What a request says its body has; infinite where it does not say. */
function bytesOf({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

async function readBody({ body }: FastifyRequest): Promise<unknown> {
  return (body instanceof JsonBody ? await body.parse() : body) ?? undefined
}

/** Some routes answer JSON or, to who asks for it, a stream. */
function wantsStream(route: Route, { headers }: FastifyRequest): boolean {
  return route.kind === 'stream' || (headers.accept?.includes('text/event-stream') ?? false)
}

/** @throws AppError `unauthenticated`, `forbidden` */
export function assertReaches(
  principal: Principal,
  route: Pick<Route, 'access' | 'scope' | 'visitors'>,
): void {
  if (reaches(principal, route.access) && isOpenTo(principal, route)) return
  if (principal.kind === 'key') throw notForThis(route.scope)
  if (principal.kind === 'visitor')
    throw new AppError('forbidden', 'An embedded assistant opens its own chats and nothing else.')
  if (principal.kind === 'anonymous') throw new AppError('unauthenticated', 'Could not validate credentials')
  throw new AppError('forbidden', 'You do not have permission to do this.')
}

function notForThis(scope: Scope | undefined): AppError {
  const detail = scope
    ? `This API key is not for "${scope}". Create one that is.`
    : 'No API key may do this. Sign in to do it.'
  return new AppError('forbidden', detail)
}

function parsePart(schema: z.core.$ZodType | undefined, value: unknown, part: 'path' | 'query' | 'body') {
  if (!schema) return part === 'body' ? undefined : {}
  const parsed = z.core.safeParse(schema, value)
  if (parsed.success) return parsed.data
  // An id that is no id names nothing.
  if (part === 'path') throw new AppError('not_found', 'Not found')
  const errors = describeIssues(parsed.error.issues, value)
  const { path, message } = errors[0] ?? { path: '', message: 'is not accepted' }
  throw new AppError('invalid', `${path || wholes[part]} ${message}.`, { errors })
}

const wholes = { body: 'The request body', query: 'The query' }
