import * as z from 'zod/mini'
import { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { FoundPassage } from '#shared/platform/citations/passages.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'

const Found = z.object({
  question: z.string(),
  passages: z.array(FoundPassage),
  searched: DocumentAnswer.shape.searched,
})

/** The known facts about a search: passages during it, the whole answer afterwards. */
export type SearchShown = Pick<
  DocumentAnswer,
  'question' | 'response' | 'sources' | 'doubts' | 'is_answered'
> & {
  searched: DocumentAnswer['searched'] | null
  left_out?: DocumentAnswer['left_out']
  coverage?: DocumentAnswer['coverage']
}

const Reading = z.object({ done: z.int(), pieces: z.int() })

/** Returns the percentage read of everything; null if not everything is read. */
export function readShare(events: readonly ToolEvent[]): number | null {
  const told = events.map(({ data }) => Reading.safeParse(data).data).findLast((one) => one !== undefined)
  return told ? Math.floor((100 * told.done) / told.pieces) : null
}

/** Returns null for a result that is not an answer of this tool. */
export function readAnswer(result: unknown): SearchShown | null {
  return DocumentAnswer.safeParse(result).data ?? null
}

/** Returns the reported state of a search in progress. */
export function readProgress(events: readonly ToolEvent[], query: string): SearchShown {
  const found = events.map(({ data }) => Found.safeParse(data).data).findLast((one) => one !== undefined)
  // Text before the answer restarted does not count.
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
