import type { KnownEmbedding } from '../../models/provider/provider.ts'
import { isOf } from './domains.ts'

const knownByDomain: Record<string, readonly KnownEmbedding[]> = {
  'mistral.ai': [{ name: 'mistral-embed', dimensions: 1024, max_tokens: 8192 }],
  'voyageai.com': [{ name: 'voyage-3.5', dimensions: 1024, max_tokens: 32_000 }],
  'jina.ai': [{ name: 'jina-embeddings-v3', dimensions: 1024, max_tokens: 8192 }],
}

/** The embedding models that are known of an address. */
export function knownEmbeddingsAt(base_url: string): readonly KnownEmbedding[] {
  const domain = Object.keys(knownByDomain).find((one) => isOf(base_url, one))
  return domain === undefined ? [] : (knownByDomain[domain] ?? [])
}
