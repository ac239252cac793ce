import { setTimeout as sleep } from 'node:timers/promises'
import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import type { Configured } from './configured.ts'
import { findOffer, namedModels } from './listing/find-offer.ts'
import { findKnownModel } from './listing/known-prices.ts'
import type { ListedModel } from './listing/listed-model.ts'
import { ModelError } from './port.ts'
import { providerOf } from './provider/providers.ts'
import { pickKey, soonestKey } from './rules/keys.ts'
import type { Override } from './rules/rules-store.ts'
import { readConfigured } from './store.ts'

const freshMs = 5 * 60_000
/** A provider that failed is asked again sooner. */
const retryMs = 30_000
/** A slow provider must not delay the list of the others. */
const patienceMs = 2_500

/** A configured provider and the result of its last listing. */
export type ConnectionState = Configured & {
  status: 'ok' | 'error' | 'untested'
  status_detail: string | null
  /** True when its list and its answers contain prices in dollars. */
  tells_costs: boolean
  /** False when its server lists no models, or none that may be called. */
  lists_models: boolean
  models: ConnectionModel[]
  /** Its rerankers; ids are `provider/model`. */
  rerankers: ListedReranker[]
  /** The image models of its list; ids are `provider/model`. */
  drawers: string[]
  /** The embedding models of its list; ids are `provider/model`. */
  embedders: ListedEmbedder[]
  /** Limits of its models according to its list, by model id. */
  lacks: ReadonlyMap<string, readonly Adaptation[]>
}

type ListedReranker = { id: string; name: string }
type ListedEmbedder = { id: string; name: string; max_tokens: number | null }

type Listing = {
  at: number
  /** The settings of the connection at that time. Other settings make the listing stale. */
  version: string
  status: 'ok' | 'error'
  detail: string | null
  lists_models: boolean
  tells_costs: boolean
  models: ConnectionModel[]
  rerankers: ListedReranker[]
  drawers: string[]
  embedders: ListedEmbedder[]
  lacks: ReadonlyMap<string, readonly Adaptation[]>
}
type Source = Parameters<typeof readConfigured>[0]

/** Creates the catalogue of what the configured providers offer. Each provider is asked at most every five minutes. */
export function createCatalogue(source: Source) {
  const listings = new Map<string, Listing>()
  const asking = new Map<string, Promise<void>>()

  const ask = (connection: Configured): Promise<void> => {
    const under = asking.get(connection.id)
    if (under) return under
    const question = listOf(connection)
      .then((listing) => void listings.set(connection.id, keepKnown(listing, listings.get(connection.id))))
      .finally(() => asking.delete(connection.id))
    asking.set(connection.id, question)
    return question
  }

  return {
    /** Returns every configured provider, its models with the overrides of administrators. */
    async read(): Promise<ConnectionState[]> {
      const { configured, overrides } = await readConfigured(source)
      const stale = configured.filter((one) => isUsable(one) && !isFresh(one, listings.get(one.id)))
      const mustWait = stale.some((one) => listings.get(one.id)?.version !== versionOf(one))
      const asked = Promise.all(stale.map(ask))
      if (mustWait) await Promise.race([asked, sleep(patienceMs, undefined, { ref: false })])
      return configured.map((one) => stateOf(one, listings.get(one.id), overrides))
    },
    /** Like `read`, but waits for no provider: returns what was listed so far. */
    known: async (): Promise<ConnectionState[]> => {
      const { configured, overrides } = await readConfigured(source)
      return configured.map((one) => stateOf(one, listings.get(one.id), overrides))
    },
    /** Asks every provider again at the next reading. Known models stay until it answers. */
    forget(): void {
      for (const listing of listings.values()) listing.version = ''
    },
  }
}

/** Returns whether a connection may be called. */
export const isUsable = ({ enabled, problem }: Configured) => enabled && problem === null

const versionOf = ({ base_url, keys, kind, provider, model_ids, entra, options }: Configured) =>
  JSON.stringify([kind, provider, base_url, model_ids, entra, options, keys.map(({ api_key }) => api_key)])

function isFresh(connection: Configured, listing: Listing | undefined): boolean {
  if (listing?.version !== versionOf(connection)) return false
  return Date.now() - listing.at < (listing.status === 'ok' ? freshMs : retryMs)
}

