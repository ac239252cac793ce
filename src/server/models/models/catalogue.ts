import { setTimeout as sleep } from 'node:timers/promises'
import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import type { Configured } from './configured.ts'
import { findKnownModel } from './listing/known-prices.ts'
import { listModels } from './listing/list-models.ts'
import { ModelError } from './port.ts'
import { rerankWire } from './reranking/rerank-wires.ts'
import { pickKey, soonestKey } from './rules/keys.ts'
import type { Override } from './rules/rules-store.ts'
import { readConfigured } from './store.ts'

const freshMs = 5 * 60_000
/** A provider that was away is asked again sooner. */
const retryMs = 30_000
/** A provider that does not answer must not hold the list of the others back. */
const patienceMs = 2_500

/** A configured provider and how its last listing went. */
export type ConnectionState = Configured & {
  status: 'ok' | 'error' | 'untested'
  status_detail: string | null
  models: ConnectionModel[]
  /** What it offers to put texts into another order; ids are `provider/model`. */
  rerankers: ListedReranker[]
  /** What it offers to make images, as its list has them; ids are `provider/model`. */
  drawers: string[]
  /** The embedding models that its list names; ids are `provider/model`. */
  embedders: ListedEmbedder[]
  /** What its list says its models cannot do, by model id. */
  lacks: ReadonlyMap<string, readonly Adaptation[]>
}

type ListedReranker = { id: string; name: string }
type ListedEmbedder = { id: string; name: string; max_tokens: number | null }

type Listing = {
  at: number
  /** What it was asked with; another address or key makes it old. */
  version: string
  status: 'ok' | 'error'
  detail: string | null
  models: ConnectionModel[]
  rerankers: ListedReranker[]
  drawers: string[]
  embedders: ListedEmbedder[]
  lacks: ReadonlyMap<string, readonly Adaptation[]>
}
type Source = Parameters<typeof readConfigured>[0]

/** What the configured providers offer, asked for at most every five minutes. */
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
    /** Every configured provider, its models with what administrators changed about them. */
    async read(): Promise<ConnectionState[]> {
      const { configured, overrides } = await readConfigured(source)
      const stale = configured.filter((one) => isUsable(one) && !isFresh(one, listings.get(one.id)))
      const mustWait = stale.some((one) => listings.get(one.id)?.version !== versionOf(one))
      const asked = Promise.all(stale.map(ask))
      if (mustWait) await Promise.race([asked, sleep(patienceMs, undefined, { ref: false })])
      return configured.map((one) => stateOf(one, listings.get(one.id), overrides))
    },
    /** The same with what they have listed so far: nobody is waited for. */
    known: async (): Promise<ConnectionState[]> => {
      const { configured, overrides } = await readConfigured(source)
      return configured.map((one) => stateOf(one, listings.get(one.id), overrides))
    },
    /** Asks every provider again at the next reading; until it answers, what is known stays. */
    forget(): void {
      for (const listing of listings.values()) listing.version = ''
    },
  }
}

/** Whether a connection may be called. */
export const isUsable = ({ enabled, problem }: Configured) => enabled && problem === null

const versionOf = ({ base_url, keys, kind, provider }: Configured) =>
  JSON.stringify([kind, provider, base_url, keys.map(({ api_key }) => api_key)])

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
  const { drawers = [], embedders = [], lacks = new Map() } = listing ?? {}
  const known = { models, rerankers, drawers, embedders, lacks }
  if (connection.problem !== null)
    return { ...connection, status: 'error', status_detail: connection.problem, ...known }
  return {
    ...connection,
    status: listing?.status ?? 'untested',
    status_detail: listing?.detail ?? null,
    ...known,
  }
}

/** Those it lists, and those that are known of a provider that lists none. */
function rerankersOf(connection: Configured, listing: Listing | undefined): ListedReranker[] {
  const known =
    rerankWire(connection.kind, connection)?.known.map((name) => ({
      id: `${connection.provider}/${name}`,
      name,
    })) ?? []
  const listed = listing?.rerankers ?? []
  return [...listed, ...known.filter(({ id }) => !listed.some((one) => one.id === id))]
}

async function listOf(connection: Configured): Promise<Listing> {
  const version = versionOf(connection)
  try {
    const { kind, keys, ...endpoint } = connection
    const key = pickKey(keys, 0) ?? soonestKey(keys)
    const listed = await listModels(kind, { ...endpoint, api_key: key?.api_key ?? null })
    const models = await Promise.all(
      listed
        .filter(({ does }) => does === 'chat')
        .map(async (model) => {
          const known = await findKnownModel(connection, model.id)
          return {
            id: `${connection.provider}/${model.id}`,
            name: model.name,
            context_tokens: model.context_tokens ?? known.context_tokens,
            max_output_tokens: model.max_output_tokens,
            input_price: model.input_price ?? known.input_price,
            output_price: model.output_price ?? known.output_price,
            offered: true,
            edited: false,
            fallback: null,
          }
        }),
    )
    const rerankers = listed
      .filter(({ does }) => does === 'rerank')
      .map(({ id, name }) => ({ id: `${connection.provider}/${id}`, name }))
    const drawers = listed
      .filter(({ does }) => does === 'draw')
      .map(({ id }) => `${connection.provider}/${id}`)
    const embedders = listed
      .filter(({ does }) => does === 'embed')
      .map(({ id, context_tokens: max_tokens }) => ({
        ...{ id: `${connection.provider}/${id}`, name: id, max_tokens },
      }))
    const lacks = new Map(listed.map((model) => [`${connection.provider}/${model.id}`, model.lacks]))
    return {
      at: Date.now(),
      version,
      status: 'ok',
      detail: null,
      models,
      rerankers,
      drawers,
      embedders,
      lacks,
    }
  } catch (error) {
    const detail = error instanceof ModelError ? error.message : 'The list of models could not be read.'
    return {
      at: Date.now(),
      version,
      status: 'error',
      detail,
      models: [],
      rerankers: [],
      drawers: [],
      embedders: [],
      lacks: new Map(),
    }
  }
}

/** A provider that is away for a while keeps what it had. */
function keepKnown(listing: Listing, before: Listing | undefined): Listing {
  return listing.status === 'error' && before
    ? {
        ...listing,
        models: before.models,
        rerankers: before.rerankers,
        drawers: before.drawers,
        embedders: before.embedders,
        lacks: before.lacks,
      }
    : listing
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
