import type { ConnectionModel } from '#shared/connections/connections.ts'
import type { Price } from './models.ts'
import type { Usage } from './port.ts'

/**
 * What a call cost in dollars. Prices an administrator or the provider gave come first; else the table that ships with
 * the product, which also knows prices of cached tokens. Without any price the call is unpriced and costs 0.
 */
export async function priceOf(
  modelId: string,
  model: ConnectionModel | undefined,
  usage: Usage,
): Promise<Price> {
  const { edited, input_price, output_price } = model ?? {}
  const name = modelId.slice(modelId.indexOf('/') + 1)
  const { calcPrice } = await import('@pydantic/genai-prices')
  const { input_tokens, output_tokens, cached_tokens: cache_read_tokens } = usage
  const known = edited ? null : calcPrice({ input_tokens, output_tokens, cache_read_tokens }, name)
  if (known) return { amount: known.total_price, unpriced: false }
  if (input_price == null && output_price == null) return { amount: 0, unpriced: true }
  const amount = (input_tokens * (input_price ?? 0) + output_tokens * (output_price ?? 0)) / 1_000_000
  return { amount, unpriced: false }
}
