import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, MESSAGE_BODY_BYTES, queryInt, text, trimmed } from '../../platform/primitives.ts'
import { MessageRole } from '../../runs/runs/message.ts'
import { ActiveBranch, MESSAGE_MAX_BYTES, pageLimit } from '../messages/messages.ts'

const SessionParams = z.object({ sessionId: Id })
const MessageParams = z.object({ sessionId: Id, messageId: Id })

/** An alternative of a message: `message_id` is the alternative, `id` the newest leaf below it. */
export const BranchOption = z.object({ id: Id, message_id: Id, created_at: z.string() })
export type BranchOption = z.infer<typeof BranchOption>

/**
 * Lists the alternatives of a message, itself included, oldest first. Returns the nearest 500 of more.
 * First messages are alternatives of each other.
 */
export const listBranches = route({
  method: 'GET',
  path: '/sessions/:sessionId/messages/:messageId/branches',
  access: 'user',
  scope: 'chats',
  may: 'read message',
  summary: 'The alternatives of a message',
  params: MessageParams,
  pages: 1_000,
  answer: z.array(BranchOption),
})

/**
 * Activates the branch of a message and returns its newest page. Accepts any message: the branch extends to the
 * leaf below it that was active last.
 */
export const navigateBranch = route({
  method: 'POST',
  path: '/sessions/:sessionId/navigate/:branchId',
  access: 'user',
  scope: 'chats',
  may: 'write session',
  summary: 'Go to a branch',
  params: z.object({ sessionId: Id, branchId: Id }),
  query: z.object({ limit: pageLimit }),
  answer: ActiveBranch,
})

const modelName = z.nullish(text(0, MAX_MODEL_NAME))

/** Streams another reply to the question of a reply. The old reply remains as an alternative. */
export const regenerateReply = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages/:messageId/regenerate',
  afterTerms: true,
  access: 'user',
  fails: [
    'conflict',
    'not_available',
    'provider_failed',
    'insufficient_balance',
    'session_busy',
    'quota_exceeded',
  ],
  scope: 'chats',
  may: 'write message',
  kind: 'stream',
  summary: 'Stream another reply, optionally of another model',
  params: MessageParams,
  query: z.object({ model: modelName }),
  body: z._default(z.object({ model_name: modelName }), {}),
})

export const EditMessage = z.object({
  content: text(1, MESSAGE_MAX_BYTES),
  client_id: z.optional(text(1, 100)),
})
export type EditMessage = z.infer<typeof EditMessage>

/** Stores an edited question as an alternative and streams its reply. A repeated `client_id` stores it only once. */
export const editMessage = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages/:messageId/edit-and-regenerate',
  afterTerms: true,
  access: 'user',
  fails: [
    'conflict',
    'not_available',
    'provider_failed',
    'insufficient_balance',
    'chat_begun',
    'session_busy',
    'quota_exceeded',
  ],
  scope: 'chats',
  may: 'write message',
  bodyLimit: MESSAGE_BODY_BYTES,
  kind: 'stream',
  summary: 'Ask a question differently and stream the reply',
  params: MessageParams,
  body: EditMessage,
})

/** A message of the branch map. `text` is its beginning as one line of plain text. */
export const MapMessage = z.object({
  id: Id,
  parent_id: z.nullable(Id),
  role: MessageRole,
  text: z.string(),
  model_name: z.nullable(z.string()),
  created_at: z.string(),
  /** True when it lies on the active branch. */
  is_active: z.boolean(),
})
export type MapMessage = z.infer<typeof MapMessage>

/** Lists all messages of a session in the order they were written. */
export const readBranchMap = route({
  method: 'GET',
  path: '/sessions/:sessionId/tree',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'The map of all branches',
  params: SessionParams,
  pages: 20_000,
  answer: z.object({ messages: z.array(MapMessage), active_leaf: z.nullable(Id) }),
})
export type BranchMap = z.infer<NonNullable<typeof readBranchMap.answer>>

/** A message that matches a search. */
export const BranchHit = z.object({
  message_id: Id,
  role: MessageRole,
  model_name: z.nullable(z.string()),
  created_at: z.string(),
  /** Passage around the first match; U+E000 and U+E001 enclose the match. */
  match: z.string(),
  /** Number of the branch that shows the message, from 1. */
  branch_number: z.int(),
  /** True when it lies on the active branch. */
  is_active: z.boolean(),
})
export type BranchHit = z.infer<typeof BranchHit>

/** Searches the messages of all branches. Returns pages, newest first. */
export const findInBranches = route({
  method: 'GET',
  path: '/sessions/:sessionId/tree/search',
  access: 'user',
  fails: ['search_too_long'],
  scope: 'chats',
  may: 'read session',
  summary: 'Search the messages of all branches',
  params: SessionParams,
  query: z.object({
    q: trimmed(1, 200),
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 200, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(BranchHit), total: z.int() }),
})
