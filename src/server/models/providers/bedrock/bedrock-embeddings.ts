import { type EmbeddingWire, listOf } from '../../models/embeddings/embedding-wire.ts'
import type { KnownEmbedding } from '../../models/provider/provider.ts'
import { numberIn } from '../../models/wire/number-in.ts'

/** Each model family has its own request format: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html */
export function bedrockEmbeddings(_: string, model: string): EmbeddingWire {
  if (model.includes('cohere.embed')) return cohere
  return model.includes('nova') ? nova : titan
}

const urlOf = (base_url: string, model: string) => `${base_url}/model/${encodeURIComponent(model)}/invoke`

const titan: EmbeddingWire = {
  textsMax: 1,
  request: (model, [inputText = ''], { base_url }) => ({
    ...{ url: urlOf(base_url, model), headers: {}, body: { inputText } },
  }),
  shorten: (body, dimensions) => ({ ...body, dimensions }),
  read: ({ embedding }) => [embedding],
  used: (answer) => numberIn(answer, 'inputTextTokenCount'),
}

const nova: EmbeddingWire = {
  textsMax: 1,
  request: (model, [value = ''], { base_url }, role) => ({
    url: urlOf(base_url, model),
    headers: {},
    body: {
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose: role === 'query' ? 'TEXT_RETRIEVAL' : 'GENERIC_INDEX',
        text: { truncationMode: 'END', value },
      },
    },
  }),
  shorten: (body, embeddingDimension) => ({
    ...body,
    singleEmbeddingParams: { ...(body.singleEmbeddingParams as object), embeddingDimension },
  }),
  read: ({ embeddings }) => listOf<{ embedding?: unknown }>(embeddings).map(({ embedding }) => embedding),
  used: (answer) => numberIn(answer, 'inputTokenCount'),
}

const inputTypes = { query: 'search_query', passage: 'search_document' }

const cohere: EmbeddingWire = {
  textsMax: 96,
  request: (model, texts, { base_url }, role) => ({
    url: urlOf(base_url, model),
    headers: {},
    body: { texts, input_type: inputTypes[role], embedding_types: ['float'] },
  }),
  shorten: (body, output_dimension) => ({ ...body, output_dimension }),
  read: ({ embeddings }) =>
    listOf(Array.isArray(embeddings) ? embeddings : (embeddings as { float?: unknown } | undefined)?.float),
  used: () => null,
}

export const BEDROCK_EMBEDDINGS: readonly KnownEmbedding[] = [
  { name: 'amazon.titan-embed-text-v2:0', dimensions: 1024, max_tokens: 8192 },
  { name: 'cohere.embed-v4:0', dimensions: 1536, max_tokens: 128_000 },
  { name: 'cohere.embed-multilingual-v3', dimensions: 1024, max_tokens: 512 },
]
