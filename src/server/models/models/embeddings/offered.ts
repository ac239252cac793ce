import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import type { ConnectionKind } from '#shared/models/connections/connections.ts'

type Known = { name: string; dimensions: number; max_tokens: number }

/** Lists of providers say little of models that embed: these are the ones in use. Any other can be named. */
const knownByKind: Partial<Record<ConnectionKind, readonly Known[]>> = {
  openai: [
    { name: 'text-embedding-3-small', dimensions: 1536, max_tokens: 8191 },
    { name: 'text-embedding-3-large', dimensions: 3072, max_tokens: 8191 },
  ],
  google: [{ name: 'gemini-embedding-001', dimensions: 3072, max_tokens: 2048 }],
  cohere: [
    { name: 'embed-v4.0', dimensions: 1536, max_tokens: 128_000 },
    { name: 'embed-multilingual-v3.0', dimensions: 1024, max_tokens: 512 },
  ],
}
const knownByDomain: Record<string, readonly Known[]> = {
  'mistral.ai': [{ name: 'mistral-embed', dimensions: 1024, max_tokens: 8192 }],
  'voyageai.com': [{ name: 'voyage-3.5', dimensions: 1024, max_tokens: 32_000 }],
  'jina.ai': [{ name: 'jina-embeddings-v3', dimensions: 1024, max_tokens: 8192 }],
}

type Connection = {
  provider: string
  name: string
  kind: ConnectionKind
  base_url: string
  embedders: readonly { id: string; name: string; max_tokens: number | null }[]
  model_ids: readonly string[]
}

/** Returns the embedding models of a connected provider: known ones first, then those it lists. */
export function embeddingsOf({
  provider,
  name: provider_name,
  kind,
  base_url,
  embedders,
  model_ids,
}: Connection): OfferedEmbedding[] {
  const host = URL.canParse(base_url) ? new URL(base_url).hostname : ''
  const domain = Object.keys(knownByDomain).find((one) => host === one || host.endsWith(`.${one}`))
  const own = knownByKind[kind] ?? (domain === undefined ? [] : (knownByDomain[domain] ?? []))
  // Most deployments keep the name of their model.
  const named = (knownByKind.openai ?? []).filter((one) => model_ids.includes(one.name))
  const known = [...own, ...named.filter((one) => !own.includes(one))]
  const found = known.map((one) => ({ ...one, id: `${provider}/${one.name}`, provider_name, problem: null }))
  const listed = embedders.filter(({ id }) => !found.some((one) => one.id === id))
  return [...found, ...listed.map((one) => ({ ...one, dimensions: null, provider_name, problem: null }))]
}
