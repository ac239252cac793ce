import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { atMost, record, text } from '../../platform/primitives.ts'
import { HANGING_UP, Share, StopSequence } from '../openai/chat.ts'

const CALL_BYTES = 20_000_000
const MAX_TEXT = 2_000_000
/** Conversations of coding programs have many blocks and large tool schemas. */
const MAX_VALUES = 20_000

const TextBlock = z.object({ type: z.literal('text'), text: text(0, MAX_TEXT) })
const FileSource = z.object({ type: z.literal('file'), file_id: text(1, 100) })
const UrlSource = z.object({ type: z.literal('url'), url: text(1, 4_000) })
const BytesSource = z.object({
  ...{ type: z.literal('base64'), media_type: text(1, 100), data: text(1, CALL_BYTES) },
})
const ImageBlock = z.object({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [BytesSource, UrlSource, FileSource]),
})
const DocumentBlock = z.object({
  type: z.literal('document'),
  title: z.optional(z.nullable(text(0, 255))),
  source: z.discriminatedUnion('type', [
    BytesSource,
    z.object({ type: z.literal('text'), data: text(1, MAX_TEXT) }),
    FileSource,
  ]),
})
const ResultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: text(1, 200),
  content: z.optional(
    z.union([
      text(0, MAX_TEXT),
      z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock])).check(atMost(100)),
    ]),
  ),
  is_error: z.optional(z.boolean()),
})
const UseBlock = z.object({
  type: z.literal('tool_use'),
  ...{ id: text(1, 200), name: text(1, 200), input: record(1_000, z.unknown()) },
})

const ThoughtBlock = z.object({ type: z.enum(['thinking', 'redacted_thinking']) })

/** One turn. Thoughts are accepted and ignored. */
export const MessageTurn = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    content: z.union([
      text(0, MAX_TEXT),
      z
        .array(z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock, ResultBlock]))
        .check(atMost(200)),
    ]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([
      text(0, MAX_TEXT),
      z.array(z.discriminatedUnion('type', [TextBlock, UseBlock, ThoughtBlock])).check(atMost(200)),
    ]),
  }),
])
export type MessageTurn = z.infer<typeof MessageTurn>

/** A tool of the caller. Tools that Anthropic runs have another type and are refused. */
const MessageTool = z.object({
  type: z.optional(z.nullable(text(1, 100))),
  name: text(1, 128),
  description: z.optional(text(0, 20_000)),
  input_schema: z.optional(record(200, z.unknown())),
})

const AskedMessages = {
  model: text(1, MAX_MODEL_NAME),
  messages: z.array(MessageTurn).check(z.minLength(1), atMost(2_000)),
  system: z.optional(z.union([text(0, MAX_TEXT), z.array(TextBlock).check(atMost(100))])),
  tools: z.optional(z.array(MessageTool).check(atMost(500))),
  tool_choice: z.optional(
    z.discriminatedUnion('type', [
      z.object({ type: z.enum(['auto', 'any', 'none']) }),
      z.object({ type: z.literal('tool'), name: text(1, 128) }),
    ]),
  ),
  thinking: z.optional(z.object({ type: text(1, 40) })),
}

/** A request of the Messages API. Unknown fields are ignored. */
export const MessagesCall = z.object({
  ...AskedMessages,
  max_tokens: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
  stream: z.optional(z.nullable(z.boolean())),
  temperature: z.optional(z.nullable(Share)),
  top_p: z.optional(z.nullable(Share)),
  top_k: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  stop_sequences: z.optional(z.nullable(z.array(StopSequence).check(atMost(100)))),
  output_config: z.optional(
    z.object({
      effort: z.optional(z.nullable(text(1, 40))),
      format: z.optional(
        z.nullable(z.object({ type: z.literal('json_schema'), schema: record(200, z.unknown()) })),
      ),
    }),
  ),
})
export type MessagesCall = z.infer<typeof MessagesCall>

const AnswerBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal('text'), text: z.string(), citations: z.null() }),
  z.object({
    type: z.literal('tool_use'),
    ...{ id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) },
  }),
])

/** An answer of the Messages API. `input_tokens` excludes cached tokens. */
export const WireMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(AnswerBlock),
  stop_reason: z.nullable(z.enum(['end_turn', 'max_tokens', 'tool_use', 'refusal'])),
  stop_sequence: z.null(),
  usage: z.object({
    ...{ input_tokens: z.int(), output_tokens: z.int() },
    ...{ cache_creation_input_tokens: z.int(), cache_read_input_tokens: z.int() },
  }),
})
export type WireMessage = z.infer<typeof WireMessage>

/** Returns JSON, or an event stream with `stream`, as on Anthropic's wire. */
export const createMessage = route({
  method: 'POST',
  base: WIRE_BASE,
  errorForm: 'anthropic',
  path: '/messages',
  afterTerms: true,
  access: 'user',
  fails: [
    ...(['conflict', 'not_available', 'class_refused', 'provider_failed', 'provider_key_refused'] as const),
    ...(['insufficient_balance', 'budget_used_up', 'session_busy', 'quota_exceeded', 'not_found'] as const),
  ],
  sends: 'text/event-stream',
  scope: 'chat',
  summary: "Ask a model or an assistant in the form of Anthropic's Messages API",
  description: `The API key comes as "x-api-key" or as a bearer token. ${HANGING_UP} "stop_sequences", "top_p" and "top_k" are ignored, thoughts of earlier turns too.`,
  bodyLimit: CALL_BYTES,
  maxValues: MAX_VALUES,
  body: MessagesCall,
  answer: WireMessage,
})

export const countMessageTokens = route({
  method: 'POST',
  base: WIRE_BASE,
  errorForm: 'anthropic',
  path: '/messages/count_tokens',
  access: 'user',
  fails: ['not_available', 'conflict', 'not_found'],
  scope: 'chat',
  summary: "Tokens of a request in the form of Anthropic's Messages API, about",
  bodyLimit: CALL_BYTES,
  maxValues: MAX_VALUES,
  body: z.object(AskedMessages),
  answer: z.object({ input_tokens: z.int() }),
})
