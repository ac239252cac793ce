import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { Effort } from '../../models/connections/tuning.ts'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { atMost, record, text } from '../../platform/primitives.ts'
import { ChatCompletion } from './answers.ts'
import { ToolCall } from './tool-call.ts'

/** Maximum body size in bytes, including inline images. */
const CALL_BYTES = 20_000_000
const MAX_TEXT = 2_000_000
const MAX_MESSAGES = 2_000

const TextPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: text(0, MAX_TEXT) })
const ImageUrl = text(1, CALL_BYTES)
/** A file uploaded to `/v1/files`, or an inline one: base64, as a data URL or bare. */
export const FileInput = z.object({
  file_id: z.optional(z.nullable(text(1, 100))),
  file_data: z.optional(z.nullable(text(1, CALL_BYTES))),
  filename: z.optional(z.nullable(text(1, 255))),
})
export type FileInput = z.infer<typeof FileInput>
const UserPart = z.union([
  TextPart,
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: ImageUrl }) }),
  z.object({ type: z.literal('input_image'), image_url: ImageUrl }),
  z.object({ type: z.literal('input_image'), file_id: text(1, 100) }),
  z.object({ type: z.literal('file'), file: FileInput }),
  z.extend(FileInput, { type: z.literal('input_file') }),
])
const Parts = <Part extends z.core.$ZodType>(part: Part) =>
  z.union([text(0, MAX_TEXT), z.array(part).check(atMost(100))])

/** One message of the OpenAI wire. `developer` is the newer name of the `system` role. */
export const ChatMessage = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: Parts(TextPart) }),
  z.object({ role: z.literal('user'), content: Parts(UserPart) }),
  z.object({
    role: z.literal('assistant'),
    content: z.optional(z.nullable(Parts(TextPart))),
    tool_calls: z.optional(z.array(ToolCall).check(atMost(200))),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: text(1, 200), content: Parts(TextPart) }),
])
export type ChatMessage = z.infer<typeof ChatMessage>

const JsonSchema = record(200, z.unknown())
export const ClientTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: text(1, 64),
    description: z.optional(text(0, 10_000)),
    parameters: z.optional(JsonSchema),
  }),
})
export type ClientTool = z.infer<typeof ClientTool>

export const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: text(1, 64) }) }),
])
export type ToolChoice = z.infer<typeof ToolChoice>

const ResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ name: text(1, 64), schema: z.optional(JsonSchema) }),
  }),
])

export const Share = z.number().check(z.gte(0), z.lte(1))
const Penalty = z.number().check(z.gte(-2), z.lte(2))
export const StopSequence = text(1, 1_000)

/** A chat completion request. Unknown fields are ignored. */
export const ChatCall = z.object({
  model: text(1, MAX_MODEL_NAME),
  messages: z.array(ChatMessage).check(z.minLength(1), atMost(MAX_MESSAGES)),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(z.object({ include_usage: z.optional(z.boolean()) }))),
  tools: z.optional(z.array(ClientTool).check(atMost(128))),
  tool_choice: z.optional(ToolChoice),
  temperature: z.optional(z.nullable(z.number().check(z.gte(0), z.lte(2)))),
  top_p: z.optional(z.nullable(Share)),
  /** Not part of the OpenAI API, but of many servers of its dialect. */
  top_k: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  stop: z.optional(z.nullable(z.union([StopSequence, z.array(StopSequence).check(atMost(16))]))),
  seed: z.optional(z.nullable(z.int())),
  presence_penalty: z.optional(z.nullable(Penalty)),
  frequency_penalty: z.optional(z.nullable(Penalty)),
  reasoning_effort: z.optional(z.nullable(Effort)),
  max_tokens: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  max_completion_tokens: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  n: z.optional(z.nullable(z.literal(1))),
  response_format: z.optional(ResponseFormat),
})
export type ChatCall = z.infer<typeof ChatCall>

/** How calls end, for the API description. */
export const HANGING_UP =
  'The call stops when its caller hangs up, unless it came with "x-atrium-continue: true" or an "Idempotency-Key"; the same key returns the same call. A refusal of the provider keeps its status. The provider\'s own key being refused is 424. "x-should-retry: false" marks what would fail or cost again.'

/** Returns JSON, or an event stream with `stream`, as on the OpenAI wire. */
export const createChatCompletion = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/chat/completions',
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
  description: HANGING_UP,
  bodyLimit: CALL_BYTES,
  body: ChatCall,
  answer: ChatCompletion,
})

export const CompletionParams = z.object({ completionId: text(1, 100) })

export const getChatCompletion = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/chat/completions/:completionId',
  access: 'user',
  fails: [
    'conflict',
    'not_available',
    'class_refused',
    'provider_failed',
    'provider_key_refused',
    'invalid',
    'too_large',
  ],
  scope: 'chat',
  may: null,
  summary: 'The answer of an earlier call, by its id',
  params: CompletionParams,
  answer: ChatCompletion,
})
