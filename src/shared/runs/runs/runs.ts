import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, Notice, text } from '../../platform/primitives.ts'

const SessionParams = z.object({ sessionId: Id })
const MessageParams = z.object({ sessionId: Id, messageId: Id })

export const RunState = z.enum(['queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'stopped'])
export type RunState = z.infer<typeof RunState>

/** Streams the reply to a user message; attaches to the run that is already active. */
export const generateReply = route({
  method: 'POST',
  path: '/sessions/:sessionId/messages/:messageId/generate',
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
  summary: 'Stream the reply to a message',
  params: MessageParams,
  body: z._default(
    z.object({ tool_choice: z.nullish(text(0, 100)), model_name: z.nullish(text(0, MAX_MODEL_NAME)) }),
    {},
  ),
})

export const streamTask = route({
  method: 'GET',
  path: '/sessions/:sessionId/task-stream',
  access: 'user',
  visitors: true,
  scope: 'chats',
  may: 'read session',
  kind: 'stream',
  summary: 'Follow a reply, by default the running one; `include_chunks=true` replays its events',
  params: SessionParams,
  query: z.object({
    include_chunks: z._default(z.enum(['true', 'false']), 'false'),
    /** Reply to follow, independent of other messages and of the active branch. */
    message_id: z.optional(Id),
  }),
})

export const streamEvents = route({
  method: 'GET',
  path: '/sessions/:sessionId/events',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  kind: 'stream',
  summary: 'Every event of a session, under both families of names',
  params: SessionParams,
})

export const sendTestEvent = route({
  method: 'POST',
  path: '/sessions/:sessionId/test-event',
  access: 'super_admin',
  may: 'write session',
  bodyLimit: 8 * 1024,
  summary: "Send an event to the session's readers",
  params: SessionParams,
  body: z.object({ event_type: z._default(text(1, 100), 'test_event'), data: z.optional(z.unknown()) }),
  answer: z.object({ status: z.string(), message: z.string() }),
})

/** Stops the active run and keeps its text; returns 200 when no run is active. */
export const stopRun = route({
  method: 'POST',
  path: '/sessions/:sessionId/stop',
  access: 'user',
  visitors: true,
  scope: 'chats',
  may: 'write reply',
  summary: 'Stop the running reply',
  params: SessionParams,
  answer: Notice,
})

/**
 * Continues from a checkpoint as a new branch and streams it. The name belongs to the run that wrote `message_id`;
 * `checkpoint_hint` is the checkpoint's id, for names that occur several times in a run.
 */
export const navigateToCheckpoint = route({
  method: 'POST',
  path: '/sessions/:sessionId/navigate-to-checkpoint',
  afterTerms: true,
  access: 'user',
  fails: ['not_available', 'insufficient_balance', 'budget_used_up', 'session_busy', 'quota_exceeded'],
  scope: 'chats',
  may: 'write session',
  kind: 'stream',
  summary: 'Return to a checkpoint and go on from there',
  params: SessionParams,
  body: z._default(
    z.object({
      checkpoint_name: z.nullish(text(0, 500)),
      message_id: z.nullish(text(0, 100)),
      checkpoint_hint: z.nullish(text(0, 500)),
    }),
    {},
  ),
})
