import * as z from 'zod/mini'

/** What is wrong with a sentence of a cited answer. `at` and `length` are of the stored answer, markers included. */
export const Doubt = z.object({
  kind: z.enum(['unsupported', 'uncited', 'numbers']),
  at: z.int(),
  length: z.int(),
  /** Of `numbers`: those that stand in no passage the sentence cites. */
  numbers: z.array(z.string()),
})
export type Doubt = z.infer<typeof Doubt>
