import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { Session } from '../sessions/sessions.ts'

/**
 * Creates a chat that begins with the messages up to and including this one, with their files, citations and tool calls, and
 * with the settings of the chat. Later changes to either chat do not affect the other.
 */
export const forkMessage = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages/:messageId/fork',
  access: 'user',
  fails: ['not_found', 'session_busy', 'quota_exceeded'],
  scope: 'chats',
  may: 'read message',
  summary: 'Start a conversation with the messages up to this one',
  status: 201,
  params: z.object({ sessionId: Id, messageId: Id }),
  body: z._default(
    z.object({
      /** Id chosen by the client. A repeated request with the same id creates the chat once. */
      id: z.optional(Id),
    }),
    {},
  ),
  answer: Session,
})
