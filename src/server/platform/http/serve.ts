import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Route, type Scope, TIME_ZONE_HEADER } from '#shared/platform/http.ts'
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
import { sending } from '../access/classes/classes.ts'
import { addRoute } from './add-route.ts'
import { type BodyRule, bytesOf, FORM_TYPE, JSON_TYPE, MULTIPART_TYPE } from './bodies/body-rule.ts'
import { parseBody } from './bodies/request-body.ts'
import { bodyLimitOf, LARGE_BYTES } from './body-bounds.ts'
import { cutAnswer, type Part, queryOf } from './parts.ts'
import { describeIssues } from './plain-issues.ts'
import { readTimeZone } from './request-time-zone.ts'
import { takeSeat } from './streaming/open-streams.ts'
import type { Rates, Turns } from './turns/turns.ts'

/** The caller of a request: the signed-in user, a program acting for a user, or the visitor a user pays for. */
export type Caller = User &
  Person & {
    tokenHash: Buffer
    verified: boolean
    /** IANA time zone from the `X-Time-Zone` header. */
    timeZone?: string
  }

/** Returns the caller of a request, or null. Streams may also be authenticated by cookie or query. */
export type Authenticate = (request: FastifyRequest, kind: 'json' | 'stream') => Promise<Caller | null>

type Infer<S, Missing> = [S] extends [z.core.$ZodType] ? z.core.output<S> : Missing
type Answered<S> = [S] extends [z.core.$ZodType] ? z.core.input<S> : undefined

export type Call<R extends Route> = {
  params: Infer<NonNullable<R['params']>, Record<string, never>>
  query: Infer<NonNullable<R['query']>, Record<string, never>>
  body: Infer<NonNullable<R['body']>, undefined>
  /** The caller. On a public route it is set only if the request carried a valid token. */
  user: R['access'] extends 'public' ? Caller | null : Caller
  /** The caller as a principal, signed in or not. */
  principal: Principal
  request: FastifyRequest
  reply: FastifyReply
}

type Handlers<R extends Route> = {
  /** Checks that things in the path exist which have no row. Runs before body and query are validated. */
  find?: (call: Pick<Call<R>, 'params' | 'principal' | 'request'>) => Promise<void> | void
  handle: (call: Call<R>) => Promise<Answered<NonNullable<R['answer']>>>
}

/** The dependencies of `serve`: the HTTP server, authentication, access checks, turns, and the list of routes for OpenAPI. */
export type Server = {
  http: FastifyInstance
  authenticate: Authenticate
  admit: Admit
  permit: Permit
  /** Refuses a caller who has not accepted the terms of their companies. @throws AppError `terms_due` */
  assertTerms: (principal: Principal) => Promise<void>
  turns: Turns
  rates: Rates
  routes: Route[]
  /** False on a worker process, which omits most routes. */
  servesWeb: boolean
}

/**
 * Serves one contract route: authenticates the caller, checks access, validates the request, then runs the handler. The
 * handler of a stream route writes to `reply` itself (see `openEventStream`).
 */
