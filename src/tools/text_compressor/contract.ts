import * as z from 'zod/mini'
import { CompressedText } from '#shared/knowledge/corpus/corpus.ts'
import { atMost, Id, trimmed } from '#shared/platform/primitives.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const textCompressor = tool({
  id: 'text_compressor',
  name: 'Text compressor',
  icon: 'fold-vertical',
  description:
    'Reads whole documents, or a long text, from beginning to end and makes them short around an intent: a summary, every date, all obligations. Every passage is read, and the result says how many were. It reads the documents that are named, else the text, else the documents of the chat. Use it where nothing may be missed; for a single question document search is quicker.',
  input: z.object({
    /** The purpose of the reading, in words. */
    intent: trimmed(1, 2_000),
    document_ids: z.optional(z.array(Id).check(atMost(50))),
    /** Read instead of documents. */
    text: z.optional(trimmed(1, 400_000)),
  }),
  output: CompressedText,
  examples: [
    {
      response:
        'Three months of notice by registered letter <citation chunk="00000000-0000-4000-8000-000000000000">[1]</citation>.',
      sources: [
        {
          ...{ id: '00000000-0000-4000-8000-000000000001', name: 'lease.pdf' },
          ...{ used_in_response: true, rank: 1 },
        },
      ],
      passages: [
        {
          chunk_id: '00000000-0000-4000-8000-000000000000',
          ...{ document_id: '00000000-0000-4000-8000-000000000001', document_name: 'lease.pdf' },
          ...{ heading_path: ['8. Termination'], page_number: 4, place: { page: 4 } },
          ...{ rank: 1, used_in_response: true },
        },
      ],
      ...{ doubts: [], coverage: { read: 96, total: 96 } },
    },
  ],
  repeatable: true,
  takes: 'model',
  durable: true,
  limitSeconds: 3_600,
})

export default textCompressor
