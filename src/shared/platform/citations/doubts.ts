import * as z from 'zod/mini'

/** A problem with a sentence of a cited answer. `at` and `length` count in the stored answer, including markers. */
export const Doubt = z.object({
  kind: z.enum(['unsupported', 'uncited', 'numbers']),
  at: z.int(),
  length: z.int(),
  /** For `numbers`: the numbers missing from all passages that the sentence cites. */
  numbers: z.array(z.string()),
})
export type Doubt = z.infer<typeof Doubt>
