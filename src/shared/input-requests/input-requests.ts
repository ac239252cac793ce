import * as z from 'zod/mini'
import { route } from '../http.ts'
import { Id, queryInt, text } from '../primitives.ts'
import { InputRequiredBlock } from '../runs/blocks.ts'
import { InputFile, InputType } from './request.ts'

/** The largest file an answer may bring, in bytes. */
export const MAX_INPUT_FILE = 25 * 1024 * 1024

/** What was taken as the answer; sent again it is the same. */
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
  access: 'user',
  summary: 'Answer a request of the waiting run; the run goes on',
  params: z.object({ sessionId: Id }),
  body: z.object({ checkpoint_name: text(1, 500), input: z.unknown(), input_type: InputType }),
  answer: Given,
})

export const provideToolInput = route({
  method: 'POST',
  path: '/tool-executions/:executionId/provide-input',
  access: 'user',
  summary: 'Answer what a tool asks, or whether it may run',
  params: z.object({ executionId: Id }),
  body: z.object({ input: z.unknown(), input_type: z._default(InputType, 'text') }),
  answer: Given,
})

export const RequestState = z.enum(['waiting', 'answered', 'expired'])
export type RequestState = z.infer<typeof RequestState>

/** A request as the inbox shows it. */
export const InputRequest = z.object({
  run_id: Id,
  session_id: z.nullable(Id),
  session_title: z.nullable(z.string()),
  assistant_id: z.nullable(z.string()),
  state: RequestState,
  request: InputRequiredBlock,
  answered_at: z.nullable(z.string()),
})
export type InputRequest = z.infer<typeof InputRequest>

/** Due first, then by how long they wait; answered and expired ones newest first. */
export const listInputRequests = route({
  method: 'GET',
  path: '/input-requests',
  access: 'user',
  summary: 'What runs of the caller wait for',
  query: z.object({
    status: z._default(RequestState, 'waiting'),
    limit: queryInt({ min: 1, max: 200, fallback: 100 }),
  }),
  answer: z.object({ items: z.array(InputRequest), total: z.int() }),
})

export const uploadInputFile = route({
  method: 'POST',
  path: '/input-files',
  access: 'user',
  summary: 'Store a file for an answer (multipart, one part named `file`)',
  status: 201,
  answer: InputFile,
})

export const readInputFile = route({
  method: 'GET',
  path: '/input-files/:fileId',
  access: 'user',
  summary: 'A file that was given as an answer; only for who gave it',
  params: z.object({ fileId: Id }),
})

export const transcribeInputFile = route({
  method: 'POST',
  path: '/input-files/:fileId/transcribe',
  access: 'user',
  summary: 'Write down what is said in a recording that was stored for an answer',
  params: z.object({ fileId: Id }),
  answer: z.object({ text: z.string() }),
})
