import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, MESSAGE_BODY_BYTES, text } from '../../platform/primitives.ts'
import { Message } from '../../runs/runs/message.ts'
import { RunUsage } from '../../runs/runs/usage.ts'
import { Mentions } from '../messages/mentions.ts'
import { MAX_MESSAGE_FILES } from '../messages/message-files.ts'
import { MESSAGE_MAX_BYTES } from '../messages/messages.ts'

/** Models that answer one message. */
export const MIN_COMPARED = 2
export const MAX_COMPARED = 4

/** The agent type of a reply that several models wrote. */
export const COMPARISON = 'comparison'

export const ComparedReply = z.object({
  /** From 1, in the order of the request. */
  number: z.int(),
  model_name: z.string(),
  state: z.enum(['working', 'completed', 'failed']),
  /** The alternative that this reply became; null until all models are done, and without a text. */
  message_id: z.nullable(Id),
  /** Null until the model is done. */
  usage: z.nullable(RunUsage),
  /** Why the model could not answer. */
  error: z.nullable(z.string()),
})
export type ComparedReply = z.infer<typeof ComparedReply>

export const beginComparison = route({
  method: 'POST',
  path: '/sessions/:sessionId/comparisons',
  afterTerms: true,
  access: 'user',
  may: 'write session',
  fails: [
    ...(['not_available', 'provider_failed', 'insufficient_balance', 'chat_begun'] as const),
    ...(['session_busy', 'quota_exceeded', 'not_found'] as const),
  ],
  summary:
    'Send a message to two to four models at once. One reply shows them side by side; at the end each becomes an alternative reply to the message',
  status: 201,
  bodyLimit: MESSAGE_BODY_BYTES,
  params: z.object({ sessionId: Id }),
  body: z.object({
    content: text(1, MESSAGE_MAX_BYTES),
    client_id: text(1, 100),
    /** The last message that was seen. The message follows the end of its branch; without it, the end of the active one. */
    parent_id: z.optional(Id),
    model_names: z.array(text(1, MAX_MODEL_NAME)).check(
      z.minLength(MIN_COMPARED),
      z.maxLength(MAX_COMPARED),
      z.refine((names) => new Set(names).size === names.length, 'Each model can be named once.'),
    ),
    tool_choice: z.nullish(text(0, 100)),
    document_ids: z.optional(z.array(Id).check(z.maxLength(MAX_MESSAGE_FILES))),
    mentions: z.optional(Mentions),
  }),
  answer: Message,
})

export const getComparison = route({
  method: 'GET',
  path: '/sessions/:sessionId/messages/:messageId/comparison',
  access: 'user',
  scope: 'chats',
  may: 'read message',
  fails: ['not_found', 'conflict'],
  summary: 'The replies of a comparison, with time, tokens and price',
  params: z.object({ sessionId: Id, messageId: Id }),
  answer: z.object({ replies: z.array(ComparedReply).check(z.maxLength(MAX_COMPARED)) }),
})
