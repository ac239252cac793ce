import type { TextRole, Usage } from '../port.ts'
import type { Price } from '../price.ts'

/** Returns the price of usage at a provider. */
export type PriceOf = (usage: Usage) => Promise<Price>

/**
 * Returns one vector per text, in order. `role` is for models that embed questions differently from passages. `bill` is called once
 * with a provider's usage, never for local models. Usage that the provider does not report is counted after the vectors are returned.
 * @throws ModelError; the reason of `signal`
 */
export type EmbedTexts = (
  texts: string[],
  signal: AbortSignal,
  role?: TextRole,
  bill?: (usage: Promise<Usage>, priceOf: PriceOf) => void,
) => Promise<number[][]>
