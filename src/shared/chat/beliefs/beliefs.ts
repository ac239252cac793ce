import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** One sentence of a working memory and the message it comes from. */
export const BeliefEntry = z.object({ text: z.string(), message_id: Id })
export type BeliefEntry = z.infer<typeof BeliefEntry>

/** The working memory of a session: what is wanted, what has been established, what is still open. */
export const Belief = z.object({
  goals: z.array(BeliefEntry),
  facts: z.array(BeliefEntry),
  open_questions: z.array(BeliefEntry),
})
export type Belief = z.infer<typeof Belief>

/** The lists of a belief, in the order in which they are shown. */
export const beliefParts = ['goals', 'facts', 'open_questions'] as const

/** Whether a person lets the server keep a working memory of their chats; a new account does. */
export function keepsBeliefs(preferences: Record<string, unknown>): boolean {
  return preferences.working_memory !== false
}

/** The working memory in force on the active branch; empty lists before the first one was kept. */
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
    /** When it was kept, and the reply after which; null before the first one. */
    updated_at: z.nullable(z.string()),
    message_id: z.nullable(Id),
    /** Whether the newest reply is being worked in. */
    is_pending: z.boolean(),
  }),
})
