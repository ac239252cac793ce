import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import { type EmbeddingWire, listOf } from '../../models/embeddings/embedding-wire.ts'
import type { KnownEmbedding } from '../../models/provider/provider.ts'
import { numberIn } from '../../models/wire/number-in.ts'

type Item = { index?: number; embedding?: unknown }

/** OpenAI's `embeddings`, which compatible servers speak too. */
export const openaiEmbeddings: EmbeddingWire = {
  textsMax: 256,
  request: (model, input, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/embeddings', model),
    headers: keyHeaders(endpoint),
    body: { model, input, encoding_format: 'float' },
  }),
  shorten: (body, dimensions) => ({ ...body, dimensions }),
  read: ({ data, embeddings }) => {
    const listed = listOf<Item | unknown[]>(data ?? embeddings)
    if (listed.some(Array.isArray)) return listed
    return (listed as Item[])
      .toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map(({ embedding }) => embedding)
  },
  used: (answer) => numberIn(answer, 'usage', 'prompt_tokens') ?? numberIn(answer, 'usage', 'total_tokens'),
}

export const OPENAI_EMBEDDINGS: readonly KnownEmbedding[] = [
  { name: 'text-embedding-3-small', dimensions: 1536, max_tokens: 8191 },
  { name: 'text-embedding-3-large', dimensions: 3072, max_tokens: 8191 },
]
