import * as z from 'zod/mini'

/** Usage of a reply with its sub-runs: the sum of the run's ledger entries. */
export const RunUsage = z.object({
  /** Seconds of work, without pauses. */
  seconds: z.number(),
  calls: z.int(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** Dollars. */
  amount: z.number(),
  /** True when the price of a call is unknown; such a call counts as 0. */
  unpriced: z.boolean(),
  /** True when tokens were estimated because the provider gave no usage. */
  estimated: z.boolean(),
})
export type RunUsage = z.infer<typeof RunUsage>
