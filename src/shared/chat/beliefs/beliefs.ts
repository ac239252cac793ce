import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** One sentence of a working memory and the message it comes from. */
export const BeliefEntry = z.object({ text: z.string(), message_id: Id })
export type BeliefEntry = z.infer<typeof BeliefEntry>

/** The working memory of a session: goals, established facts and open questions. */
export const Belief = z.object({
  goals: z.array(BeliefEntry),
  facts: z.array(BeliefEntry),
  open_questions: z.array(BeliefEntry),
})
export type Belief = z.infer<typeof Belief>

/** The lists of a belief, in display order. */
export const beliefParts = ['goals', 'facts', 'open_questions'] as const

/** Returns true when a person allows a working memory of their chats, which is the default. */
export function keepsBeliefs(preferences: Record<string, unknown>): boolean {
  return preferences.working_memory !== false
}

/** Returns the working memory of the active branch; empty lists before the first version. */
export const getBelief = route({
  method: 'GET',
  path: '/sessions/:sessionId/belief',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'What the assistant holds about a conversation: goals, facts, open questions',
  params: z.object({ sessionId: Id }),
  answer: z.object({
    ...Belief.shape,
    /** Time of the current version and the reply it follows; null before the first version. */
    updated_at: z.nullable(z.string()),
    message_id: z.nullable(Id),
    /** True while the newest reply is being added to the working memory. */
    is_pending: z.boolean(),
  }),
})
