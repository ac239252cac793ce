import * as z from 'zod/mini'
import { TimeRange, WebAnswer } from '#shared/knowledge/web-search/web-search.ts'
import { trimmed } from '#shared/platform/primitives.ts'
import { tool } from '#shared/tools/tools/tool.ts'
import { isQueryAsked } from './asked-query.ts'

const webSearch = tool({
  id: 'web_search',
  name: 'Web search',
  icon: 'globe',
  description:
    'Searches the web, reads the best pages and answers a question from them, with the pages it relies on. Use it for news, prices, people, companies, rules and whatever may have changed or is not known for certain. Ask one whole question that can be understood without the conversation.',
  input: z.object({
    query: trimmed(1, 400),
    /** Maximum age of pages; missing or empty for any age. */
    time_range: z.optional(z.enum(['', ...TimeRange.options])),
  }),
  output: WebAnswer,
  examples: [
    {
      ...{ query: 'When was the Eiffel Tower opened?', time_range: null, is_answered: true, doubts: [] },
      response:
        'It was opened in May 1889 <websource url="https://en.wikipedia.org/wiki/Eiffel_Tower" title="Eiffel Tower">[1]</websource>.',
      sources: [
        {
          ...{ url: 'https://en.wikipedia.org/wiki/Eiffel_Tower', title: 'Eiffel Tower', rank: 1 },
          snippet: 'The tower was opened to the public on 15 May 1889, during the World’s Fair.',
          ...{ engine: 'wikipedia', published: '2026-11-02', used_in_response: true, is_read: true },
        },
      ],
      ...{ engine: 'wikipedia', failures: [] },
    },
  ],
  repeatable: true,
  takes: 'model',
  durable: true,
  limitSeconds: 120,
  sends: ({ query }, { engines }) => ({
    ...{ hosts: [...engines], method: 'GET', address: null, headers: {}, body: query },
  }),
  isAskedFor: ({ query }, message, isChosen) => isQueryAsked(query, message, isChosen),
})

export default webSearch
