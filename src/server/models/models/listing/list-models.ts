import { MAX_MODEL_ID } from '#shared/models/connections/model-name.ts'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { possibleBases, rememberBase } from '../addresses/bases.ts'
import { urlAt } from '../addresses/operation-url.ts'
import { ModelError } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { isNoServer, noServerAt, sentenceFor } from '../wire/failures.ts'
import { getJson, MovedError } from './get-json.ts'
import type { ListedModel } from './listed-model.ts'
import { listedWindow, numberOf } from './listed-window.ts'
import { readCapabilities } from './read-capabilities.ts'

const PAGES_MAX = 20

/**
 * Lists a provider's chat, embedding, reranking and image models, newest first where the provider dates them. Tries every base
 * address that the server may have. @throws ModelError
 */
export async function listModels(kind: ConnectionKind, endpoint: Endpoint): Promise<ListedModel[]> {
  const { listing, address } = providerOf(kind)
  if (listing.list) return listing.list(endpoint)
  let first: ModelError | null = null
  const bases = possibleBases(endpoint.base_url, address.version)
  for (const base of bases) {
    try {
      const listed = await listAt(kind, endpoint, base)
      rememberBase(endpoint.base_url, base)
      return listed
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const moved = error instanceof MovedError ? movedBase(error, kind) : null
      if (moved && !bases.includes(moved)) bases.push(moved)
      const isGuess = first !== null
      if (isGuess ? isRefusedKey(error, base) : !isNoList(error)) throw error
      first ??= noServerAt(endpoint.base_url, error)
    }
  }
  throw first
}

/** Returns the base address that a list moved to. Returns null for another host or without encryption, where the key must not go. */
function movedBase({ from, to }: MovedError, kind: ConnectionKind): string | null {
  const [page = ''] = (providerOf(kind).listing.pages[0] ?? '').split('?')
  if (to?.hostname !== from.hostname || !to.pathname.endsWith(page)) return null
  if (from.protocol === 'https:' && to.protocol !== 'https:') return null
  return to.origin + to.pathname.slice(0, -page.length) + from.search
}

/** Returns whether an address has no list of models: nothing answers there, or a web page does. */
const isNoList = (error: ModelError) => isNoServer(error) || error.kind === 'wrong_address'

/** A server answers but refuses the key. Gateways refuse every key at unknown addresses, but few of those contain a version. */
const isRefusedKey = ({ status }: ModelError, base: string) => status === 401 && /\/v\d\w*(?:\?|$)/.test(base)

async function listAt(kind: ConnectionKind, endpoint: Endpoint, base: string): Promise<ListedModel[]> {
  const { listing } = providerOf(kind)
  const { inOrder = (items: Item[]) => items, next = () => [], complete } = listing
  const found: ListedModel[] = []
  const pages = [...listing.pages]
  const owners = new Set<string>()
  let read = 0
  for (let page = pages.shift(); page && read < PAGES_MAX && found.length < 5000; page = pages.shift()) {
    const answer = await getJson(urlAt(base, page), listing.headers(endpoint))
    if (read === 0 && listing.isStrict) assertList(answer, endpoint.base_url)
    for (const { owned_by } of readItems(answer)) owners.add(String(owned_by ?? ''))
    found.push(...inOrder(readItems(answer)).flatMap((item) => readModel(kind, item)))
    pages.unshift(...next(answer))
    read += 1
  }
  const first = new Map(found.toReversed().map((one) => [one.id, one]))
  const models = found.filter((one) => first.get(one.id) === one)
  return complete ? complete({ ...endpoint, base_url: base }, models, owners) : models
}

/** Some servers answer every request with 200; LM Studio answers with an error. */
function assertList(answer: Record<string, unknown>, address: string): void {
  if (!LISTS.some((name) => name in answer))
    throw new ModelError('wrong_address', sentenceFor('wrong_address', address))
}

type Item = Record<string, unknown>

/** Fields in which servers send the list, also inside each other. */
const LISTS = ['data', 'models', 'result', 'results', 'items', 'model_list']

function readItems(answer: unknown, depth = 0): Item[] {
  if (Array.isArray(answer)) return answer.flatMap(readItem)
  if (typeof answer !== 'object' || answer === null || depth > 2) return []
  const fields: Item = { ...answer }
  for (const name of LISTS) {
    const items = readItems(fields[name], depth + 1)
    if (items.length > 0) return items
  }
  return []
}

/** A list has objects, names, or objects packed as texts of JSON. */
function readItem(item: unknown): Item[] {
  const value = typeof item === 'string' && item.startsWith('{') ? (tryJson(item) ?? item) : item
  if (typeof value === 'string' && value.trim() !== '') return [{ id: value.trim() }]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? [{ ...value }] : []
}

/** Reads a model from a list; returns nothing for kinds that Atrium does not use. */
export function readModel(kind: ConnectionKind, item: Item): ListedModel[] {
  const id = idOf(item).replace(/^models\//, '')
  const { listing } = providerOf(kind)
  const does = listing.does(id, item)
  if (!id || id.length > MAX_MODEL_ID || !does) return []
  const pricing = item.pricing as { prompt?: string; completion?: string } | undefined
  return [
    {
      id,
      does,
      name: String(item.display_name ?? item.displayName ?? (listing.hasNames ? (item.name ?? id) : id)),
      context_tokens: listedWindow(item),
      max_output_tokens:
        numberOf(item.max_tokens) ?? numberOf(item.outputTokenLimit) ?? numberOf(item.max_completion_tokens),
      input_price: perMillion(pricing?.prompt),
      output_price: perMillion(pricing?.completion),
      lacks: readCapabilities(item),
    },
  ]
}

/** Servers name the id in these fields; a few send numbers. */
function idOf({ id, name, model, model_name, modelId, slug }: Item): string {
  const given = [id, model, name, model_name, modelId, slug].find(
    (one) => (typeof one === 'string' && one.trim() !== '') || typeof one === 'number',
  )
  return String(given ?? '').trim()
}

function perMillion(price: string | undefined): number | null {
  const value = Number(price)
  return price === undefined || !Number.isFinite(value) || value < 0 ? null : value * 1_000_000
}
