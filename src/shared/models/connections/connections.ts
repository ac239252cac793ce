import * as z from 'zod/mini'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { atMost, label, Notice, record, text, trimmed } from '../../platform/primitives.ts'
import { MAX_MODEL_ID, MAX_MODEL_NAME } from './model-name.ts'
import { ConnectionKind } from './provider-form.ts'
import { Tuning } from './tuning.ts'

/** An application of Microsoft Entra ID. Its secret is the key of the connection. */
export const Entra = z.object({
  tenant_id: z.string().check(atMost(100), z.regex(/^[\w.-]+$/)),
  client_id: z.string().check(atMost(100), z.regex(/^[\w.-]+$/)),
  /** The issuer of tokens; null for the cloud that the address of the connection belongs to. */
  authority: z.nullish(z.string().check(atMost(500), z.url())),
})
export type Entra = z.infer<typeof Entra>

/** Further values that a kind needs, by the names of its form: region, project. None is secret. */
const ConnectionOptions = record(10, text(1, 200))

/** The built-in model, which needs neither a key nor a network. */
export const BUILT_IN_MODEL = 'atrium/offline'

/** A model that people can choose. Prices in dollars per million tokens; null when unknown. */
export const AvailableModel = z.object({
  /** `provider/model`, the value of `model_name`. */
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  provider_name: z.string(),
  context_tokens: z.nullable(z.int()),
  max_output_tokens: z.nullable(z.int()),
  input_price: z.nullable(z.number()),
  output_price: z.nullable(z.number()),
  /** True when text stays on this machine or network: the built-in model and private addresses. */
  local: z.boolean(),
  /** Settings of its calls that a chat can change; absent for none. */
  tuning: z.optional(z.array(Tuning)),
  is_default: z.boolean(),
})
export type AvailableModel = z.infer<typeof AvailableModel>

export const listAvailableModels = route({
  method: 'GET',
  path: '/available-models',
  access: 'user',
  scope: 'chat',
  summary: 'Models that may be chosen',
  pages: 1_000,
  answer: z.array(AvailableModel),
})

export const ConnectionModel = z.extend(
  z.omit(AvailableModel, {
    is_default: true,
    provider: true,
    provider_name: true,
    local: true,
    tuning: true,
  }),
  {
    offered: z.boolean(),
    edited: z.boolean(),
    /** Model used while this model's provider fails. */
    fallback: z.nullable(z.string()),
  },
)
export type ConnectionModel = z.infer<typeof ConnectionModel>

/** A key calls take turns with: `first` is the id of the one the connection was made with. Contains only the last four characters of the key. */
export const ConnectionKey = z.object({
  id: z.string(),
  hint: z.nullable(z.string()),
  /** `set_aside`: rate-limited by the provider until the given time. `refused`: rejected by the provider, retried at the given time. */
  state: z.enum(['working', 'set_aside', 'refused']),
  until: z.nullable(z.string()),
})
export type ConnectionKey = z.infer<typeof ConnectionKey>

const PerMinute = z.int().check(z.gte(1), z.lte(1_000_000_000))
/** Maximum per minute, over all processes; null for no limit. */
const MinuteLimits = {
  requests_per_minute: z.nullable(PerMinute),
  tokens_per_minute: z.nullable(PerMinute),
}
/** Seconds until the first byte of an answer; null for two minutes, or ten for a server on this machine or network. */
const FirstTokenSeconds = z.nullable(z.int().check(z.gte(10), z.lte(86_400)))

/** A configured provider. The key is never returned, only whether it exists and its last four characters. */
export const ModelConnection = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  kind: ConnectionKind,
  base_url: z.nullable(z.string()),
  has_key: z.boolean(),
  key_hint: z.nullable(z.string()),
  keys: z.array(ConnectionKey),
  ...MinuteLimits,
  /** Whether requests wait for each other. Titles and working memory then wait until no person asks. */
  one_at_a_time: z.boolean(),
  first_token_seconds: FirstTokenSeconds,
  source: z.enum(['environment', 'database']),
  fixed_by: FixedBy,
  enabled: z.boolean(),
  status: z.enum(['ok', 'error', 'untested']),
  status_detail: z.nullable(z.string()),
  /** False when the server names no models by itself, or none that may be called. */
  lists_models: z.boolean(),
  /** Model ids typed by hand, as the server names them. */
  model_ids: z.array(z.string()),
  /** Azure only: null for the API without a date. */
  api_version: z.nullable(z.string()),
  entra: z.nullable(Entra),
  options: ConnectionOptions,
  models: z.array(ConnectionModel),
  updated_at: z.nullable(z.string()),
})
export type ModelConnection = z.infer<typeof ModelConnection>

