import * as z from 'zod/mini'
import { atMost, prose, record, text, trimmed } from '../../platform/primitives.ts'

export const HttpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type HttpMethod = z.infer<typeof HttpMethod>

/** Whether a call with this method changes something outside. */
export const changesData = (method: HttpMethod): boolean => method !== 'GET' && method !== 'HEAD'

/** Where an input goes into the request. */
export const InputPlace = z.enum(['path', 'query', 'header', 'cookie', 'body'])
export type InputPlace = z.infer<typeof InputPlace>

/** How a list or an object is written (OpenAPI, “style values”); `json` is JSON as text. */
export const InputStyle = z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'])

/** JSON Schema; what of it is understood is decided by `server/tools/own-tools/schemas.ts`. */
export const SchemaText = record(200, z.unknown())

export const MOST_INPUTS = 60

/** One input: what a model is told of it, and where it goes. */
export const HttpInput = z.object({
  /** As models and people call it. */
  name: text(1, 64).check(z.regex(/^[A-Za-z_][\w-]*$/)),
  /** As the API calls it; without it the same. */
  key: z.optional(text(1, 200)),
  place: InputPlace,
  description: prose(0, 2_000),
  required: z.boolean(),
  schema: SchemaText,
  style: z.optional(InputStyle),
  /** Each entry of a list by itself; true for `form` and `deepObject` without it. */
  explode: z.optional(z.boolean()),
  /** It is the body as a whole. */
  whole: z.optional(z.boolean()),
  /** It is sent as a file, in a body of several parts. */
  file: z.optional(z.boolean()),
})
export type HttpInput = z.infer<typeof HttpInput>

export const BodyMedia = z.enum([
  ...(['application/json', 'application/x-www-form-urlencoded'] as const),
  ...(['multipart/form-data', 'text/plain'] as const),
])
export type BodyMedia = z.infer<typeof BodyMedia>

/** What of an answer reaches the model. */
export const AnswerShape = z.object({
  /** Paths such as `$.alerts[*].label`; without one, all of it. */
  keep: z.array(trimmed(1, 200)).check(z.maxLength(50)),
  /** Characters after which the rest is left out. */
  most_characters: z.int().check(z.gte(100), z.lte(1_000_000)),
  /** What is kept must be like this, and nothing it does not name is kept. */
  schema: z.nullable(SchemaText),
})
export type AnswerShape = z.infer<typeof AnswerShape>

export const plainAnswer: AnswerShape = { keep: [], most_characters: 50_000, schema: null }

/** A call of an API as a tool makes it. */
export const HttpCall = z.object({
  method: HttpMethod,
  /** With the names of inputs of the path in braces. */
  address: trimmed(1, 2_000),
  inputs: z.array(HttpInput).check(z.maxLength(MOST_INPUTS)),
  /** How the inputs of the body are written. */
  media: z._default(BodyMedia, 'application/json'),
  /** Sent with every call; never a secret. */
  headers: z._default(record(20, text(0, 1_000)), {}),
  answer: z._default(AnswerShape, plainAnswer),
  /** Seconds after which a call is given up. */
  seconds: z._default(z.int().check(z.gte(1), z.lte(120)), 20),
})
export type HttpCall = z.infer<typeof HttpCall>

const Scopes = z.array(text(1, 200)).check(z.maxLength(50))

/** How calls say who makes them. The secrets themselves stand apart: see `secretsOf`. */
export const HttpAuth = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('api_key'),
    place: z.enum(['header', 'query', 'cookie']),
    name: text(1, 100).check(z.regex(/^[\w.~-]+$/)),
  }),
  z.object({ kind: z.literal('basic') }),
  z.object({ kind: z.literal('bearer') }),
  z.object({
    kind: z.literal('oauth2_client'),
    /** Where a token is asked for. */
    token_url: trimmed(1, 2_000),
    scopes: Scopes,
  }),
  /** Each person connects an account of their own (authorisation code with PKCE). */
  z.object({
    kind: z.literal('oauth2_user'),
    /** Where people give their leave. */
    authorize_url: trimmed(1, 2_000),
    token_url: trimmed(1, 2_000),
    /** Where it is told that leave is taken back (RFC 7009); empty where there is none. */
    revoke_url: z._default(trimmed(0, 2_000), ''),
    client_id: trimmed(1, 500),
    scopes: Scopes,
  }),
])
export type HttpAuth = z.infer<typeof HttpAuth>

/** The secrets a way of authentication needs, by name. */
export function secretsOf({ kind }: HttpAuth): readonly string[] {
  switch (kind) {
    case 'none':
      return []
    case 'api_key':
      return ['api_key']
    case 'basic':
      return ['username', 'password']
    case 'bearer':
      return ['token']
    case 'oauth2_client':
      return ['client_id', 'client_secret']
    case 'oauth2_user':
      return ['client_secret']
    default:
      return kind satisfies never
  }
}

/** Those it cannot do without: a client that everybody knows of has no secret (RFC 6749, 2.1). */
export function neededSecretsOf(auth: HttpAuth): readonly string[] {
  return auth.kind === 'oauth2_user' ? [] : secretsOf(auth)
}

/** Secrets as they are entered, by name. */
export const SecretValues = record(8, z.string().check(atMost(10_000), z.minLength(1)))
export type SecretValues = z.infer<typeof SecretValues>

/** A secret that is kept; its value is never answered. */
export const KeptSecret = z.object({ name: z.string(), updated_at: z.string() })
export type KeptSecret = z.infer<typeof KeptSecret>
