import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'

/** A provider that may not receive the texts of a chat, with the reason in the caller's language. */
export const RefusedProvider = z.object({ provider: z.string(), reason: z.string() })

export const listRefusedProviders = route({
  method: 'GET',
  path: '/sessions/:sessionId/refused-providers',
  access: 'user',
  may: 'read session',
  summary:
    'The providers that may not receive the texts of a chat up to its last message, each with the reason',
  params: z.object({ sessionId: Id }),
  query: z.object({ limit: queryInt({ min: 1, max: 200, fallback: 200 }) }),
  answer: z.object({ items: z.array(RefusedProvider) }),
})
