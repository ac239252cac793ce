import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, MESSAGE_BODY_BYTES, queryInt, text } from '../../platform/primitives.ts'
import { InputRequiredBlock, PausedBlock } from '../runs/blocks.ts'
import { InputFile, InputType } from '../runs/request.ts'

/** Maximum size of a file in an answer, in bytes. */
export const MAX_INPUT_FILE = 25 * 1024 * 1024

/** The accepted answer. Sending it again returns the same one. */
const Given = z.object({
  status: z.literal('accepted'),
  run_id: Id,
  session_id: z.nullable(Id),
  checkpoint_name: z.string(),
  input: z.unknown(),
  input_type: z.string(),
  answered_at: z.string(),
})
export type Given = z.infer<typeof Given>

export const provideInput = route({
  method: 'POST',
  path: '/sessions/:sessionId/provide-input',
  afterTerms: true,
  access: 'user',
  fails: ['conflict', 'already_answered', 'deadline_passed', 'no_answer'],
  visitors: true,
  scope: 'chats',
  may: 'write session',
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Answer a request of the waiting run; the run goes on',
  params: z.object({ sessionId: Id }),
  body: z.object({ checkpoint_name: text(1, 500), input: z.unknown(), input_type: InputType }),
  answer: Given,
})

export const provideToolInput = route({
  method: 'POST',
  path: '/tool-executions/:executionId/provide-input',
  afterTerms: true,
  access: 'user',
  fails: ['conflict', 'already_answered', 'deadline_passed', 'no_answer'],
  visitors: true,
  scope: 'chats',
  may: 'write execution',
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Answer what a tool asks, or whether it may run',
  params: z.object({ executionId: Id }),
  body: z.object({ input: z.unknown(), input_type: z._default(InputType, 'text') }),
  answer: Given,
})

export const decideApproval = route({
  method: 'POST',
  path: '/tool-executions/:approvalId/decide',
  access: 'user',
  may: 'write approval',
  fails: ['conflict', 'already_answered', 'deadline_passed'],
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: "Approve or decline another person's tool call, as its named approver",
  params: z.object({ approvalId: Id }),
  body: z.object({ input: z.unknown() }),
  answer: Given,
})

export const RequestState = z.enum(['waiting', 'answered', 'expired'])
export type RequestState = z.infer<typeof RequestState>

/** An entry of the inbox: a request that a run waits for. */
export const InputRequest = z.object({
  run_id: Id,
  session_id: z.nullable(Id),
  session_title: z.nullable(z.string()),
  assistant_id: z.nullable(z.string()),
  /** Null without an assistant, or when the assistant was deleted. */
  assistant_name: z.nullable(z.string()),
  /** Name of the person who waits for the caller's approval; null for the caller's own runs. */
  asked_by: z.nullable(z.string()),
  state: RequestState,
  /** The question, or the pause of a run that waits for a top-up. */
  request: z.discriminatedUnion('type', [InputRequiredBlock, PausedBlock]),
  answered_at: z.nullable(z.string()),
})
export type InputRequest = z.infer<typeof InputRequest>

/** An assistant whose chats have requests. Id and name are null for chats without an assistant. */
export const RequestingAssistant = z.object({
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  count: z.int(),
})
export type RequestingAssistant = z.infer<typeof RequestingAssistant>

export const InboxPage = z.object({
  items: z.array(InputRequest),
  /** Number of requests that match the filter. */
  total: z.int(),
  /** Assistants with requests in this state. Always includes the assistant of the filter. */
  assistants: z.array(RequestingAssistant),
})
export type InboxPage = z.infer<typeof InboxPage>

/** Filter value for chats without an assistant. */
export const NO_ASSISTANT = 'none'

/** Lists waiting requests by due date, then by waiting time. Answered and expired requests come newest first. */
export const listInputRequests = route({
  method: 'GET',
  path: '/input-requests',
  access: 'user',
  scope: 'chats',
  summary: 'What runs of the caller wait for: answers, and a balance to go on with',
  query: z.object({
    status: z._default(RequestState, 'waiting'),
    /** Restricts the list to chats with this assistant, or to chats without one (`none`). */
    assistant_id: z.optional(text(1, 100)),
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 200, fallback: 100 }),
  }),
  answer: InboxPage,
})

export const uploadInputFile = route({
  method: 'POST',
  path: '/input-files',
  access: 'user',
  uses: 'feature uploads',
  fails: ['quota_exceeded'],
  upload: true,
  summary: 'Store a file for an answer (multipart, one part named `file`)',
  status: 201,
  answer: InputFile,
})

export const readInputFile = route({
  method: 'GET',
  path: '/input-files/:fileId',
  access: 'user',
  fails: ['invalid'],
  sends: '*/*',
  may: 'read file',
  summary: 'A file that was given as an answer; only for who gave it',
  params: z.object({ fileId: Id }),
})

export const transcribeInputFile = route({
  method: 'POST',
  path: '/input-files/:fileId/transcribe',
  afterTerms: true,
  access: 'user',
  uses: 'feature transcription',
  fails: ['not_available', 'provider_failed'],
  may: 'read file',
  summary: 'Write down what is said in a recording that was stored for an answer',
  params: z.object({ fileId: Id }),
  answer: z.object({ text: z.string() }),
})
