import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import type { Tuning } from '#shared/models/connections/tuning.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { EmbeddingWire } from '../embeddings/embedding-wire.ts'
import type { ImageWire } from '../images/image-wire.ts'
import type { ListedModel } from '../listing/listed-model.ts'
import type { StreamModel, Usage } from '../port.ts'
import type { RerankWire } from '../reranking/rerank-wire.ts'
import type { AnswerLimits } from '../wire/allowance.ts'
import type { Dialect, Endpoint, WireRequest } from '../wire/dialect.ts'
import type { Gate } from '../wire/gate.ts'
import type { Patience } from '../wire/patience.ts'

/**
 * Everything specific to one kind of provider: the default export of `src/server/models/providers/<kind>/<kind>-provider.ts`.
 * No other code names a kind.
 */
export type ProviderRecord = {
  /** Position among the kinds: in the form, and of connections from the environment. */
  place: number
  form: Omit<ProviderForm, 'kind'>
  /** The connection that environment variables define. */
  environment?: (config: Config) => EnvironmentConnection
  address: AddressRules
  /** Exchanges the key for the credentials of requests, such as an access token. @throws ModelError */
  authorize?: (endpoint: Endpoint) => Promise<Endpoint>
  /** Forgets the exchanged credentials after a refusal. */
  forget?: (endpoint: Endpoint) => void
  /** Adds the headers that depend on the whole request, such as a signature. */
  sign?: (request: WireRequest, endpoint: Endpoint) => Promise<WireRequest>
  /** A dialect, or a function that opens models without one. */
  chat: Dialect | OpenChat
  calls: CallRules
  listing: ListingRules
  embeddings: EmbeddingRules | null
  /** Returns the wire format of the rerankers at an address; null where there are none. */
  rerank?: (base_url: string) => RerankWire | null
  /** Returns the settings of a model by its name. Models have only a temperature when this is omitted. */
  tuning?: (name: string) => Tuning[]
  /** Price of a rerank call in dollars; null when it is unknown. */
  rerankCost?: (base_url: string, model: string, usage: Usage) => number | null
  images: { wire: ImageWire; draws: (id: string) => boolean } | null
  /** Path of the transcription operation, in OpenAI's format; null without one. */
  speech: string | null
  /** Returns where the price table lists the models of an address. */
  prices: (base_url: string) => { providerId: string } | { providerApiUrl: string }
}

export type EnvironmentConnection = {
  provider: string
  name: string
  base_url: string | null
  api_key: string | null
  model_ids: string[]
  fixed_by: string[]
}

/** Address and options of a connection as a user typed them. */
export type TypedPlace = {
  base_url: string | null
  api_version: string | null
  options: Readonly<Record<string, string>>
}

/** The address of calls, the header of the key, and the model that the address itself names. */
export type Reached = Pick<Endpoint, 'base_url' | 'key_header'> & {
  api_version: string | null
  deployment: string | null
}

type AddressRules = {
  /** The default base address; null where one must be typed. */
  usual: string | null
  /** The path segment of the API version; null where addresses are complete. */
  version: string | null
  /** Resolves the address of calls when it differs from the typed one. Applying it to its own result changes nothing. */
  reach?: (place: TypedPlace) => Reached
  /** Returns the typed address for the address of calls. */
  show?: (base_url: string) => string
  /** True when each connection is a separate server. Ids of its models start with the connection's name instead of the kind. */
  isNamed?: boolean
}

/** Opens the models of an endpoint without a dialect. */
export type OpenChat = (
  endpoint: Endpoint,
  patience: Patience,
  limits: AnswerLimits,
  gate: Gate,
) => StreamModel | Promise<StreamModel>

/** Format of tool call ids that a dialect accepts. */
export type IdRule = 'any' | 'anthropic' | 'nine' | 'short'

type CallRules = {
  /** `any`: the family of the model decides. */
  ids: IdRule
  /** Maximum tools per call. */
  maxTools: number
  /** True when tool schemas must be within the subset that Google's functions support. */
  hasGoogleSchemas?: boolean
  /** Returns the output limit that every call must have. */
  outputLimit?: (
    model: string,
    known: Pick<ListedModel, 'context_tokens' | 'max_output_tokens'>,
  ) => number | undefined
}

type Item = Record<string, unknown>

/** How a provider lists its models, and how a model is probed where it lists none. */
type ListingRules = {
  /** Lists models in its own way. The other members describe a list over HTTP. @throws ModelError */
  list?: (endpoint: Endpoint) => Promise<ListedModel[]>
  /** Paths of the first pages, relative to the base address. */
  pages: readonly string[]
  next?: (answer: Item) => string[]
  headers: (endpoint: Endpoint) => Record<string, string>
  /** True when an answer of another shape comes from another kind of server. */
  isStrict?: boolean
  inOrder?: (items: Item[]) => Item[]
  /** Returns what a model does; null for kinds that Atrium does not use. */
  does: (id: string, item: Item) => ListedModel['does'] | null
  /** True when `name` is the display name of a model. */
  hasNames?: boolean
  /** Completes a list with what the server says elsewhere. */
  complete?: (endpoint: Endpoint, listed: ListedModel[], owners: Set<string>) => Promise<ListedModel[]>
  /** Returns whether the listed models of an address can be called. */
  isCallable: (base_url: string) => boolean
  /** True when a key that may call models may be refused the list. */
  mayForbid: boolean
  /** Probes a model with a short answer: a path, or a function that throws ModelError. Null where lists are complete. */
  probe: string | ((endpoint: Endpoint, model: string) => Promise<void>) | null
}

/** An embedding model that needs no list. */
export type KnownEmbedding = { name: string; dimensions: number; max_tokens: number }

type EmbeddingRules = {
  wire: (base_url: string, model: string) => EmbeddingWire
  /** Returns the models in use at an address, because lists say little about them. Others can be named by hand. */
  known: (base_url: string) => readonly KnownEmbedding[]
  /** Known models that are offered once their names are entered by hand. */
  ifNamed?: readonly KnownEmbedding[]
}