const Price = z.number().check(z.nonnegative())

/** Model ids typed by hand, as the server names them. */
const ModelIds = z.array(trimmed(1, MAX_MODEL_ID)).check(z.maxLength(200))

/** Session tokens and the key files of service accounts have some 2,000 characters. */
const ApiKey = text(0, 8000)

const ConnectionBody = z.object({
  name: label(1, 60),
  kind: ConnectionKind,
  base_url: z.nullish(z.string().check(atMost(500), z.url())),
  api_key: z.nullish(ApiKey),
  model_ids: z.optional(ModelIds),
  api_version: z.nullish(text(0, 50)),
  entra: z.nullish(Entra),
  options: z.optional(ConnectionOptions),
  /** Left out: as servers at this address usually are. */
  one_at_a_time: z.optional(z.boolean()),
  first_token_seconds: z.optional(FirstTokenSeconds),
})

const Params = z.object({ connectionId: text(0, 100) })

export const listConnections = route({
  method: 'GET',
  path: '/model-connections',
  access: 'super_admin',
  summary: 'Configured model providers',
  pages: 1_000,
  answer: z.array(ModelConnection),
})

export const createConnection = route({
  method: 'POST',
  path: '/model-connections',
  access: 'super_admin',
  fails: ['not_available', 'provider_failed', 'not_found'],
  summary: 'Connect a model provider',
  status: 201,
  body: ConnectionBody,
  answer: ModelConnection,
})
export const updateConnection = route({
  method: 'PATCH',
  path: '/model-connections/:connectionId',
  alsoMethods: ['PUT'],
  access: 'super_admin',
  fails: ['conflict', 'not_available', 'provider_failed'],
  may: 'manage connection',
  summary: 'Change a connection; fields left out stay as they are',
  params: Params,
  body: z.extend(z.partial(ConnectionBody), {
    enabled: z.optional(z.boolean()),
    /** Keys to add to the rotation. */
    add_keys: z.optional(z.array(trimmed(1, 8000)).check(z.maxLength(20))),
    /** Ids of keys to delete. */
    remove_keys: z.optional(z.array(text(0, 100)).check(z.maxLength(50))),
    requests_per_minute: z.optional(MinuteLimits.requests_per_minute),
    tokens_per_minute: z.optional(MinuteLimits.tokens_per_minute),
    /** Per model id: whether it is offered, and overrides of prices and context size. */
    models: z.optional(
      record(
        5000,
        z.object({
          offered: z.optional(z.boolean()),
          input_price: z.nullish(Price),
          output_price: z.nullish(Price),
          context_tokens: z.nullish(z.int().check(z.positive())),
          fallback: z.nullish(text(0, MAX_MODEL_NAME)),
        }),
        MAX_MODEL_ID,
      ),
    ),
  }),
  answer: ModelConnection,
})
export const deleteConnection = route({
  method: 'DELETE',
  path: '/model-connections/:connectionId',
  access: 'super_admin',
  fails: ['conflict'],
  may: 'manage connection',
  summary: 'Remove a connection',
  params: Params,
  answer: Notice,
})

/** Result of a connection test. */
export const ConnectionTest = z.object({
  ok: z.boolean(),
  detail: z.string(),
  latency_ms: z.nullable(z.number()),
  models: z.array(z.string()),
  /** False when the server names no models by itself: those in `models` were named by hand. */
  lists_models: z.boolean(),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

export const testConnection = route({
  method: 'POST',
  path: '/model-connections/:connectionId/test',
  access: 'super_admin',
  fails: ['not_available', 'provider_failed'],
  may: 'manage connection',
  summary: 'Test a stored connection',
  params: Params,
  /** `model_ids`: other names than the stored ones. */
  body: z.nullish(z.object({ model_ids: z.optional(ModelIds) })),
  answer: ConnectionTest,
})
/** Tests a connection before it is saved. */
export const testNewConnection = route({
  method: 'POST',
  path: '/model-connections/test',
  access: 'super_admin',
  fails: ['not_available', 'provider_failed'],
  summary: 'Test connection details',
  body: ConnectionBody,
  answer: ConnectionTest,
})
