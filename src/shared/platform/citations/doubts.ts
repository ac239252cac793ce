import * as z from 'zod/mini'

/** What is wrong with a sentence of a cited answer. `at` and `length` are of the stored answer, markers included. */
export const Doubt = z.object({
  /** `no_source` concerns the whole answer: it claims something and cites nothing. Its place is 0, 0. */
  kind: z.enum(['unsupported', 'uncited', 'numbers', 'contradicted', 'no_source']),
  at: z.int(),
  length: z.int(),
  /** Of `numbers`: those that stand in no passage the sentence cites. */
  numbers: z.array(z.string()),
})
export type Doubt = z.infer<typeof Doubt>
