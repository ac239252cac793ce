import * as z from 'zod/mini'
import { Doubt } from '../../platform/citations/doubts.ts'
import { FoundPassage } from '../../platform/citations/passages.ts'
import { Id } from '../../platform/primitives.ts'

/** How many passages were read, of all there were when the reading began. Fewer only where one was withdrawn meanwhile. */
export const Coverage = z.object({ read: z.int(), total: z.int() })
export type Coverage = z.infer<typeof Coverage>

/** What the text compressor gives. */
export const CompressedText = z.object({
  /** With a citation tag for each cited passage (`citations/tags.ts`). */
  response: z.string(),
  /** The documents that were read, those the response cites first. */
  sources: z.array(
    z.object({
      id: Id,
      name: z.string(),
      used_in_response: z.boolean(),
      /** Its place among those that are cited, from 1; null for one that is not. */
      rank: z.nullable(z.int()),
    }),
  ),
  /** What the markers of the response name. */
  passages: z.array(FoundPassage),
  doubts: z.array(Doubt),
  coverage: Coverage,
})
export type CompressedText = z.infer<typeof CompressedText>
