import * as z from 'zod/mini'
import { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { FoundPassage } from '#shared/platform/citations/passages.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'

const Found = z.object({
  question: z.string(),
  passages: z.array(FoundPassage),
  searched: DocumentAnswer.shape.searched,
})

/** What is known of a search: found passages while it works, all of the answer when it is over. */
export type SearchShown = Pick<
  DocumentAnswer,
  'question' | 'response' | 'sources' | 'doubts' | 'is_answered'
> & {
  searched: DocumentAnswer['searched'] | null
  left_out?: DocumentAnswer['left_out']
  coverage?: DocumentAnswer['coverage']
}

const Reading = z.object({ done: z.int(), pieces: z.int() })

/** How much of everything is read, from 0 to 100; null where it is not all read. */
export function readShare(events: readonly ToolEvent[]): number | null {
  const told = events.map(({ data }) => Reading.safeParse(data).data).findLast((one) => one !== undefined)
  return told ? Math.floor((100 * told.done) / told.pieces) : null
}

/** Null for a result that is no answer of this tool. */
export function readAnswer(result: unknown): SearchShown | null {
  return DocumentAnswer.safeParse(result).data ?? null
}

/** What a search that works has told so far. */
export function readProgress(events: readonly ToolEvent[], query: string): SearchShown {
  const found = events.map(({ data }) => Found.safeParse(data).data).findLast((one) => one !== undefined)
  // What was said before the answer began anew does not count.
  const begun = events.findLastIndex(({ phase, status }) => phase === 'GENERATION' && status === 'started')
  const response = events
    .slice(Math.max(begun, 0))
    .map(({ data }) => (typeof data?.content === 'string' ? data.content : ''))
    .join('')
  return {
    ...{ question: found?.question ?? query, response, doubts: [], is_answered: true },
    ...{ sources: found?.passages ?? [], searched: found?.searched ?? null },
  }
}
