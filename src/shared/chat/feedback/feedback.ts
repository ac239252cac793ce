import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'
import { FeedbackReason, Rating } from '../../runs/runs/rating.ts'

export const MAX_COMMENT = 2_000

/** The caller's rating of a reply. */
export const Feedback = z.object({
  message_id: Id,
  rating: Rating,
  reason: z.nullable(FeedbackReason),
  comment: z.nullable(z.string()),
  /** Allows administrators to see the question and passages of the reply, to evaluate the search. */
  is_shown: z.boolean(),
})
export type Feedback = z.infer<typeof Feedback>

const params = z.object({ sessionId: Id, messageId: Id })

export const listFeedback = route({
  method: 'GET',
  path: '/sessions/:sessionId/feedback',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'What the caller thinks of the replies of a chat, the newest judgements first, at most 1,000',
  params: z.object({ sessionId: Id }),
  pages: 1_000,
  answer: z.array(Feedback),
})

export const giveFeedback = route({
  method: 'PUT',
  path: '/sessions/:sessionId/messages/:messageId/feedback',
  access: 'user',
  fails: ['conflict'],
  visitors: true,
  scope: 'chats',
  may: 'write message',
  summary: 'Judge a reply; a second judgement takes the place of the first',
  params,
  body: z.object({
    rating: Rating,
    reason: z.nullish(FeedbackReason),
    comment: z.nullish(text(0, MAX_COMMENT)),
    is_shown: z._default(z.boolean(), false),
  }),
  answer: Feedback,
})

export const takeFeedbackBack = route({
  method: 'DELETE',
  path: '/sessions/:sessionId/messages/:messageId/feedback',
  access: 'user',
  visitors: true,
  scope: 'chats',
  may: 'write message',
  summary: 'Take a judgement back',
  status: 204,
  params,
})
