import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { providerOf } from '../provider/providers.ts'

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
  const rules = providerOf(kind).embeddings
  const own = rules?.known(base_url) ?? []
  // Most deployments are named like their model.
  const named = (rules?.ifNamed ?? []).filter((one) => model_ids.includes(one.name))
  const known = [...own, ...named.filter((one) => !own.includes(one))]
  const found = known.map((one) => ({ ...one, id: `${provider}/${one.name}`, provider_name, problem: null }))
  const listed = embedders.filter(({ id }) => !found.some((one) => one.id === id))
  return [...found, ...listed.map((one) => ({ ...one, dimensions: null, provider_name, problem: null }))]
}
