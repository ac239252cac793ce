import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Maximum characters of a passage preview. */
export const MAX_PREVIEW = 600
/** Maximum number of passages per request. */
export const MAX_PASSAGES_PER_REQUEST = 50

export const readPassageWords = route({
  method: 'POST',
  path: '/rag/passages',
  access: 'user',
  visitors: true,
  scope: 'documents.read',
  summary: 'The words of passages that were found, of those the caller may see now',
  body: z.object({ chunk_ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_PASSAGES_PER_REQUEST)) }),
  /** In the order of the request; deleted and withdrawn passages are left out. */
  answer: z.object({ passages: z.array(z.object({ chunk_id: Id, text_preview: z.string() })) }),
})
