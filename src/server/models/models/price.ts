import { Buffer } from 'node:buffer'
import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import { findKnownCost, findKnownModel, type Server } from './listing/known-prices.ts'
import type { ModelCall, Usage } from './port.ts'

/** The cost of a call. `amount` is in dollars; 0 and `unpriced` when no price is known. */
export type Price = { amount: number; unpriced: boolean }

/**
 * Returns the cost of a call in dollars, by the prices that users see; 0 and unpriced without a price. A cost that the provider reports
 * counts unless an administrator set prices. If the prices are those of the bundled table, the table calculates, including cached
 * tokens and long contexts.
 */
export async function priceOf(server: Server, model: ConnectionModel, usage: Usage): Promise<Price> {
  const { input_price, output_price } = model
  const isAgreed = model.edited && (input_price !== null || output_price !== null)
  if (usage.cost !== undefined && !isAgreed && server.tells_costs)
    return { amount: usage.cost, unpriced: false }
  if (input_price === null && output_price === null) return { amount: 0, unpriced: true }
  const name = model.id.slice(model.id.indexOf('/') + 1)
  const known = await findKnownModel(server, name)
  if (known.input_price === input_price && known.output_price === output_price) {
    const amount = await findKnownCost(server, name, usage)
    if (amount !== null) return { amount, unpriced: false }
  }
  const { input_tokens, output_tokens } = usage
  const amount = (input_tokens * (input_price ?? 0) + output_tokens * (output_price ?? 0)) / 1_000_000
  return { amount, unpriced: false }
}

/** Maximum tokens assumed for an answer, also when the model has no known limit. */
const ANSWER_MAX = 32_000
/** Bytes of UTF-8 per token. Nearly every text has more. */
const BYTES_PER_TOKEN = 2

/** Returns the most that a call may reasonably use: everything it sends, and the longest answer. */
export function mostUsage(
  { context_tokens, max_output_tokens }: Pick<ConnectionModel, 'context_tokens' | 'max_output_tokens'>,
  { messages, tools, output }: Pick<ModelCall, 'messages' | 'tools' | 'output'>,
): Usage {
  const sent = Math.ceil(Buffer.byteLength(JSON.stringify([messages, tools, output])) / BYTES_PER_TOKEN)
  return {
    input_tokens: Math.min(sent, context_tokens ?? sent),
    output_tokens: Math.min(max_output_tokens ?? ANSWER_MAX, ANSWER_MAX),
    ...{ cached_tokens: 0, reasoning_tokens: 0, estimated: true },
  }
}
