import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ProviderTrouble } from '#shared/models/connections/provider-trouble.ts'
import type { Effort } from '#shared/models/connections/tuning.ts'
import { AppError, TranslatableError } from '#shared/platform/errors.ts'

/**
 * The only interface to language models. Every dialect, the adapter and the built-in model take a `ModelCall` and emit
 * `ModelPart`s; no other code knows a provider's wire format.
 */

export type JsonSchema = Record<string, unknown>

/** Opaque data that a provider requires with the next call (thinking signatures, encrypted reasoning). */
export type ProviderMetadata = Record<string, unknown>

/** Marks thoughts that a server requires back during tool calls (DeepSeek, Moonshot and others). */
export const ECHOED_THOUGHT: ProviderMetadata = { 'chat:field': 'reasoning_content' }

export type FilePart = { type: 'file'; media_type: string; name: string | null; data_base64: string }
export type TextPart = { type: 'text'; text: string }
export type ReasoningPart = { type: 'reasoning'; text: string; metadata?: ProviderMetadata }
export type ToolCallPart = {
  type: 'tool-call'
  id: string
  name: string
  /** The arguments as the model wrote them: unparsed JSON. */
  input: string
  metadata?: ProviderMetadata
}
export type ToolResultPart = {
  type: 'tool-result'
  id: string
  name: string
  output: string
  is_error: boolean
  /** Pictures in the result, sent after it to models that take pictures. */
  pictures?: FilePart[]
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | ReasoningPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] }

export type ModelTool = { name: string; description: string; input_schema: JsonSchema }

/** Sampling parameters. A provider that does not accept one answers without it. */
export type Sampling = {
  top_p?: number
  top_k?: number
  /** The answer ends before the first of these sequences. */
  stop?: string[]
  seed?: number
  presence_penalty?: number
  frequency_penalty?: number
  effort?: Effort
}

export type ModelCall = {
  /** The provider's own model id, without the `provider/` prefix. */
  model: string
  messages: ModelMessage[]
  tools: ModelTool[]
  tool_choice: 'auto' | 'none' | 'required' | { name: string }
  /** Requests JSON of this schema instead of prose. */
  output?: { name: string; schema: JsonSchema }
  temperature?: number
  sampling?: Sampling
  max_output_tokens?: number
  /** The user's language, for the built-in model. */
  language?: 'en' | 'fr'
  /** Time and time zone of the request, sent after the newest message. */
  asked?: { at: string; time_zone: string }
  /** Connections that take one request at a time serve callers in turn. */
  caller?: Caller
}

export type Usage = {
  /** Includes cached tokens. */
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  /** Input tokens that were written to a cache, which may cost more. */
  cache_write_tokens?: number | undefined
  /** The cost of the call that the provider reports, in dollars. */
  cost?: number | undefined
  reasoning_tokens: number
  /** True when the provider reported no usage and the tokens were counted here. */
  estimated: boolean
  /** For rerankers that are charged per search. */
  searches?: number
  /** Image tokens among these, which have separate prices. */
  image_tokens?: { input: number; output: number }
}

/** Usage that a provider reports for a call for vectors or scores; null where it reports none. */
export type Counted = { tokens: number | null; searches: number | null }

/** A limit per minute that an administrator set for a connection. */
export type MinuteLimit = { of: 'requests' | 'tokens'; per_minute: number }

/** The reason why an answer has not begun: a limit, calls ahead in the queue, or a model that loads or reads a long request. */
export type Waiting = MinuteLimit | { of: 'turn'; ahead: number } | { of: 'model' }

/** The user who asks. No user waits for a background call. */
export type Caller = { person: string | null; is_background: boolean }

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

export type ModelPart =
  | TextPart
  | ReasoningPart
  /** Sent once, when the call is complete. Tools run only after `finish`. */
  | ToolCallPart
  | { type: 'source'; url: string; title: string | null }
  | ({ type: 'usage' } & Usage)
  /** The answer has not begun; null when the wait is over. */
  | { type: 'waiting'; limit: Waiting | null }
  /** Differences between the request that was sent and the given one. Sent before the answer. */
  | { type: 'adapted'; adaptations: Adaptation[] }
  /** All text so far is thoughts of the model, and no part of its answer. */
  | { type: 'rethought' }
  /** The thoughts so far were the answer. They follow as text. */
  | { type: 'retold' }
  /** The last part of a complete answer. A stream that ends without it throws a `ModelError`. */
  | { type: 'finish'; reason: FinishReason }

/** `cut` means that the answer exceeded a limit. The parts before it were emitted. */
export type ModelErrorKind = ProviderTrouble

/** A failed call. `message` is a sentence for users. Text before the failure was already emitted. */
export class ModelError extends TranslatableError {
  readonly kind: ModelErrorKind
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  /** The provider's own words, truncated; `message` unless given. */
  readonly said: string

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: { status?: number; retryAfterSeconds?: number; said?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ModelError'
    this.kind = kind
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
    this.said = options.said ?? message
  }

  toAppError(): AppError {
    const code = this.kind === 'not_available' ? 'not_available' : 'provider_failed'
    return new AppError(code, this.message, { cause: this })
  }
}

/** Returns whether a part is output of the model. */
export const isSaid = ({ type }: ModelPart): boolean =>
  type !== 'usage' && type !== 'waiting' && type !== 'adapted'

/** Receives each part when it is read. An iterator would cost more per token than all other work. */
export type GivePart = (part: ModelPart) => void

/**
 * Streams one answer. Retries only while nothing visible was emitted. Resolves after `finish`; throws `ModelError`, errors of `give`,
 * or the reason of `signal` once it is aborted.
 */
export type StreamModel = (call: ModelCall, signal: AbortSignal, give: GivePart) => Promise<void>

/** Whether an embedded text is a question or a passage. Some models distinguish them. */
export type TextRole = 'query' | 'passage'
