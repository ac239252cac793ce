import type { ConnectionModel } from '#shared/connections/connections.ts'
import { findKnownCost, findKnownModel, type Server } from './listing/known-prices.ts'
import type { Price } from './models.ts'
import type { Usage } from './port.ts'

/**
 * What a call cost in dollars, by the prices people see. While those are the ones of the table that ships with the
 * product, the table reckons: it also knows cached tokens and long contexts. Without a price the call is unpriced and costs 0.
 */
export async function priceOf(server: Server, model: ConnectionModel, usage: Usage): Promise<Price> {
  const { input_price, output_price } = model
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