export function serve<R extends Route>(server: Server, route: R, handlers: Handlers<R>): void {
  assertDecided(route)
  if (!server.servesWeb && !route.byWorkers) return
  server.routes.push(route)
  const knownOf = new WeakMap<FastifyRequest, Call<R>>()
  const admit = async (request: FastifyRequest, count?: (principal: Principal) => void) => {
    const user = withTimeZone(await findUser(server, route, request), request)
    const principal = user ?? anonymous
    assertReaches(principal, route)
    assertPasswordGood(user, route)
    count?.(principal)
    const params = parsePart(route.params, request.params, 'path')
    await server.permit(principal, route.uses)
    if (route.may) await server.admit(principal, route.may, params)
    if (route.afterTerms) await server.assertTerms(principal)
    return { params, user, principal, request } as Call<R>
  }
  addRoute(server, {
    method: [route.method, ...(route.alsoMethods ?? [])],
    url: route.path,
    body: bodyRuleOf(route),
    isUrgent: route.isUrgent,
    enter: async (request) => {
      const known = await admit(request, (principal) => server.rates.count(principal))
      await handlers.find?.(known)
      knownOf.set(request, known)
      return known.user ? shareOf(known.user) : undefined
    },
    enterAgain: async (request) => void knownOf.set(request, await admit(request)),
    handle: async (request, reply, turn) => {
      const known = knownOf.get(request)!
      const query = parsePart(queryOf(route), request.query, 'query')
      const body = parsePart(route.body, await parseBody(request), 'body')
      if (wantsStream(route, request)) takeSeat(request, reply)
      if (isLarge(request)) await nextTurn()
      // Models receive what this request reads, apart from the runs that it starts.
      const { user } = known
      const reader = async () => user ?? anonymous
      const whole: unknown = await sending({ language: user?.language ?? 'en', reader }, () =>
        handlers.handle({ ...known, query, body, reply } as Call<R>),
      )
      const answer = route.pages ? cutAnswer(whole, query as Part) : whole
      // A large request often has a large answer, so other requests get a turn in between.
      if (isLarge(request)) await nextTurn()
      // An open stream does not occupy a turn.
      if (route.kind === 'stream' || reply.sent) turn.end(route.method === 'GET' ? OPENING_MS : undefined)
      else reply.status(route.status ?? 200).send(answer ?? null)
    },
  })
}

/** On a public route, a caller outside of their company's networks counts as not signed in. */
async function findUser(
  { authenticate }: Server,
  route: Route,
  request: FastifyRequest,
): Promise<Caller | null> {
  try {
    return await authenticate(request, route.kind ?? 'json')
  } catch (error) {
    if (route.access === 'public' && error instanceof AppError && error.code === 'outside_networks')
      return null
    throw error
  }
}

function withTimeZone(user: Caller | null, { headers }: FastifyRequest): Caller | null {
  const timeZone = readTimeZone(headers[TIME_ZONE_HEADER])
  return user && timeZone ? { ...user, timeZone } : user
}

/** Maximum cost of opening a stream. Sent data is charged separately (`streams/streams.ts`). */
const OPENING_MS = 2

function bodyRuleOf(route: Route): BodyRule | null {
  const methods = [route.method, ...(route.alsoMethods ?? [])]
  if (methods.every((method) => method === 'GET')) return null
  const types = route.upload
    ? [MULTIPART_TYPE]
    : route.form === 'or_multipart'
      ? [FORM_TYPE, MULTIPART_TYPE]
      : [route.form ? FORM_TYPE : JSON_TYPE]
  const { maxValues } = route
  return { types, maxBytes: bodyLimitOf(route), ...(maxValues !== undefined && { maxValues }) }
}

const isLarge = (request: FastifyRequest) => bytesOf(request) > LARGE_BYTES

/** Some routes answer with JSON, or with a stream if the request asks for one. */
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
    throw new AppError('forbidden', 'Visitors of an embedded assistant can only open their own chats.')
  if (principal.kind === 'anonymous') throw new AppError('unauthenticated', 'Could not validate credentials')
  const closed = route.access === 'admin' && principal.kind === 'user' ? principal.outside : undefined
  if (closed)
    throw new AppError(
      'administration_closed',
      `Your company allows its administration only from its networks. Your address is ${closed.address}.`,
    )
  throw new AppError('forbidden', 'You do not have permission to do this.')
}

/** A person whose password must change may do that only. @throws AppError `password_change_required` */
function assertPasswordGood(user: Caller | null, route: Route): void {
  if (!user?.password_due || route.beforeNewPassword || route.access === 'public') return
  throw new AppError('password_change_required', 'Change your password first: it no longer fits the rules.')
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
  // A malformed id matches nothing.
  if (part === 'path') throw new AppError('not_found', 'Not found')
  const errors = describeIssues(parsed.error.issues, value)
  const { path, message } = errors[0] ?? { path: '', message: 'is not accepted' }
  throw new AppError('invalid', `${path || wholes[part]} ${message}.`, { errors })
}

const wholes = { body: 'The request body', query: 'The query' }
