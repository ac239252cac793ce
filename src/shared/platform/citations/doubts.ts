import * as z from 'zod/mini'

/** A problem with a sentence of a cited answer. `at` and `length` count in the stored answer, including markers. */
export const Doubt = z.object({
  /** `no_source` concerns the whole answer: it claims something and cites nothing. Its place is 0, 0. */
  kind: z.enum(['unsupported', 'uncited', 'numbers', 'contradicted', 'no_source']),
  at: z.int(),
  length: z.int(),
  /** For `numbers`: the numbers missing from all passages that the sentence cites. */
  numbers: z.array(z.string()),
})
export type Doubt = z.infer<typeof Doubt>
