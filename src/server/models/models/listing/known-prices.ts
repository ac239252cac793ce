import type { PriceCalculationResult, Usage as TableUsage } from '@pydantic/genai-prices'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import type { Usage } from '../port.ts'
import { providerOf } from '../provider/providers.ts'

/** Facts about a model from the bundled price table, which is loaded at first use. Prices in dollars per million tokens. */
export type KnownModel = {
  context_tokens: number | null
  input_price: number | null
  output_price: number | null
}

/** The server of a model. The same name has another price, or none, on other servers. */
export type Server = {
  kind: ConnectionKind
  base_url: string
  /** True when the server reports the cost of calls in dollars, because its list has prices in dollars. */
  tells_costs?: boolean
}

const unknown: KnownModel = { context_tokens: null, input_price: null, output_price: null }

/** Looks up a model of a server. Returns nulls when the table does not have it there. */
export async function findKnownModel(server: Server, model: string): Promise<KnownModel> {
  // Few enough tokens to avoid the prices of long contexts.
  const input = await calculate(server, model, { input_tokens: 1000, output_tokens: 0 })
  const output = await calculate(server, model, { input_tokens: 0, output_tokens: 1000 })
  if (!input || !output) return unknown
  return {
    context_tokens: input.model.context_window ?? null,
    input_price: perMillion(input.total_price),
    output_price: perMillion(output.total_price),
  }
}

/** Returns the cost of a call by the table, including cached tokens and long contexts. Returns null when it does not have the model. */
export async function findKnownCost(server: Server, model: string, usage: Usage): Promise<number | null> {
  const { input_tokens, output_tokens } = usage
  const cache_read_tokens = Math.min(usage.cached_tokens, input_tokens)
  const images = usage.image_tokens && {
    input_image_tokens: usage.image_tokens.input,
    output_image_tokens: usage.image_tokens.output,
  }
  const cache_write_tokens = Math.min(usage.cache_write_tokens ?? 0, input_tokens - cache_read_tokens)
  const told = { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, ...images }
  return (await calculate(server, model, told))?.total_price ?? null
}

async function calculate(
  { kind, base_url }: Server,
  model: string,
  usage: TableUsage,
): Promise<PriceCalculationResult> {
  const { calcPrice } = await import('@pydantic/genai-prices')
  return calcPrice(usage, model, providerOf(kind).prices(base_url))
}

const perMillion = (price: number) => Math.round(price * 1000 * 1e6) / 1e6
