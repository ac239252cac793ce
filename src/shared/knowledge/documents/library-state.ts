import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'

export const getLibraryState = route({
  method: 'GET',
  path: '/documents/state',
  access: 'user',
  scope: 'documents.read',
  summary: 'Storage and its limit, how many documents are under way, and what this installation cannot read',
  answer: z.object({
    /** Bytes; `limit` is null when there is none. */
    storage: z.object({ used: z.number(), limit: z.nullable(z.number()) }),
    max_upload: z.number(),
    counts: z.object({
      ...{ total: z.int(), queued: z.int(), in_progress: z.int(), failed: z.int() },
      ...{ starred: z.int(), from_chats: z.int() },
    }),
    /** Languages of the documents, the most frequent first. */
    languages: z.array(z.string()),
    /** Missing programs, their purpose, and their Debian packages. */
    missing: z.array(z.object({ program: z.string(), package: z.string(), formats: z.array(z.string()) })),
  }),
})
