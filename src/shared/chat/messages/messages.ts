import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, MESSAGE_BODY_BYTES, queryInt, text } from '../../platform/primitives.ts'
import { AgentType } from '../../runs/runs/agent-type.ts'
import { Message } from '../../runs/runs/message.ts'
import { Mentions } from './mentions.ts'
import { MAX_MESSAGE_FILES } from './message-files.ts'

/** Maximum size of a message, in bytes of UTF-8. */
export const MESSAGE_MAX_BYTES = 1_000_000

export const PostMessage = z.object({
  content: text(1, MESSAGE_MAX_BYTES),
  role: z._default(z.literal('user'), 'user'),
  tool_choice: z.nullish(text(0, 100)),
  parent_id: z.nullish(Id),
  /** Follows the end of the branch of `parent_id`, when messages were added behind that one meanwhile. */
  at_end: z.optional(z.boolean()),
  /** Requires an empty chat; fails with `chat_begun` when it already has a message. */
  is_first: z.optional(z.boolean()),
  client_id: z.optional(text(1, 100)),
  model_name: z.nullish(text(0, MAX_MODEL_NAME)),
  /** Documents of the chat sent with the message, which lists them. */
  document_ids: z.optional(z.array(Id).check(z.maxLength(MAX_MESSAGE_FILES))),
  /** Things named with `@`. They apply to the reply to this message only. */
  mentions: z.optional(Mentions),
})
export type PostMessage = z.infer<typeof PostMessage>

const SessionParams = z.object({ sessionId: Id })

/** Returns the created message; for `text/event-stream` it stores the message and streams the reply. */
export const postMessage = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages',
  afterTerms: true,
  access: 'user',
  fails: [
    'not_available',
    'provider_failed',
    'insufficient_balance',
    'chat_begun',
    'session_busy',
    'already_answered',
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

/** Stores a message and starts the given type of agent; attach to the reply on the session's streams. */
export const createMessage = route({
  method: 'POST',
  path: '/messages',
  afterTerms: true,
  access: 'user',
  fails: [
    'not_available',
    'provider_failed',
    'insufficient_balance',
    'chat_begun',
    'session_busy',
    'already_answered',
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

/** A message of the path that has alternatives. */
export const Fork = z.object({
  message_id: Id,
  /** Position of the message among its alternatives, from 1, in the order they were written. */
  position: z.int(),
  count: z.int(),
  /** Number of messages below the longest other alternative; 0 when there are none. */
  later: z.int(),
  /** Id of that alternative. */
  later_id: Id,
})
export type Fork = z.infer<typeof Fork>

/** A chat that was forked from a message, or that the message was copied from. */
export const ForkLink = z.object({
  /** The message of this chat that shows the link. */
  message_id: Id,
  /** `from`: this chat was forked from the other. `to`: the other was forked from this message. */
  way: z.enum(['from', 'to']),
  session_id: Id,
  title: z.string(),
  /** The same message in the other chat; null when that is not known any more. */
  other_message_id: z.nullable(Id),
})
export type ForkLink = z.infer<typeof ForkLink>

/** A page of the active branch, oldest first, and its place among the branches. */
export const ActiveBranch = z.object({
  active_branch: z.array(Message),
  branch_id: z.string(),
  total: z.int(),
  /** Number of messages before the page. */
  start: z.int(),
  has_more: z.boolean(),
  /** Messages of the page that have alternatives, in page order. */
  forks: z.array(Fork),
  /** Forked chats that the caller may read, of the messages of the page: at most 20 per message, oldest first. */
  links: z.array(ForkLink),
  /** Number of this branch among the session's branches, from 1; 0 of 0 in an empty session. */
  branch_number: z.int(),
  branch_count: z.int(),
})
export type ActiveBranch = z.infer<typeof ActiveBranch>

/** Messages per page. */
export const pageLimit = queryInt({ min: 1, max: 500, fallback: 200 })

/**
 * Returns the newest page of the active branch. Other pages of the path to the message `before`: the page right
 * before it, the page right after `after`, or the page `around` a message.
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
