import type { Adaptation } from '#shared/models/connections/adaptations.ts'

/** A model as its provider lists it. Values that the provider does not state are null. Prices in dollars per million tokens. */
export type ListedModel = {
  id: string
  name: string
  does: 'chat' | 'embed' | 'rerank' | 'draw'
  context_tokens: number | null
  max_output_tokens: number | null
  input_price: number | null
  output_price: number | null
  /** Limits of the model according to the list. */
  lacks: Adaptation[]
}
