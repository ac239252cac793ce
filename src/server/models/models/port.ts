import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ProviderTrouble } from '#shared/models/connections/provider-trouble.ts'
import type { Effort } from '#shared/models/connections/tuning.ts'
import { AppError, TranslatableError } from '#shared/platform/errors.ts'

/**
 * The one way a language model is spoken to. Every dialect, the adapter and the built-in model
 * take a `ModelCall` and give `ModelPart`s; nothing else in the product knows a provider's wire.
 */

export type JsonSchema = Record<string, unknown>

/** Opaque data a provider wants back with the next call (thinking signatures, encrypted reasoning). */
export type ProviderMetadata = Record<string, unknown>

/** Marks thoughts of servers that want them back while tools are being called (DeepSeek, Moonshot and others). */
export const ECHOED_THOUGHT: ProviderMetadata = { 'chat:field': 'reasoning_content' }

export type FilePart = { type: 'file'; media_type: string; name: string | null; data_base64: string }
export type TextPart = { type: 'text'; text: string }
export type ReasoningPart = { type: 'reasoning'; text: string; metadata?: ProviderMetadata }
export type ToolCallPart = {
  type: 'tool-call'
  id: string
  name: string
  /** The arguments as the model wrote them: JSON text, not yet parsed. */
  input: string
  metadata?: ProviderMetadata
}
export type ToolResultPart = {
  type: 'tool-result'
  id: string
  name: string
  output: string
  is_error: boolean
  /** Pictures in the result, sent after it to models that see. */
  pictures?: FilePart[]
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | ReasoningPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] }

export type ModelTool = { name: string; description: string; input_schema: JsonSchema }

/** How an answer is chosen. Providers that do not take a parameter answer without it. */
export type Sampling = {
  top_p?: number
  top_k?: number
  /** The answer ends before the first of these. */
  stop?: string[]
  seed?: number
  presence_penalty?: number
  frequency_penalty?: number
  effort?: Effort
}

export type ModelCall = {
  /** The provider's own model id, without the `provider/` in front. */
  model: string
  messages: ModelMessage[]
  tools: ModelTool[]
  tool_choice: 'auto' | 'none' | 'required' | { name: string }
  /** Asks for JSON of this schema instead of prose. */
  output?: { name: string; schema: JsonSchema }
  temperature?: number
  sampling?: Sampling
  max_output_tokens?: number
  /** The language the person uses, for models that answer by themselves. */
  language?: 'en' | 'fr'
  /** When and where the person asks; sent after the newest message. */
  asked?: { at: string; time_zone: string }
  /** Connections that take one request at a time serve callers in turn. */
  caller?: Caller
}

export type Usage = {
  /** Includes cached tokens. */
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  /** How many of the input tokens were written to a cache, which may cost more. */
  cache_write_tokens?: number | undefined
  /** What the provider says the call cost, in dollars. */
  cost?: number | undefined
  reasoning_tokens: number
  /** True when the provider gave no numbers and the tokens were counted here. */
  estimated: boolean
  /** Of rerankers that are paid by the search. */
  searches?: number
  /** How many of the tokens are those of images, which have prices of their own. */
  image_tokens?: { input: number; output: number }
}

/** What a provider says that a call for vectors or scores used; null where it does not say. */
export type Counted = { tokens: number | null; searches: number | null }

/** What an administrator lets a connection take in any minute. */
export type MinuteLimit = { of: 'requests' | 'tokens'; per_minute: number }

/** Why an answer has not begun: a limit, so many calls ahead, or a model that loads or reads a long request. */
export type Waiting = MinuteLimit | { of: 'turn'; ahead: number } | { of: 'model' }

/** The person who asks; a background call is one that nobody waits for. */
export type Caller = { person: string | null; is_background: boolean }

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

export type ModelPart =
  | TextPart
  | ReasoningPart
  /** Sent once, when the call is complete; arguments are never run before `finish`. */
  | ToolCallPart
  | { type: 'source'; url: string; title: string | null }
  | ({ type: 'usage' } & Usage)
  /** The answer has not begun; null when that is over. */
  | { type: 'waiting'; limit: Waiting | null }
  /** How the request that is answered differs from the one that was meant. Sent before the answer. */
  | { type: 'adapted'; adaptations: Adaptation[] }
  /** All text that was given so far is the model's thoughts, and no part of its answer. */
  | { type: 'rethought' }
  /** The last part of a proper answer. A stream that ends without it throws a `ModelError`. */
  | { type: 'finish'; reason: FinishReason }

/** `cut`: it was more than is taken of one answer; what came before that was given. */
export type ModelErrorKind = ProviderTrouble

/** A call that failed. `message` is a sentence for people; text that came before it was already given. */
export class ModelError extends TranslatableError {
  readonly kind: ModelErrorKind
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  /** The provider's own words, as far as they are looked at; empty where it said nothing. */
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

/** Whether a part belongs to what the model says. */
export const isSaid = ({ type }: ModelPart): boolean =>
  type !== 'usage' && type !== 'waiting' && type !== 'adapted'

/** Is handed each part at the moment it is read: an iterator would cost more per token than all the rest. */
export type GivePart = (part: ModelPart) => void

/**
 * Streams one answer. Retries by itself only while nothing visible was given; resolves after `finish`, throws
 * `ModelError`, what `give` throws, or, once `signal` is aborted, the signal's reason.
 */
export type StreamModel = (call: ModelCall, signal: AbortSignal, give: GivePart) => Promise<void>

/** Whether a text that is embedded asks, or is to be found: some models are told. */
export type TextRole = 'query' | 'passage'
