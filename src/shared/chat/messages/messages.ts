import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, MESSAGE_BODY_BYTES, queryInt, text } from '../../platform/primitives.ts'
import { AgentType } from '../../runs/runs/agent-type.ts'
import { Message } from '../../runs/runs/message.ts'

/** The server's limit for one message, in bytes of UTF-8. */
export const MESSAGE_MAX_BYTES = 1_000_000

export const PostMessage = z.object({
  content: text(1, MESSAGE_MAX_BYTES),
  role: z._default(z.literal('user'), 'user'),
  tool_choice: z.nullish(text(0, 100)),
  parent_id: z.nullish(Id),
  /** It is meant as the first message: refused with `chat_begun` when there is one already. */
  is_first: z.optional(z.boolean()),
  client_id: z.optional(text(1, 100)),
  model_name: z.nullish(text(0, 200)),
})
export type PostMessage = z.infer<typeof PostMessage>

const SessionParams = z.object({ sessionId: Id })

/** Answers the created message, or, asked for `text/event-stream`, stores it and streams the reply. */
export const postMessage = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages',
  access: 'user',
  fails: [
    'not_available',
    'provider_failed',
    'insufficient_balance',
    'chat_begun',
    'session_busy',
    'quota_exceeded',
  ],
  sends: 'text/event-stream',
  visitors: true,
  scope: 'chats',
  may: 'write session',
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Send a message',
  status: 201,
  params: SessionParams,
  body: PostMessage,
  answer: Message,
})

/** Stores a message and starts the agent of the given type; the reply is joined on the session's streams. */
export const createMessage = route({
  method: 'POST',
  path: '/messages',
  access: 'user',
  fails: [
    'not_available',
    'provider_failed',
    'insufficient_balance',
    'chat_begun',
    'session_busy',
    'quota_exceeded',
    'not_found',
  ],
  scope: 'chats',
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Send a message and start its agent',
  status: 201,
  body: z.object({
    content: text(1, MESSAGE_MAX_BYTES),
    chat_session_id: Id,
    agent_type: z.optional(AgentType),
    client_id: z.optional(text(1, 100)),
  }),
  answer: Message,
})

/** Where a message of the path has alternatives beside it. */
export const Fork = z.object({
  message_id: Id,
  /** Which of them the message is, from 1, in the order in which they were written. */
  position: z.int(),
  count: z.int(),
  /** How many messages follow the alternative that goes on longest; 0 when none goes on. */
  later: z.int(),
  /** That alternative. */
  later_id: Id,
})
export type Fork = z.infer<typeof Fork>

/** A page of the path on screen, oldest first, and how it lies among the session's branches. */
export const ActiveBranch = z.object({
  active_branch: z.array(Message),
  branch_id: z.string(),
  total: z.int(),
  /** How many messages of the branch come before the page. */
  start: z.int(),
  has_more: z.boolean(),
  /** The messages of the page that have alternatives, in the order of the page. */
  forks: z.array(Fork),
  /** Which of the session's branches this is, from 1; 0 of 0 in a session without messages. */
  branch_number: z.int(),
  branch_count: z.int(),
})
export type ActiveBranch = z.infer<typeof ActiveBranch>

/** How much of a branch is read at once. */
export const pageLimit = queryInt({ min: 1, max: 500, fallback: 200 })

/**
 * The newest page of the active branch. With `before` a page of the messages that lead to that message: the one right
 * before it, the one right behind `after`, or the one `around` a message.
 */
export const getActiveBranch = route({
  method: 'GET',
  path: '/sessions/:sessionId/active-branch',
  access: 'user',
  visitors: true,
  scope: 'chats',
  may: 'read session',
  summary: 'A page of the active branch',
  params: SessionParams,
  query: z.object({
    limit: pageLimit,
    before: z.optional(Id),
    after: z.optional(Id),
    around: z.optional(Id),
  }),
  answer: ActiveBranch,
})
