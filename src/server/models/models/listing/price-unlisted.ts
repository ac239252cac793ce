import type { Usage } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import { findKnownCost, type Server } from './known-prices.ts'

type Connection = Server & { provider: string }

/** Returns the price of models that lists omit: rerankers by their provider's prices, embedding models by the table. */
export function priceUnlisted(
  state: Connection,
  id: string,
  usage: Usage,
): Promise<number | null> | number | null {
  const name = id.slice(state.provider.length + 1)
  // Usage that was not counted has no price.
  if (usage.estimated && usage.input_tokens + usage.output_tokens === 0) return null
  if (usage.searches === undefined) return findKnownCost(state, name, usage)
  return providerOf(state.kind).rerankCost?.(state.base_url, name, usage) ?? null
}
