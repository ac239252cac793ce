import * as z from 'zod/mini'
import { Doubt } from '../../platform/citations/doubts.ts'
import { FoundPassage } from '../../platform/citations/passages.ts'
import { Id } from '../../platform/primitives.ts'

/** Number of passages read, out of those present at the start. Lower only when one was withdrawn meanwhile. */
export const Coverage = z.object({ read: z.int(), total: z.int() })
export type Coverage = z.infer<typeof Coverage>

/** Output of the text compressor. */
export const CompressedText = z.object({
  /** Contains a citation tag for each cited passage (`citations/citation-tags.ts`). */
  response: z.string(),
  /** The documents read, cited ones first. */
  sources: z.array(
    z.object({
      id: Id,
      name: z.string(),
      used_in_response: z.boolean(),
      /** Rank among the cited documents, from 1; null when it is not cited. */
      rank: z.nullable(z.int()),
    }),
  ),
  /** The passages that the markers refer to. */
  passages: z.array(FoundPassage),
  doubts: z.array(Doubt),
  coverage: Coverage,
})
export type CompressedText = z.infer<typeof CompressedText>
