import * as z from 'zod/mini'
import { ToolCall } from './tool-call.ts'

const Finish = z.enum(['stop', 'length', 'tool_calls', 'content_filter'])
/** Unix time in seconds. */
const Seconds = z.int()
const UrlCitation = z.object({
  url: z.string(),
  title: z.string(),
  start_index: z.int(),
  end_index: z.int(),
})

/** A model or an assistant; only assistants have a `name`. */
export const WireModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: Seconds,
  owned_by: z.string(),
  name: z.optional(z.string()),
})
export const WireModels = z.object({ object: z.literal('list'), data: z.array(WireModel) })

export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: Seconds,
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.nullable(z.string()),
        refusal: z.null(),
        annotations: z.array(z.object({ type: z.literal('url_citation'), url_citation: UrlCitation })),
        tool_calls: z.optional(z.array(ToolCall)),
      }),
      logprobs: z.null(),
      finish_reason: Finish,
    }),
  ),
  usage: z.object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    prompt_tokens_details: z.object({ cached_tokens: z.int() }),
    completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  }),
})
export type ChatCompletion = z.infer<typeof ChatCompletion>

const OutputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  logprobs: z.array(z.unknown()),
  annotations: z.array(z.extend(UrlCitation, { type: z.literal('url_citation') })),
})
const OutputItem = z.discriminatedUnion('type', [
  z.object({
    ...{ id: z.string(), type: z.literal('message'), role: z.literal('assistant'), status: z.string() },
    content: z.array(OutputText),
  }),
  z.object({
    ...{ id: z.string(), type: z.literal('function_call'), status: z.string(), call_id: z.string() },
    ...{ name: z.string(), arguments: z.string() },
  }),
])

export const WireResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: Seconds,
  model: z.string(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  previous_response_id: z.nullable(z.string()),
  store: z.boolean(),
  incomplete_details: z.nullable(z.object({ reason: z.string() })),
  output: z.array(OutputItem),
  usage: z.nullable(
    z.object({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    }),
  ),
  ...{ instructions: z.null(), metadata: z.record(z.string(), z.string()), parallel_tool_calls: z.boolean() },
  ...{ temperature: z.null(), top_p: z.null(), tool_choice: z.string(), tools: z.array(z.unknown()) },
})
export type WireResponse = z.infer<typeof WireResponse>

/** Vectors as numbers, or encoded as the caller requested. */
export const Embeddings = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})
export type Embeddings = z.infer<typeof Embeddings>
