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
 * All that the product knows of one kind of provider. The default export of `src/server/models/providers/<kind>/<kind>-provider.ts`;
 * nothing else names a kind.
 */
export type ProviderRecord = {
  /** Order among the kinds: in the form, and of connections that the environment makes. */
  place: number
  form: Omit<ProviderForm, 'kind'>
  /** The connection that settings of the environment make. */
  environment?: (config: Config) => EnvironmentConnection
  address: AddressRules
  /** Exchanges the key for what requests carry, such as an access token. @throws ModelError */
  authorize?: (endpoint: Endpoint) => Promise<Endpoint>
  /** Forgets what the key was exchanged for, after it was refused. */
  forget?: (endpoint: Endpoint) => void
  /** Adds the headers that depend on the whole request, such as a signature. */
  sign?: (request: WireRequest, endpoint: Endpoint) => Promise<WireRequest>
  /** A dialect of this product, or a model that is spoken to otherwise. */
  chat: Dialect | OpenChat
  calls: CallRules
  listing: ListingRules
  embeddings: EmbeddingRules | null
  /** How the rerankers at an address are asked; null where there are none. */
  rerank?: (base_url: string) => RerankWire | null
  /** Settings of a model by its name; a temperature alone if left out. */
  tuning?: (name: string) => Tuning[]
  /** Price of a rerank call in dollars; null when it is unknown. */
  rerankCost?: (base_url: string, model: string, usage: Usage) => number | null
  images: { wire: ImageWire; draws: (id: string) => boolean } | null
  /** Path of the operation that writes recordings down, in the form of OpenAI; null where there is none. */
  speech: string | null
  /** Where the price table finds the models of an address. */
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

/** Address and options of a connection as they were typed. */
export type TypedPlace = {
  base_url: string | null
  api_version: string | null
  options: Readonly<Record<string, string>>
}

/** Where a connection is called, how its key is sent, and the model that the address itself names. */
export type Reached = Pick<Endpoint, 'base_url' | 'key_header'> & {
  api_version: string | null
  deployment: string | null
}

type AddressRules = {
  /** The base address without one that was typed; null where one must be typed. */
  usual: string | null
  /** The part of the path that names the version of the interface; null where addresses are complete as they are. */
  version: string | null
  /** Reads where calls go, when that is more than the typed address. What it answers may be given again. */
  reach?: (place: TypedPlace) => Reached
  /** The address as people typed it, from that of calls. */
  show?: (base_url: string) => string
  /** Each connection is a server of its own: its models carry the connection's name rather than the kind's. */
  isNamed?: boolean
}

/** Opens the models of an endpoint that no dialect speaks to. */
export type OpenChat = (
  endpoint: Endpoint,
  patience: Patience,
  limits: AnswerLimits,
  gate: Gate,
) => StreamModel | Promise<StreamModel>

/** What a dialect takes as the id of a tool call. */
export type IdRule = 'any' | 'anthropic' | 'nine' | 'short'

type CallRules = {
  /** `any`: the family of the model decides. */
  ids: IdRule
  /** The most tools of one call. */
  maxTools: number
  /** Schemas of tools must stay within what Google's functions know. */
  hasGoogleSchemas?: boolean
  /** The output limit that every call must have, from what is known of the model. */
  outputLimit?: (
    model: string,
    known: Pick<ListedModel, 'context_tokens' | 'max_output_tokens'>,
  ) => number | undefined
}

type Item = Record<string, unknown>

/** How a provider lists its models, and what is done where it lists none. */
type ListingRules = {
  /** Lists models in its own way. The other members describe a list over HTTP. @throws ModelError */
  list?: (endpoint: Endpoint) => Promise<ListedModel[]>
  /** Paths of the first pages, from the base address. */
  pages: readonly string[]
  next?: (answer: Item) => string[]
  headers: (endpoint: Endpoint) => Record<string, string>
  /** An answer of another shape comes from another kind of server. */
  isStrict?: boolean
  inOrder?: (items: Item[]) => Item[]
  /** What a model is for; null for what nobody asks for. */
  does: (id: string, item: Item) => ListedModel['does'] | null
  /** Models are shown by their own `name`. */
  hasNames?: boolean
  /** Completes a list by what the server says elsewhere. */
  complete?: (endpoint: Endpoint, listed: ListedModel[], owners: Set<string>) => Promise<ListedModel[]>
  /** Whether what an address lists can be called. */
  isCallable: (base_url: string) => boolean
  /** A refusal to list is none to call. */
  mayForbid: boolean
  /** How a model is asked for a short answer: the path, or a call of its own that throws ModelError. Null: lists are complete. */
  probe: string | ((endpoint: Endpoint, model: string) => Promise<void>) | null
}

/** An embedding model that is known without a list. */
export type KnownEmbedding = { name: string; dimensions: number; max_tokens: number }

type EmbeddingRules = {
  wire: (base_url: string, model: string) => EmbeddingWire
  /** The models in use at an address: lists say little of them. Any other can be named. */
  known: (base_url: string) => readonly KnownEmbedding[]
  /** Known models that are offered once their names were typed by hand. */
  ifNamed?: readonly KnownEmbedding[]
}
