import * as z from 'zod/mini'

/** What a reply took, with all its parts: the ledger's rows of its run, summed up. */
export const RunUsage = z.object({
  /** How long it was worked on, without the time it stood still. */
  seconds: z.number(),
  calls: z.int(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** In dollars. */
  amount: z.number(),
  /** Whether the price of some call is not known; such a call counts 0. */
  unpriced: z.boolean(),
  /** Whether some tokens were counted here, because the provider did not say. */
  estimated: z.boolean(),
})
export type RunUsage = z.infer<typeof RunUsage>
