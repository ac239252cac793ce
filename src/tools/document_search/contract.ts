import * as z from 'zod/mini'
import { SourceFilter } from '#shared/knowledge/connectors/source-filter.ts'
import { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { Id, trimmed } from '#shared/platform/primitives.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const documentSearch = tool({
  id: 'document_search',
  name: 'Document search',
  icon: 'file-search',
  description:
    "Searches the person's documents and answers a question from them, with the passages it relies on. Use it for whatever their files, contracts, reports, mails or notes may say. Ask one whole question that can be understood without the conversation. A question that needs all of them (how many, list all, compare all) reads every passage. Documents from a connected source can be narrowed by its owner, folder, labels and dates of change.",
  input: z.object({
    query: trimmed(1, 4_000),
    /** Searches only these. By default those of the chat, or the whole library. */
    document_ids: z.optional(z.array(Id).check(z.maxLength(50))),
    workspace_ids: z.optional(z.array(Id).check(z.maxLength(50))),
    ...SourceFilter.shape,
    /** Whether every passage is read, or only those found. By default the question decides. */
    read_all: z.optional(z.boolean()),
  }),
  output: DocumentAnswer,
  examples: [
    {
      ...{ question: 'How long is the notice period?', is_answered: true, doubts: [] },
      response:
        'Three months <citation chunk="00000000-0000-4000-8000-000000000000">[1]</citation>, in writing.',
      sources: [
        {
          chunk_id: '00000000-0000-4000-8000-000000000000',
          document_id: '00000000-0000-4000-8000-000000000001',
          document_name: 'lease.pdf',
          ...{ heading_path: ['8. Termination'], page_number: 4, place: { page: 4 } },
          ...{ rank: 1, used_in_response: true },
        },
      ],
      searched: { documents: 12, passages: 10 },
    },
  ],
  repeatable: true,
  takes: 'model',
  durable: true,
  limitSeconds: 3_600,
})

export default documentSearch
