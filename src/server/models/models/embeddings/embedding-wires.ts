import type { ConnectionKind } from '#shared/models/connections/connections.ts'
import { keyHeaders } from '../addresses/key-headers.ts'
import { operationUrl } from '../addresses/operation-url.ts'
import type { TextRole } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'
import { numberIn } from '../wire/number-in.ts'

type Body = Record<string, unknown>

/** How a provider's embeddings are asked for: texts out, one vector for each of them in. */
export type EmbeddingWire = {
  /** The most texts that one request may carry. */
  textsMax: number
  request(model: string, texts: string[], endpoint: Endpoint, role: TextRole): WireRequest
  /** The body of a request that also asks for vectors of this length. */
  shorten(body: Body, dimensions: number): Body
  /** The vectors of an answer in the order of the texts; nothing where it holds none. */
  read(answer: Record<string, unknown>): unknown[]
  /** Tokens it counted; null where it does not say. */
  used(answer: Record<string, unknown>): number | null
}

/** The wire that a model is embedded with at this address; null where the provider embeds nothing. */
export function embeddingWire(
  kind: ConnectionKind,
  { base_url }: Endpoint,
  model: string,
): EmbeddingWire | null {
  if (kind === 'anthropic') return null
  if (kind === 'cohere') return cohereEmbed
  if (kind !== 'google') return openaiEmbeddings
  if (!/\/publishers\/\w+$/.test(base_url)) return googleBatch
  // Vertex takes one text at a time for the models that are called Gemini.
  return model.startsWith('gemini') ? { ...vertexPredict, textsMax: 1 } : vertexPredict
}

const bearer = (key: string | null): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {})
const googleKey = (key: string | null): Record<string, string> => (key ? { 'x-goog-api-key': key } : {})

const openaiEmbeddings: EmbeddingWire = {
  textsMax: 256,
  request: (model, input, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/embeddings', model),
    headers: keyHeaders(endpoint),
    body: { model, input, encoding_format: 'float' },
  }),
  shorten: (body, dimensions) => ({ ...body, dimensions }),
  read: ({ data }) =>
    listOf<{ index?: number; embedding?: unknown }>(data)
      .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map(({ embedding }) => embedding),
  used: (answer) => numberIn(answer, 'usage', 'prompt_tokens') ?? numberIn(answer, 'usage', 'total_tokens'),
}

const inputTypes = { query: 'search_query', passage: 'search_document' }

const cohereEmbed: EmbeddingWire = {
  textsMax: 96,
  request: (model, texts, { base_url, api_key }, role) => ({
    url: operationUrl(base_url, '/embed'),
    headers: bearer(api_key),
    body: { model, texts, input_type: inputTypes[role], embedding_types: ['float'] },
  }),
  shorten: (body, output_dimension) => ({ ...body, output_dimension }),
  read: ({ embeddings }) => listOf((embeddings as { float?: unknown } | undefined)?.float),
  used: (answer) => numberIn(answer, 'meta', 'billed_units', 'input_tokens'),
}

const googleBatch: EmbeddingWire = {
  textsMax: 100,
  request: (model, texts, { base_url, api_key }) => ({
    url: operationUrl(base_url, `/models/${encodeURIComponent(model)}:batchEmbedContents`),
    headers: googleKey(api_key),
    body: { requests: texts.map((text) => ({ model: `models/${model}`, content: { parts: [{ text }] } })) },
  }),
  shorten: ({ requests }, outputDimensionality) => ({
    requests: listOf<Body>(requests).map((request) => ({ ...request, outputDimensionality })),
  }),
  read: ({ embeddings }) => listOf<{ values?: unknown }>(embeddings).map(({ values }) => values),
  used: () => null,
}

/** Vertex AI, whose addresses end in `/publishers/google`, embeds by prediction. */
const vertexPredict: EmbeddingWire = {
  textsMax: 250,
  request: (model, texts, { base_url, api_key }) => ({
    url: operationUrl(base_url, `/models/${encodeURIComponent(model)}:predict`),
    headers: googleKey(api_key),
    body: { instances: texts.map((content) => ({ content })) },
  }),
  shorten: (body, outputDimensionality) => ({ ...body, parameters: { outputDimensionality } }),
  read: ({ predictions }) =>
    listOf<{ embeddings?: { values?: unknown } }>(predictions).map(({ embeddings }) => embeddings?.values),
  used: ({ predictions }) => {
    const counts = listOf(predictions).map((one) => numberIn(one, 'embeddings', 'statistics', 'token_count'))
    return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  },
}

const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? value : [])
