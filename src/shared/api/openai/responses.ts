import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { Effort } from '../../models/connections/tuning.ts'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { atMost, record, text } from '../../platform/primitives.ts'
import { WireResponse } from './answers.ts'
import { FileInput, HANGING_UP, Share } from './chat.ts'

const CALL_BYTES = 20_000_000
const MAX_TEXT = 2_000_000

const Part = z.union([
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: text(0, MAX_TEXT) }),
  z.object({ type: z.literal('input_image'), image_url: text(1, CALL_BYTES) }),
  z.object({ type: z.literal('input_image'), file_id: text(1, 100) }),
  z.extend(FileInput, { type: z.literal('input_file') }),
])
const Content = z.union([text(0, MAX_TEXT), z.array(Part).check(atMost(100))])

/** One item of a conversation: a message, a tool call or its result. Reasoning items are accepted and ignored. */
const Item = z.union([
  z.object({ role: z.enum(['user', 'assistant', 'system', 'developer']), content: Content }),
  z.object({
    type: z.literal('function_call'),
    ...{ call_id: text(1, 200), name: text(1, 200), arguments: text(0, MAX_TEXT) },
  }),
  z.object({ type: z.literal('function_call_output'), call_id: text(1, 200), output: text(0, MAX_TEXT) }),
  z.object({ type: z.literal('reasoning') }),
])

const Format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: text(1, 64),
    schema: z.optional(record(200, z.unknown())),
  }),
])

export const ResponseCall = z.object({
  model: text(1, MAX_MODEL_NAME),
  input: z.union([text(1, MAX_TEXT), z.array(Item).check(z.minLength(1), atMost(2_000))]),
  instructions: z.optional(z.nullable(text(0, MAX_TEXT))),
  stream: z.optional(z.nullable(z.boolean())),
  /** Continues the conversation of an earlier response, with its own instructions. */
  previous_response_id: z.optional(z.nullable(text(1, 100))),
  /** False deletes the response once it is sent. */
  store: z.optional(z.nullable(z.boolean())),
  /** Returns immediately; the answer is fetched by its id. */
  background: z.optional(z.nullable(z.boolean())),
  tools: z.optional(
    z
      .array(
        z.object({
          type: z.literal('function'),
          name: text(1, 64),
          description: z.optional(z.nullable(text(0, 10_000))),
          parameters: z.optional(z.nullable(record(200, z.unknown()))),
        }),
      )
      .check(atMost(128)),
  ),
  tool_choice: z.optional(
    z.union([
      z.enum(['none', 'auto', 'required']),
      z.object({ type: z.literal('function'), name: text(1, 64) }),
    ]),
  ),
  temperature: z.optional(z.nullable(z.number().check(z.gte(0), z.lte(2)))),
  top_p: z.optional(z.nullable(Share)),
  reasoning: z.optional(z.nullable(z.object({ effort: z.optional(z.nullable(Effort)) }))),
  max_output_tokens: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  text: z.optional(z.object({ format: z.optional(Format) })),
})
export type ResponseCall = z.infer<typeof ResponseCall>

export const createResponse = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/responses',
  afterTerms: true,
  access: 'user',
  fails: [
    'conflict',
    'not_available',
    'class_refused',
    'provider_failed',
    'provider_key_refused',
    'insufficient_balance',
    'budget_used_up',
    'session_busy',
    'quota_exceeded',
    'not_found',
  ],
  sends: 'text/event-stream',
  scope: 'chat',
  summary: 'Ask a model or an assistant',
  description: `${HANGING_UP} A background response continues as well. "previous_response_id" continues an earlier response of the last 30 days. "store: false" deletes the response once it is sent.`,
  bodyLimit: CALL_BYTES,
  body: ResponseCall,
  answer: WireResponse,
})

const ResponseParams = z.object({ responseId: text(1, 100) })

export const getResponse = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/responses/:responseId',
  access: 'user',
  scope: 'chat',
  may: null,
  summary: 'A response by its id, also while it is made',
  params: ResponseParams,
  answer: WireResponse,
})

export const cancelResponse = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/responses/:responseId/cancel',
  access: 'user',
  scope: 'chat',
  may: null,
  summary: 'Stop a response that is being made',
  params: ResponseParams,
  answer: WireResponse,
})
