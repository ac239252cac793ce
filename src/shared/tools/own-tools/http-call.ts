import * as z from 'zod/mini'
import { atMost, prose, record, text, trimmed } from '../../platform/primitives.ts'

export const HttpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type HttpMethod = z.infer<typeof HttpMethod>

/** Returns true when a call with this method changes external data. */
export const changesData = (method: HttpMethod): boolean => method !== 'GET' && method !== 'HEAD'

/** Location of an input in the request. */
export const InputPlace = z.enum(['path', 'query', 'header', 'cookie', 'body'])
export type InputPlace = z.infer<typeof InputPlace>

/** Serialization of lists and objects (OpenAPI style values); `json` is JSON as text. */
export const InputStyle = z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'])

/** JSON Schema; `server/tools/own-tools/schemas.ts` defines the supported subset. */
export const SchemaText = record(200, z.unknown())

export const MAX_INPUTS_PER_CALL = 60

/** One input: its description for the model, and its location in the request. */
export const HttpInput = z.object({
  /** Name for models and people. */
  name: text(1, 64).check(z.regex(/^[A-Za-z_][\w-]*$/)),
  /** Name in the API; default: the same name. */
  key: z.optional(text(1, 200)),
  place: InputPlace,
  description: prose(0, 2_000),
  required: z.boolean(),
  schema: SchemaText,
  style: z.optional(InputStyle),
  /** Serializes each list entry separately; default true for `form` and `deepObject`. */
  explode: z.optional(z.boolean()),
  /** True when this input is the whole body. */
  whole: z.optional(z.boolean()),
  /** True when it is sent as a file in a multipart body. */
  file: z.optional(z.boolean()),
})
export type HttpInput = z.infer<typeof HttpInput>

export const BodyMedia = z.enum([
  ...(['application/json', 'application/x-www-form-urlencoded'] as const),
  ...(['multipart/form-data', 'text/plain'] as const),
])
export type BodyMedia = z.infer<typeof BodyMedia>

/** The part of an answer that is passed to the model. */
export const AnswerShape = z.object({
  /** Paths such as `$.alerts[*].label`; empty: the whole answer. */
  keep: z.array(trimmed(1, 200)).check(z.maxLength(50)),
  /** Maximum characters; the rest is cut. */
  most_characters: z.int().check(z.gte(100), z.lte(1_000_000)),
  /** Schema of the kept part. Properties it does not name are removed. */
  schema: z.nullable(SchemaText),
})
export type AnswerShape = z.infer<typeof AnswerShape>

export const plainAnswer: AnswerShape = { keep: [], most_characters: 50_000, schema: null }

/** The HTTP call of an API tool. */
export const HttpCall = z.object({
  method: HttpMethod,
  /** Contains path inputs in braces. */
  address: trimmed(1, 2_000),
  inputs: z.array(HttpInput).check(z.maxLength(MAX_INPUTS_PER_CALL)),
  /** Media type of the body. */
  media: z._default(BodyMedia, 'application/json'),
  /** Headers of every call; never a secret. */
  headers: z._default(record(20, text(0, 1_000)), {}),
  answer: z._default(AnswerShape, plainAnswer),
  /** Timeout in seconds. */
  seconds: z._default(z.int().check(z.gte(1), z.lte(120)), 20),
})
export type HttpCall = z.infer<typeof HttpCall>

const Scopes = z.array(text(1, 200)).check(z.maxLength(50))

/** Authentication of calls. The secrets are stored separately; see `secretsOf`. */
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
    /** Token endpoint. */
    token_url: trimmed(1, 2_000),
    scopes: Scopes,
  }),
  /** Each person connects their own account (authorization code with PKCE). */
  z.object({
    kind: z.literal('oauth2_user'),
    /** Authorization endpoint. */
    authorize_url: trimmed(1, 2_000),
    token_url: trimmed(1, 2_000),
    /** Revocation endpoint (RFC 7009); empty when there is none. */
    revoke_url: z._default(trimmed(0, 2_000), ''),
    client_id: trimmed(1, 500),
    scopes: Scopes,
  }),
])
export type HttpAuth = z.infer<typeof HttpAuth>

/** Returns the names of the secrets that an auth scheme uses. */
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

/** Returns the required secrets. A public client has no secret (RFC 6749, 2.1). */
export function neededSecretsOf(auth: HttpAuth): readonly string[] {
  return auth.kind === 'oauth2_user' ? [] : secretsOf(auth)
}

/** Entered secrets, by name. */
export const SecretValues = record(8, z.string().check(atMost(10_000), z.minLength(1)))
export type SecretValues = z.infer<typeof SecretValues>

/** A stored secret; its value is never returned. */
export const KeptSecret = z.object({ name: z.string(), updated_at: z.string() })
export type KeptSecret = z.infer<typeof KeptSecret>
