import type { CompressedText } from '#shared/knowledge/corpus/corpus.ts'
import type { Corpus, CorpusAnswer } from '#shared/knowledge/corpus/corpus-port.ts'
import { type ReadingShown, readAll } from '#shared/tools/tools/read-all.ts'
import type { ToolContext, ToolRun } from '#shared/tools/tools/tool.ts'
import type textCompressor from './contract.ts'

/** Reads everything in waves and writes the text for the intent. */
const run: ToolRun<typeof textCompressor> = async ({ intent, document_ids = [], text }, context) => {
  const wish = document_ids.length > 0 || text === undefined ? { document_ids } : { text }
  const { corpus, answer } = await readAll(context, wish, { task: intent, text }, show(context))
  const { response, passages, doubts, coverage } = answer
  return { response, sources: sourcesOf(corpus, answer), passages, doubts, coverage }
}

export default run

/** Reports the phases as they happen (ledger TC-06, TC-07, TC-08). */
function show({ phase, partial }: Pick<ToolContext, 'phase' | 'partial'>): ReadingShown {
  return {
    begun: () => phase('ANALYSIS_PREP', 'started'),
    fixed: ({ documents, passages, piece_size, sources, cost: { tokens, dollars } }) =>
      phase('ANALYSIS_PREP', 'completed', {
        ...{ total_documents: documents, chunk_size: piece_size, overlap: 0 },
        ...{ total_chunks: passages, sources, cost: { tokens, dollars } },
      }),
    wave: (wave, items_in_wave) => phase('RECURSIVE_SUMMARIZATION', 'wave_started', { wave, items_in_wave }),
    progress: (wave, total_items_in_wave, processed_count) =>
      phase('REDUCTION_WAVE_PROGRESS', 'in_progress', { wave, total_items_in_wave, processed_count }),
    waveDone: (wave, produced_summaries, isLast) => {
      phase('REDUCTION_WAVE', 'wave_completed', { wave, produced_summaries })
      if (isLast) phase('RECURSIVE_SUMMARIZATION', 'completed')
    },
    answering: () => phase('FINAL_GENERATION', 'started'),
    text: (text) => (text === null ? phase('FINAL_GENERATION', 'started') : partial(text)),
    answered: ({ response }) => phase('FINAL_GENERATION', 'completed', { response }),
  }
}

/** Returns the documents read: cited ones first, in the order of their citations. */
function sourcesOf({ sources }: Corpus, { passages }: CorpusAnswer): CompressedText['sources'] {
  const cited = new Map(passages.map(({ document_id, document_name }) => [document_id, document_name]))
  return [
    ...[...cited].map(([id, name], at) => ({ id, name, used_in_response: true, rank: at + 1 })),
    ...sources
      .filter(({ id }) => !cited.has(id))
      .map((source) => ({ ...source, used_in_response: false, rank: null })),
  ]
}