function stateOf(
  connection: Configured,
  listing: Listing | undefined,
  overrides: Map<string, Override>,
): ConnectionState {
  const models = (listing?.models ?? []).map((model) => withOverride(model, overrides.get(model.id)))
  const rerankers = rerankersOf(connection, listing)
  const known = {
    ...{ models, rerankers, lists_models: listing?.lists_models ?? true },
    ...{ tells_costs: listing?.tells_costs ?? false },
    ...{ drawers: listing?.drawers ?? [], embedders: listing?.embedders ?? [] },
    lacks: listing?.lacks ?? new Map(),
  }
  if (connection.problem !== null)
    return { ...connection, status: 'error', status_detail: connection.problem, ...known }
  return {
    ...connection,
    status: listing?.status ?? 'untested',
    status_detail: listing?.detail ?? null,
    ...known,
  }
}

/** Returns the listed rerankers and the provider's known ones that it does not list. */
function rerankersOf(connection: Configured, listing: Listing | undefined): ListedReranker[] {
  const known =
    providerOf(connection.kind)
      .rerank?.(connection.base_url)
      ?.known.map((name) => ({
        id: `${connection.provider}/${name}`,
        name,
      })) ?? []
  const listed = listing?.rerankers ?? []
  return [...listed, ...known.filter(({ id }) => !listed.some((one) => one.id === id))]
}

async function listOf(connection: Configured): Promise<Listing> {
  const listing = { at: Date.now(), version: versionOf(connection) }
  try {
    const key = pickKey(connection.keys, 0) ?? soonestKey(connection.keys)
    const { models, isListed } = await findOffer({ ...connection, api_key: key?.api_key ?? null })
    const described = await describe(connection, models)
    return { ...listing, ...described, at: Date.now(), status: 'ok', detail: null, lists_models: isListed }
  } catch (error) {
    const isKnown = error instanceof ModelError
    const detail = isKnown ? error.message : 'The list of models could not be read.'
    const lists_models = !(isKnown && error.kind === 'no_list')
    const described = await describe(connection, namedModels(connection))
    return { ...listing, ...described, at: Date.now(), status: 'error', detail, lists_models }
  }
}

type Described = Pick<Listing, 'models' | 'rerankers' | 'drawers' | 'embedders' | 'lacks' | 'tells_costs'>

/** Groups a connection's models by what they do, with ids of this installation and known prices. */
async function describe(connection: Configured, offered: readonly ListedModel[]): Promise<Described> {
  const idOf = ({ id }: ListedModel) => `${connection.provider}/${id}`
  const models = offered
    .filter(({ does }) => does === 'chat')
    .map(async (model) => {
      const known = await findKnownModel(connection, model.id)
      return {
        id: idOf(model),
        name: model.name,
        context_tokens: model.context_tokens ?? known.context_tokens,
        max_output_tokens: model.max_output_tokens,
        input_price: model.input_price ?? known.input_price,
        output_price: model.output_price ?? known.output_price,
        offered: true,
        edited: false,
        fallback: null,
      }
    })
  const rerankers = offered.filter(({ does }) => does === 'rerank')
  return {
    models: await Promise.all(models),
    tells_costs: offered.some(({ input_price }) => input_price !== null),
    rerankers: rerankers.map((model) => ({ id: idOf(model), name: model.name })),
    drawers: offered.filter(({ does }) => does === 'draw').map(idOf),
    embedders: offered
      .filter(({ does }) => does === 'embed')
      .map((model) => ({ id: idOf(model), name: model.id, max_tokens: model.context_tokens })),
    lacks: new Map(offered.map((model) => [idOf(model), model.lacks])),
  }
}

/** Keeps the models of a provider that fails for a while. */
function keepKnown(listing: Listing, before: Listing | undefined): Listing {
  if (listing.status !== 'error' || !before) return listing
  const { rerankers, drawers, embedders, lacks, tells_costs } = before
  const others = before.models.filter(({ id }) => !listing.models.some((model) => model.id === id))
  const known = { rerankers, drawers, embedders, lacks, tells_costs }
  return { ...listing, models: [...listing.models, ...others], ...known }
}

function withOverride(model: ConnectionModel, override: Override | undefined): ConnectionModel {
  if (!override) return model
  const { offered, input_price, output_price, context_tokens, fallback_id: fallback } = override
  return {
    ...model,
    offered: offered ?? model.offered,
    input_price: input_price ?? model.input_price,
    output_price: output_price ?? model.output_price,
    context_tokens: context_tokens ?? model.context_tokens,
    fallback,
    edited: input_price !== null || output_price !== null || context_tokens !== null,
  }
}
