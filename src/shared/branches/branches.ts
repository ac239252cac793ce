import * as z from 'zod/mini'
import { route } from '../http.ts'
import { ActiveBranch, MessageRole, pageLimit } from '../messages/messages.ts'
import { Id, text } from '../primitives.ts'

const SessionParams = z.object({ sessionId: Id })
const MessageParams = z.object({ sessionId: Id, messageId: Id })

/** One of the alternatives of a message: `id` is the newest leaf behind it, `message_id` the alternative itself. */
export const BranchOption = z.object({ id: Id, message_id: Id, created_at: z.string() })
export type BranchOption = z.infer<typeof BranchOption>

/** Every alternative of a message, the message included, oldest first. First messages are alternatives too. */
export const listBranches = route({
  method: 'GET',
  path: '/sessions/:sessionId/messages/:messageId/branches',
  access: 'user',
  summary: 'The alternatives of a message',
  params: MessageParams,
  answer: z.array(BranchOption),
})

/**
 * Makes the branch of a message the active one and answers its newest page. Any message may be named: the
 * branch goes on to the leaf behind it that was last on screen.
 */
export const navigateBranch = route({
  method: 'POST',
  path: '/sessions/:sessionId/navigate/:branchId',
  access: 'user',
  summary: 'Go to a branch',
  params: z.object({ sessionId: Id, branchId: Id }),
  query: z.object({ limit: pageLimit }),
  answer: ActiveBranch,
})

const modelName = z.nullish(text(0, 200))

/** Streams another reply to the question of a reply. The old one stays, as an alternative. */
export const regenerateReply = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages/:messageId/regenerate',
  access: 'user',
  kind: 'stream',
  summary: 'Stream another reply, optionally of another model',
  params: MessageParams,
  query: z.object({ model: modelName }),
  body: z._default(z.object({ model_name: modelName }), {}),
})

export const EditMessage = z.object({
  content: z.string().check(z.minLength(1)),
  client_id: z.optional(text(1, 100)),
})
export type EditMessage = z.infer<typeof EditMessage>

/** Stores a changed question beside the old one and streams its reply. The same `client_id` stores it once. */
export const editMessage = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages/:messageId/edit-and-regenerate',
  access: 'user',
  kind: 'stream',
  summary: 'Ask a question differently and stream the reply',
  params: MessageParams,
  body: EditMessage,
})

/** One message of the map. `text` is its beginning as one line of plain words. */
export const MapMessage = z.object({
  id: Id,
  parent_id: z.nullable(Id),
  role: MessageRole,
  text: z.string(),
  model_name: z.nullable(z.string()),
  created_at: z.string(),
  /** On the path on screen. */
  is_active: z.boolean(),
})
export type MapMessage = z.infer<typeof MapMessage>

/** Every message of a session, in the order of writing. */
export const readBranchMap = route({
  method: 'GET',
  path: '/sessions/:sessionId/tree',
  access: 'user',
  summary: 'The map of all branches',
  params: SessionParams,
  answer: z.object({ messages: z.array(MapMessage), active_leaf: z.nullable(Id) }),
})
export type BranchMap = z.infer<NonNullable<typeof readBranchMap.answer>>
