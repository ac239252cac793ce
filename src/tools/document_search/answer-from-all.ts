import type { SourceFilter } from '#shared/knowledge/connectors/source-filter.ts'
import { sayCoverage } from '#shared/knowledge/corpus/coverage-words.ts'
import type { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { type ReadingShown, readAll } from '#shared/tools/tools/read-all.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'

type Question = SourceFilter & {
  query: string
  document_ids?: string[] | undefined
  workspace_ids?: string[] | undefined
}

/** Answers from every passage and says so, because a search may find only part of what was asked for. */
export async function answerFromAll(
  { query, ...wish }: Question,
  context: ToolContext,
): Promise<DocumentAnswer> {
  const all = { ...wish, orLibrary: true }
  const { corpus, answer } = await readAll(context, all, { task: query }, show(context))
  const { response, is_answered, doubts, passages, coverage } = answer
  const { documents, left_out } = corpus
  const searched = { documents, passages: corpus.passages }
  const said = `${response}\n\n${sayCoverage(context.language, coverage, documents)}`
  return {
    question: query,
    response: said,
    is_answered,
    doubts,
    sources: passages,
    searched,
    left_out,
    coverage,
  }
}

function show({ phase, partial }: Pick<ToolContext, 'phase' | 'partial'>): ReadingShown {
  return {
    begun: () => phase('SEARCH_PREPARATION', 'started'),
    fixed: ({ passages, cost: { tokens, dollars } }) =>
      phase('RETRIEVAL', 'started', { read: 0, total: passages, cost: { tokens, dollars } }),
    wave: (wave) => wave > 1 && phase('RERANKING', 'started'),
    progress: (wave, items, done) => wave === 1 && phase('RETRIEVAL', 'started', { pieces: items, done }),
    waveDone: (wave) => wave === 1 && phase('RETRIEVAL', 'completed'),
    answering: () => phase('GENERATION', 'started'),
    text: (text) => (text === null ? phase('GENERATION', 'started') : partial(text)),
    answered: () => phase('GENERATION', 'completed'),
  }
}
