/** What the price table that ships with the product knows of a model; loaded at first use. Dollars per million tokens. */
export type KnownModel = {
  context_tokens: number | null
  input_price: number | null
  output_price: number | null
}

const unknown: KnownModel = { context_tokens: null, input_price: null, output_price: null }

/** Looks a model up by its own id, whoever serves it; nulls when the table does not know it. */
export async function findKnownModel(model: string): Promise<KnownModel> {
  const { calcPrice } = await import('@pydantic/genai-prices')
  const million = 1_000_000
  const input = calcPrice({ input_tokens: million, output_tokens: 0 }, model)
  const output = calcPrice({ input_tokens: 0, output_tokens: million }, model)
  if (!input || !output) return unknown
  return {
    context_tokens: input.model.context_window ?? null,
    input_price: input.total_price,
    output_price: output.total_price,
  }
}
