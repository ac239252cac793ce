import { operationUrl } from '../../models/addresses/operation-url.ts'
import { type EmbeddingWire, listOf } from '../../models/embeddings/embedding-wire.ts'
import { numberIn } from '../../models/wire/number-in.ts'
import { googleHeaders } from './google-headers.ts'

type Body = Record<string, unknown>

/** The wire that a model is embedded with. Vertex AI, whose addresses end in `/publishers/google`, embeds by prediction. */
export function googleEmbeddings(base_url: string, model: string): EmbeddingWire {
  if (!/\/publishers\/\w+$/.test(base_url)) return googleBatch
  // Vertex takes one text at a time for the models that are called Gemini.
  return model.startsWith('gemini') ? { ...vertexPredict, textsMax: 1 } : vertexPredict
}

const googleBatch: EmbeddingWire = {
  textsMax: 100,
  request: (model, texts, endpoint) => ({
    url: operationUrl(endpoint.base_url, `/models/${encodeURIComponent(model)}:batchEmbedContents`),
    headers: googleHeaders(endpoint),
    body: { requests: texts.map((text) => ({ model: `models/${model}`, content: { parts: [{ text }] } })) },
  }),
  shorten: ({ requests }, outputDimensionality) => ({
    requests: listOf<Body>(requests).map((request) => ({ ...request, outputDimensionality })),
  }),
  read: ({ embeddings }) => listOf<{ values?: unknown }>(embeddings).map(({ values }) => values),
  used: () => null,
}

const vertexPredict: EmbeddingWire = {
  textsMax: 250,
  request: (model, texts, endpoint) => ({
    url: operationUrl(endpoint.base_url, `/models/${encodeURIComponent(model)}:predict`),
    headers: googleHeaders(endpoint),
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
