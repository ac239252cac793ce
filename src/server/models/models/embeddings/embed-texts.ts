import type { TextRole, Usage } from '../port.ts'
import type { Price } from '../price.ts'

/** What something used that a provider did costs. */
export type PriceOf = (usage: Usage) => Promise<Price>

/**
 * One vector for every text, in their order; `role` is told to models that read questions otherwise than passages. `bill` hears once what a
 * provider used, and nothing of what runs here: where the provider does not say it, it is counted while the vectors are at work already.
 * @throws ModelError; the reason of `signal`
 */
export type EmbedTexts = (
  texts: string[],
  signal: AbortSignal,
  role?: TextRole,
  bill?: (usage: Promise<Usage>, priceOf: PriceOf) => void,
) => Promise<number[][]>
