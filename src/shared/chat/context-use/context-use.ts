import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Parts that fill the window of a model. `work`: tool calls and their results of the reply itself. */
export const ContextPart = z.enum([
  ...(['instructions', 'memory', 'documents', 'history', 'summaries'] as const),
  ...(['tools', 'work'] as const),
])
export type ContextPart = z.infer<typeof ContextPart>

/** The last prompt of a reply, in tokens. The parts add up to `total`. */
export const ContextUse = z.object({
  model_name: z.string(),
  /** The model's window, in tokens. */
  window: z.int(),
  total: z.int(),
  /** The provider reported no usage, so the tokens were counted here. */
  is_estimated: z.boolean(),
  parts: z.record(ContextPart, z.int()),
})
export type ContextUse = z.infer<typeof ContextUse>

/** Share of the window above which older messages are summarized. */
export const SUMMARY_SHARE = 0.7

const SessionParams = z.object({ sessionId: Id })

export const getContextUse = route({
  method: 'GET',
  path: '/sessions/:sessionId/context-use',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'What filled the window of the model in the last prompt of a chat',
  params: SessionParams,
  answer: z.object({
    /** Null until a reply was made. */
    use: z.nullable(ContextUse),
    /** Messages after the last summary, and those that it replaces. */
    messages: z.int(),
    summarised: z.int(),
  }),
})

export const summariseNow = route({
  method: 'POST',
  path: '/sessions/:sessionId/summary',
  afterTerms: true,
  access: 'user',
  may: 'write session',
  fails: [
    'conflict',
    'session_busy',
    'not_available',
    'class_refused',
    'provider_failed',
    'insufficient_balance',
    'quota_exceeded',
  ],
  summary:
    'Replace the messages so far with a summary in later prompts. The messages stay in the chat, and the summary is stored with the last of them',
  params: SessionParams,
  answer: z.object({ message_id: Id, summary: z.string() }),
})
