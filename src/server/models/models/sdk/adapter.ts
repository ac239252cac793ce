import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import {
  type FinishReason,
  type GivePart,
  type ModelCall,
  ModelError,
  type ModelMessage,
  type ModelPart,
  type StreamModel,
} from '../port.ts'
import { type AnswerLimits, createAllowance } from '../wire/allowance.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { failureInStream, failureOf, sentenceFor } from '../wire/failures.ts'
import type { Gate } from '../wire/gate.ts'
import { parseInput } from '../wire/json-input.ts'
import { type Patience, type Watch, withPatience } from '../wire/patience.ts'

type OpenModel = (endpoint: Endpoint, model: string) => Promise<LanguageModelV4>

/** Streams from a provider without a dialect through the AI SDK, with our own timeouts and retries. */
export function streamThroughSdk(
  openModel: OpenModel,
  patience: Patience,
  limits: AnswerLimits,
  gate: Gate,
): StreamModel {
  const attempt: Parameters<typeof withPatience>[1] = async (call, signal, watch, give, endpoint) => {
    const both = AbortSignal.any([signal, watch.signal])
    await streamSdkModel(await openModel(endpoint, call.model), call, both, give, watch)
  }
  return withPatience(patience, attempt, gate, limits)
}

/** Makes one call of an AI SDK model and emits parts of our port. @throws ModelError */
export async function streamSdkModel(
  model: LanguageModelV4,
  call: ModelCall,
  signal: AbortSignal,
  give: GivePart,
  { stamp, allowance }: Pick<Watch, 'stamp' | 'allowance'> = {
    stamp: () => {},
    allowance: createAllowance(),
  },
): Promise<void> {
  let finish: FinishReason | null = null
  const calls: ModelPart[] = []
  try {
    const { stream } = await model.doStream({ ...writeOptions(call), abortSignal: signal })
    for await (const part of stream) {
      stamp()
      if (part.type === 'error') throw part.error
      if (part.type === 'tool-call') {
        allowance.call(calls.length + 1, part.input.length, part.input.length)
        calls.push({ type: 'tool-call', id: part.toolCallId, name: part.toolName, input: part.input })
      } else if (part.type === 'finish') {
        finish = readFinish(part.finishReason)
        give({ type: 'usage', ...readUsage(part.usage) })
      } else for (const read of readPart(part)) give(read)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw asModelError(error)
  }
  if (finish === null) throw new ModelError('interrupted', sentenceFor('interrupted'))
  for (const toolCall of calls) give(toolCall)
  give({ type: 'finish', reason: finish })
}

function writeOptions(call: ModelCall) {
  return {
    prompt: call.messages.map(writeMessage),
    tools: call.tools.map(({ name, description, input_schema }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema: input_schema,
    })),
    toolChoice:
      typeof call.tool_choice === 'string'
        ? { type: call.tool_choice }
        : { type: 'tool' as const, toolName: call.tool_choice.name },
    ...(call.output && {
      responseFormat: { type: 'json' as const, name: call.output.name, schema: call.output.schema },
    }),
    ...(call.temperature !== undefined && { temperature: call.temperature }),
    ...writeSampling(call),
    ...(call.max_output_tokens !== undefined && { maxOutputTokens: call.max_output_tokens }),
  }
}

function writeSampling({ sampling = {} }: ModelCall) {
  const { top_p, top_k, stop, seed, presence_penalty, frequency_penalty } = sampling
  return {
    ...(top_p !== undefined && { topP: top_p }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(stop && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(presence_penalty !== undefined && { presencePenalty: presence_penalty }),
    ...(frequency_penalty !== undefined && { frequencyPenalty: frequency_penalty }),
  }
}

function writeMessage(message: ModelMessage): LanguageModelV4Prompt[number] {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return {
        role: 'user',
        content: message.content.map((part) =>
          part.type === 'text'
            ? { type: 'text', text: part.text }
            : { type: 'file', mediaType: part.media_type, data: { type: 'data', data: part.data_base64 } },
        ),
      }
    case 'tool':
      return {
        role: 'tool',
        content: message.content.map(({ id, name, output, is_error }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: is_error ? 'error-text' : 'text', value: output },
        })),
      }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.map((part) =>
          part.type === 'tool-call'
            ? {
                type: 'tool-call',
                toolCallId: part.id,
                toolName: part.name,
                input: parseInput(part.input),
              }
            : { type: part.type, text: part.text },
        ),
      }
  }
}

function readPart(part: LanguageModelV4StreamPart): ModelPart[] {
  if (part.type === 'text-delta' && part.delta) return [{ type: 'text', text: part.delta }]
  if (part.type === 'reasoning-delta' && part.delta) return [{ type: 'reasoning', text: part.delta }]
  if (part.type === 'source' && part.sourceType === 'url')
    return [{ type: 'source', url: part.url, title: part.title ?? null }]
  return []
}

type SdkUsage = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage']

function readUsage({ inputTokens, outputTokens }: SdkUsage) {
  return {
    input_tokens: inputTokens.total ?? 0,
    output_tokens: outputTokens.total ?? 0,
    cached_tokens: inputTokens.cacheRead ?? 0,
    cache_write_tokens: inputTokens.cacheWrite,
    reasoning_tokens: outputTokens.reasoning ?? 0,
    estimated: inputTokens.total === undefined,
  }
}

/** Without the provider's own reason the stream was cut, whatever the SDK reports. */
function readFinish({ unified, raw }: { unified: string; raw: string | undefined }): FinishReason {
  if (unified === 'error' || raw === undefined)
    throw new ModelError('interrupted', sentenceFor('interrupted'))
  return unified === 'stop' ||
    unified === 'tool-calls' ||
    unified === 'length' ||
    unified === 'content-filter'
    ? unified
    : 'other'
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  const { statusCode, message, responseBody, responseHeaders } = (error ?? {}) as {
    statusCode?: number
    message?: string
    responseBody?: string
    responseHeaders?: Record<string, string>
  }
  // A failure inside a stream has a message instead of a body.
  if (statusCode)
    return failureOf(statusCode, responseBody ?? JSON.stringify({ message }), responseHeaders ?? {})
  return error instanceof Error && error.cause
    ? new ModelError('unreachable', sentenceFor('unreachable'), { cause: error })
    : failureInStream(error)
}
