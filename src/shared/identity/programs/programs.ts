import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, queryInt, text } from '../../platform/primitives.ts'
import { KeyScope } from '../api-keys/api-keys.ts'

/** Maximum number of connected programs per person. */
export const MAX_PROGRAMS = 50

/** An authorization request of a program, from the query string (OAuth 2.1, RFC 8707). */
export const ProgramRequest = z.object({
  response_type: z.literal('code'),
  client_id: text(1, 3_000),
  redirect_uri: text(1, 500),
  code_challenge: z.string().check(atMost(128), z.regex(/^[\w.~-]{43,128}$/)),
  code_challenge_method: z.literal('S256'),
  scope: z.optional(text(0, 500)),
  state: z.optional(text(0, 2_000)),
  resource: z.optional(text(0, 500)),
})
export type ProgramRequest = z.infer<typeof ProgramRequest>

/** A connected program of the caller. */
export const ConnectedProgram = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(KeyScope),
  created_at: z.string(),
  /** It expires then, unless it is used before. */
  expires_at: z.nullable(z.string()),
  /** Accurate to one minute. */
  last_used_at: z.nullable(z.string()),
  /** Dollars of this month (UTC). */
  spent: z.number(),
})
export type ConnectedProgram = z.infer<typeof ConnectedProgram>

export const listPrograms = route({
  method: 'GET',
  path: '/users/me/programs',
  access: 'user',
  summary: 'The programs that are connected to the caller by OAuth, the newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 1_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(ConnectedProgram), total: z.int(), has_more: z.boolean() }),
})

export const disconnectProgram = route({
  method: 'DELETE',
  path: '/users/me/programs/:keyId',
  access: 'user',
  may: 'manage key',
  summary: 'Disconnect a program at once, on all processes',
  params: z.object({ keyId: Id }),
  status: 204,
})

/** `host`: the host of the redirect address; on the person's own machine when `is_local`. */
export const lookAtProgram = route({
  method: 'POST',
  path: '/users/me/programs/requests',
  access: 'user',
  summary: 'What a program that asks to be connected is called and wants',
  body: ProgramRequest,
  answer: z.object({
    name: z.string(),
    host: z.string(),
    is_local: z.boolean(),
    scopes: z.array(KeyScope),
    refuse_to: z.string(),
  }),
})

/** Returns the redirect address with an authorization code for the program. */
export const connectProgram = route({
  method: 'POST',
  path: '/users/me/programs',
  access: 'user',
  fails: ['conflict'],
  summary: 'Connect a program that asks for it',
  body: ProgramRequest,
  status: 201,
  answer: z.object({ redirect_to: z.string() }),
})
