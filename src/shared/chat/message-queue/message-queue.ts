import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, Notice, text } from '../../platform/primitives.ts'
import { MAX_MENTIONS, Mention, Mentions } from '../messages/mentions.ts'
import { MAX_MESSAGE_FILES } from '../messages/message-files.ts'

/** Maximum waiting messages of a chat. */
export const MAX_QUEUED = 20
/** Maximum characters of a waiting message. */
export const MAX_QUEUED_LENGTH = 100_000

/**
 * `steer`: the run reads it at its next step. `interrupt`: the run stops, and the message starts the next one.
 * `queue`: it starts a run when those before it have ended.
 */
export const QueueWay = z.enum(['steer', 'interrupt', 'queue'])
export type QueueWay = z.infer<typeof QueueWay>

/** Why the queue does not move: the run waits for a person, the last reply was stopped or failed, or a message was refused. */
export const QueueHold = z.enum(['waiting', 'stopped', 'failed', 'refused'])
export type QueueHold = z.infer<typeof QueueHold>

export const QueuedMessage = z.object({
  id: Id,
  way: QueueWay,
  client_id: z.string(),
  content: z.string(),
  mentions: z.array(z.extend(Mention, { name: z.string() })).check(z.maxLength(MAX_MENTIONS)),
  /** A step of the run reads it, so that it can no longer be changed. */
  is_claimed: z.boolean(),
  /** Error code of the refusal when it could not be started. */
  failure: z.nullable(z.string()),
  created_at: z.string(),
})
export type QueuedMessage = z.infer<typeof QueuedMessage>

export const MessageQueue = z.object({
  /** Steering messages first, then the queue in its order. */
  items: z.array(QueuedMessage).check(z.maxLength(MAX_QUEUED)),
  /** Null while a run works, and when nothing waits. */
  held_by: z.nullable(QueueHold),
})
export type MessageQueue = z.infer<typeof MessageQueue>

const SessionParams = z.object({ sessionId: Id })
const QueuedParams = z.object({ sessionId: Id, queuedId: z.uuid() })

export const readQueue = route({
  method: 'GET',
  path: '/sessions/:sessionId/queue',
  access: 'user',
  may: 'read session',
  summary: 'The messages of a chat that wait for its run',
  params: SessionParams,
  answer: MessageQueue,
})

export const queueMessage = route({
  method: 'POST',
  path: '/sessions/:sessionId/queue',
  afterTerms: true,
  access: 'user',
  may: 'write session',
  fails: ['conflict', 'already_answered', 'not_found', 'not_available'],
  summary:
    'Send a message while a run works: to steer it, to interrupt it, or to start the next one. Without a run it starts one. A chat holds 20 waiting messages; more are a conflict',
  status: 201,
  bodyLimit: 4 * MAX_QUEUED_LENGTH,
  params: SessionParams,
  body: z.object({
    content: text(1, MAX_QUEUED_LENGTH),
    way: z._default(QueueWay, 'queue'),
    client_id: text(1, 100),
    tool_choice: z.nullish(text(0, 100)),
    model_name: z.nullish(text(0, MAX_MODEL_NAME)),
    document_ids: z.optional(z.array(Id).check(z.maxLength(MAX_MESSAGE_FILES))),
    mentions: z.optional(Mentions),
  }),
  answer: QueuedMessage,
})

export const changeQueued = route({
  method: 'PUT',
  path: '/sessions/:sessionId/queue/:queuedId',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write session',
  fails: ['conflict', 'not_found'],
  summary:
    'Change a waiting message: its text, its place, or what it does. 404 when it was sent or withdrawn, and a conflict when the run reads it',
  bodyLimit: 4 * MAX_QUEUED_LENGTH,
  params: QueuedParams,
  body: z.object({
    content: z.optional(text(1, MAX_QUEUED_LENGTH)),
    /** The waiting message it comes after; null for the first place. */
    after_id: z.optional(z.nullable(Id)),
    /** `interrupt` sends it now. */
    way: z.optional(QueueWay),
  }),
  answer: QueuedMessage,
})

export const withdrawQueued = route({
  method: 'DELETE',
  path: '/sessions/:sessionId/queue/:queuedId',
  access: 'user',
  may: 'write session',
  fails: ['conflict', 'not_found'],
  summary: 'Withdraw a waiting message. 404 when it was sent, and a conflict when the run reads it',
  params: QueuedParams,
  answer: Notice,
})
