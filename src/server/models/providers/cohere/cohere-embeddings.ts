import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import { type EmbeddingWire, listOf } from '../../models/embeddings/embedding-wire.ts'
import type { KnownEmbedding } from '../../models/provider/provider.ts'
import { numberIn } from '../../models/wire/number-in.ts'

const inputTypes = { query: 'search_query', passage: 'search_document' }

export const cohereEmbed: EmbeddingWire = {
  textsMax: 96,
  request: (model, texts, endpoint, role) => ({
    url: operationUrl(endpoint.base_url, '/embed'),
    headers: keyHeaders(endpoint),
    body: { model, texts, input_type: inputTypes[role], embedding_types: ['float'] },
  }),
  shorten: (body, output_dimension) => ({ ...body, output_dimension }),
  read: ({ embeddings }) => listOf((embeddings as { float?: unknown } | undefined)?.float),
  used: (answer) => numberIn(answer, 'meta', 'billed_units', 'input_tokens'),
}

export const COHERE_EMBEDDINGS: readonly KnownEmbedding[] = [
  { name: 'embed-v4.0', dimensions: 1536, max_tokens: 128_000 },
  { name: 'embed-multilingual-v3.0', dimensions: 1024, max_tokens: 512 },
]
